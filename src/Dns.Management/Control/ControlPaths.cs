using System.Net;

namespace Dns.Management;

/// <summary>
/// Where control sockets are. Each server's is named after its first port, so that several on one machine do not collide:
/// <c>control-53.sock</c> in the first of <c>$RUNTIME_DIRECTORY</c>, <c>/run/dnsd</c> and a directory of the user's own below
/// the one for temporary files.
/// </summary>
internal static class ControlPaths
{
    private const string Prefix = "control-";
    private const string Suffix = ".sock";
    private const string SystemDirectory = "/run/dnsd";

    /// <summary>The place of a server that is to choose one itself; null if no directory is fit for it.</summary>
    /// <param name="endPoints">Where it listens.</param>
    public static string? Choose(IReadOnlyList<IPEndPoint> endPoints)
    {
        string name = Prefix + (endPoints.Count == 0 ? 0 : endPoints[0].Port) + Suffix;
        if (OperatingSystem.IsWindows()) return "dnsd-" + Path.GetFileNameWithoutExtension(name);
        foreach (string directory in Directories())
            if (IsFit(directory)) return Path.Combine(directory, name);
        return null;
    }

    /// <summary>All control sockets in these places, or those of a port; dead ones included.</summary>
    public static IReadOnlyList<string> FindAll(int? port = null)
    {
        string number = port?.ToString(System.Globalization.CultureInfo.InvariantCulture) ?? "*";
        if (OperatingSystem.IsWindows())
            return [.. Directory.EnumerateFiles(@"\\.\pipe\", "dnsd-" + Prefix + number).Select(path => Path.GetFileName(path))];
        List<string> found = [];
        foreach (string directory in Directories().Distinct())
        {
            try
            {
                found.AddRange(Directory.EnumerateFiles(directory, Prefix + number + Suffix).Order());
            }
            catch (Exception error) when (error is IOException or UnauthorizedAccessException)
            {
                // It does not exist, or is not readable.
            }
        }
        return found;
    }

    /// <summary>A directory of control sockets that the system does not let us look into; null if there is none.</summary>
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
                // There is none.
            }
        }
        return null;
    }

    /// <summary>Whether a socket is where servers put theirs when the settings name no place.</summary>
    public static bool IsAutomatic(string place) => Directories().Contains(Path.GetDirectoryName(place));

    /// <summary>Deletes sockets that servers which ended hard have left behind, so that they do not pile up.</summary>
    public static void DropDead()
    {
        if (OperatingSystem.IsWindows()) return;
        foreach (string place in FindAll())
        {
            try
            {
                // A young one may be that of a server which does not listen yet.
                bool isOld = TimeProvider.System.GetUtcNow() - File.GetLastWriteTimeUtc(place) > TimeSpan.FromMinutes(1);
                if (isOld && UnixControlListener.IsSocket(place) && !UnixControlListener.IsAlive(place)) File.Delete(place);
            }
            catch (Exception error) when (error is IOException or UnauthorizedAccessException)
            {
                // Not ours to delete.
            }
        }
    }

    private static IEnumerable<string> Directories()
    {
        // systemd separates several by colons.
        if (Environment.GetEnvironmentVariable("RUNTIME_DIRECTORY") is { Length: > 0 } given) yield return given.Split(':')[0];
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
            // What others may write to, or a link that they have laid, is no place for it.
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
