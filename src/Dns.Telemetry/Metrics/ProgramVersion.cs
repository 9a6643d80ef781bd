using System.Reflection;

namespace Dns.Telemetry.Metrics;

/// <summary>The version of this program.</summary>
public static class ProgramVersion
{
    private const int CommitDigits = 12;

    private static readonly string[] _parts =
        (typeof(ProgramVersion).Assembly
            .GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion ?? "")
        .Split('+', 2);

    /// <summary>The version number, such as <c>0.1.0</c>.</summary>
    public static string Text { get; } = _parts[0];

    /// <summary>The first digits of the commit it was built from; empty where it was built outside a clone.</summary>
    public static string Commit { get; } =
        _parts.Length < 2 ? "" : _parts[1].Length > CommitDigits ? _parts[1][..CommitDigits] : _parts[1];

    public static string Full { get; } = Commit.Length == 0 ? Text : $"{Text} ({Commit})";
}
