namespace Dns.Configuration.Rules;

/// <summary>The length of the path of a Unix domain socket, which is limited by <c>sun_path</c> (unix(7)).</summary>
public static class SocketPath
{
    /// <summary>The longest path in octets of UTF-8, without the NUL behind it.</summary>
    public static int MaxOctets { get; } = OperatingSystem.IsLinux() || OperatingSystem.IsWindows() ? 107 : 103;

    /// <summary>Whether no socket can have a path, since it is too long or empty.</summary>
    public static bool IsUnfit(string path) => path.Length == 0 || Encoding.UTF8.GetByteCount(path) > MaxOctets;

    /// <summary>The path of a socket, relative to the settings file, or null.</summary>
    /// <param name="isOfControl">Whether it may be <c>auto</c>, and on Windows the name of a pipe.</param>
    public static SettingValue<string?> Value(bool isOfControl) => new SettingValue<string?>("string null",
        $"the path of a socket, {(isOfControl ? "auto, " : "")}or null",
        isOfControl ? "path, `auto` or `null`" : "path, or `null`",
        (node, path, binder, out socket) =>
        {
            socket = node.Value;
            if (isOfControl && ControlOptions.Automatic.Equals(socket, StringComparison.OrdinalIgnoreCase))
            {
                socket = ControlOptions.Automatic;
                return true;
            }
            if (socket is not { Length: > 0 } || socket.Contains('\0')) return false;
            if (isOfControl && OperatingSystem.IsWindows()) return true;
            socket = binder.Resolve(socket);
            if (IsUnfit(socket))
                binder.Report(node, $"{path} is the socket {socket}: expected {ExpectedFor(socket)}");
            return true;
        }, socket => socket).Limit("minLength", 1);

    /// <summary>What is expected in place of an unfit path.</summary>
    public static string ExpectedFor(string path) =>
        $"a path of 1 to {MaxOctets} octets, and this one has {Encoding.UTF8.GetByteCount(path)}";
}
