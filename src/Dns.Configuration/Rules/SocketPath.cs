namespace Dns.Configuration.Rules;

/// <summary>The length of the path of a Unix domain socket, which is limited by <c>sun_path</c> (unix(7)).</summary>
internal static class SocketPath
{
    /// <summary>The longest path in octets of UTF-8, without the NUL behind it.</summary>
    public static int MaxOctets { get; } = OperatingSystem.IsLinux() || OperatingSystem.IsWindows() ? 107 : 103;

    /// <summary>Whether no socket can have a path, since it is too long or empty.</summary>
    public static bool IsUnfit(string path) => path.Length == 0 || Encoding.UTF8.GetByteCount(path) > MaxOctets;

    /// <summary>What is expected in place of an unfit path.</summary>
    public static string ExpectedFor(string path) =>
        $"a path of 1 to {MaxOctets} octets, and this one has {Encoding.UTF8.GetByteCount(path)}";
}
