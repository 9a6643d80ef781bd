using System.Security.Cryptography;

namespace Dns.Management.Operations;

/// <summary>Writes a zone over its master file atomically, and keeps the previous file beside it.</summary>
public static class ZoneFileWriter
{
    /// <summary>Writes it, and returns the path of the previous file. It is on disk when this returns.</summary>
    /// <param name="path">The file; for a symlink its target.</param>
    /// <param name="wasEdited">Whether the previous file has changes of the operator that are nowhere else.</param>
    /// <exception cref="IOException">It cannot be written; the file is unchanged.</exception>
    public static string Write(string path, Zone zone, bool wasEdited)
    {
        try
        {
            string file = TargetOf(path);
            string backup = wasEdited ? FindFree(file + PreviousZoneFiles.EditedEnding) : BackupOf(path);
            string directory = Path.GetDirectoryName(file)!;
            // No zone directory has a file whose name begins with a dot.
            string aside = Path.Join(directory,
                $".{Path.GetFileName(file)}.{RandomNumberGenerator.GetHexString(16, lowercase: true)}");
            try
            {
                Write(file, aside, zone);
                if (File.Exists(file)) File.Replace(aside, file, backup, ignoreMetadataErrors: true);
                else File.Move(aside, file);
            }
            catch
            {
                File.Delete(aside);
                throw;
            }
            DirectorySync.Flush(directory);
            return backup;
        }
        catch (Exception error) when (error is UnauthorizedAccessException or IOException)
        {
            throw new IOException($"{path}: {error.Message.ReplaceLineEndings(" ")}", error);
        }
    }

    /// <summary>Where the previous file is kept, unless it was edited.</summary>
    /// <exception cref="IOException">The path is a symlink that cannot be followed.</exception>
    public static string BackupOf(string path)
    {
        try
        {
            return TargetOf(path) + PreviousZoneFiles.BackupEnding;
        }
        catch (UnauthorizedAccessException error)
        {
            throw new IOException($"{path}: {error.Message}", error);
        }
    }

    private static string TargetOf(string path)
    {
        try
        {
            return new FileInfo(path).ResolveLinkTarget(returnFinalTarget: true)?.FullName ?? Path.GetFullPath(path);
        }
        catch (Exception error) when (error is FileNotFoundException or DirectoryNotFoundException)
        {
            // A file that was removed is written again.
            return Path.GetFullPath(path);
        }
    }

    private static string FindFree(string path)
    {
        string free = path;
        for (int number = 2; File.Exists(free); number++) free = $"{path}.{number}";
        return free;
    }

    private static void Write(string file, string aside, Zone zone)
    {
        FileStreamOptions options = new() { Mode = FileMode.CreateNew, Access = FileAccess.Write, BufferSize = 0 };
        UnixFileMode? mode = !OperatingSystem.IsWindows() && File.Exists(file) ? File.GetUnixFileMode(file) : null;
        if (!OperatingSystem.IsWindows() && mode is not null)
            options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        using FileStream stream = new(aside, options);
        if (OperatingSystem.IsLinux() && FileCalls.FactsOf(file) is { } facts)
            FileCalls.Give(stream.SafeFileHandle, facts.User, facts.Group);
        // That of its creation would lack what the umask of the service takes away.
        if (!OperatingSystem.IsWindows() && mode is { } kept) File.SetUnixFileMode(stream.SafeFileHandle, kept);
        ZoneDump.Write(zone, stream);
        stream.Flush(flushToDisk: true);
    }
}
