namespace Dns.Management.Control;

/// <summary>
/// The paths of control sockets. Each server's is named after its first port, so that several on one machine do not
/// collide: <c>control-53.sock</c> in the first of <c>$RUNTIME_DIRECTORY</c>, <c>/run/dnsd</c> and a directory of the
/// user below the one for temporary files.
/// </summary>
public static class ControlPaths
{
    private const string Prefix = "control-";
    private const string Suffix = ".sock";
    private const string SystemDirectory = "/run/dnsd";

    /// <summary>The default path of a server; null without a suitable directory.</summary>
    public static string? Choose(IReadOnlyList<IPEndPoint> endPoints) => Choose(endPoints, Directories());

    /// <summary>As above, in the first suitable one of given directories.</summary>
    internal static string? Choose(IReadOnlyList<IPEndPoint> endPoints, IEnumerable<string> directories)
    {
        string name = Prefix + (endPoints.Count == 0 ? 0 : endPoints[0].Port) + Suffix;
        if (OperatingSystem.IsWindows()) return "dnsd-" + Path.GetFileNameWithoutExtension(name);
        foreach (string directory in directories)
            if (Path.Combine(directory, name) is var path && !SocketPath.IsUnfit(path) && IsFit(directory)) return path;
        return null;
    }

    /// <summary>All control sockets at these paths, or those with a port; including dead ones.</summary>
    public static IReadOnlyList<string> FindAll(int? port = null)
    {
        string number = port?.ToString(System.Globalization.CultureInfo.InvariantCulture) ?? "*";
        if (OperatingSystem.IsWindows())
            return [.. Directory.EnumerateFiles(@"\\.\pipe\", "dnsd-" + Prefix + number)
                .Select(path => Path.GetFileName(path))];
        List<string> found = [];
        foreach (string directory in Directories().Distinct())
        {
            try
            {
                found.AddRange(Directory.EnumerateFiles(directory, Prefix + number + Suffix)
                    .Where(path => !SocketPath.IsUnfit(path)).Order());
            }
            catch (Exception error) when (error is IOException or UnauthorizedAccessException)
            {
                // It does not exist, or is not readable.
            }
        }
        return found;
    }

    /// <summary>Whether Windows has a named pipe.</summary>
    public static bool HasPipe(string name) =>
        Directory.EnumerateFiles(@"\\.\pipe\").Any(path => Path.GetFileName(path) == name);

    /// <summary>A directory of control sockets that is not readable; null if none.</summary>
    public static string? FindDenied()
    {
        if (OperatingSystem.IsWindows()) return null;
        foreach (string directory in Directories())
        {
            try
            {
                foreach (string _ in Directory.EnumerateFiles(directory)) break;
            }
            catch (UnauthorizedAccessException)
            {
                return directory;
            }
            catch (IOException)
            {
                // It does not exist.
            }
        }
        return null;
    }

    /// <summary>Whether a socket has a default path.</summary>
    public static bool IsAutomatic(string path) => Directories().Contains(Path.GetDirectoryName(path));

    /// <summary>Deletes leftover sockets of servers that were killed.</summary>
    public static void DropDead()
    {
        if (OperatingSystem.IsWindows()) return;
        foreach (string path in FindAll())
        {
            try
            {
                // A recent one may belong to a server that does not listen yet.
                bool isOld =
                    TimeProvider.System.GetUtcNow() - File.GetLastWriteTimeUtc(path) > TimeSpan.FromMinutes(1);
                if (isOld && UnixControlListener.IsSocket(path) && !UnixControlListener.IsAlive(path))
                    File.Delete(path);
            }
            catch (Exception error) when (error is IOException or UnauthorizedAccessException)
            {
                // Permission denied.
            }
        }
    }

    private static IEnumerable<string> Directories()
    {
        // systemd separates several by colons.
        if (Environment.GetEnvironmentVariable("RUNTIME_DIRECTORY") is { Length: > 0 } given)
            yield return given.Split(':')[0];
        yield return SystemDirectory;
        yield return OwnDirectory;
    }

    private static string OwnDirectory => Path.Combine(Path.GetTempPath(), "dnsd-" + Environment.UserName);

    private static bool IsFit(string directory)
    {
        if (OperatingSystem.IsWindows()) return false;
        bool isOwn = directory == OwnDirectory;
        const UnixFileMode owner = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute;
        const UnixFileMode group = UnixFileMode.GroupRead | UnixFileMode.GroupExecute;
        try
        {
            // A directory writable by others, or a symlink placed by them, is not suitable.
            DirectoryInfo found = Directory.CreateDirectory(directory, isOwn ? owner : owner | group);
            if (isOwn && (found.LinkTarget is not null || File.GetUnixFileMode(directory) != owner)) return false;
            string probe = Path.Combine(directory, "probe");
            if (isOwn && ExclusiveFile.IsShared(probe)) return false;
            ExclusiveFile.TryReplace(probe, []);
            return true;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }
}
