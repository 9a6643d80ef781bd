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
            DurableFile.Replace(file, stream => Write(file, stream, zone), isPrivate: File.Exists(file), backup);
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

    /// <summary>Gives the new file owner and mode of the previous one; a first one has those of its creation.</summary>
    private static void Write(string file, FileStream stream, Zone zone)
    {
        if (OperatingSystem.IsLinux() && FileCalls.FactsOf(file) is { } facts)
            FileCalls.Give(stream.SafeFileHandle, facts.User, facts.Group);
        // That of its creation would lack what the umask of the service takes away.
        if (!OperatingSystem.IsWindows() && File.Exists(file))
            File.SetUnixFileMode(stream.SafeFileHandle, File.GetUnixFileMode(file));
        ZoneDump.Write(zone, stream);
    }
}
