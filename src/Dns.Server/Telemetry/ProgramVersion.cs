using System.Reflection;

namespace Dns.Server;

/// <summary>The version of this program.</summary>
internal static class ProgramVersion
{
    /// <summary>The version as the command line shows it.</summary>
    public static string Text { get; } =
        typeof(ProgramVersion).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion ?? "";
}
