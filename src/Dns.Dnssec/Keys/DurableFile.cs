namespace Dns.Dnssec.Keys;

/// <summary>Writes a file atomically: a temporary one beside it is flushed to the disk, then renamed.</summary>
internal static class DurableFile
{
    internal const string TemporaryExtension = ".tmp";

    private const UnixFileMode Owner = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    /// <summary>Writes a file, and replaces an existing one.</summary>
    /// <param name="isPrivate">Whether only its owner may read it.</param>
    /// <param name="files">The file system; null = the real one.</param>
    /// <exception cref="IOException">It could not be written; the file is unchanged.</exception>
    internal static void Write(string path, ReadOnlySpan<byte> octets, bool isPrivate, IJournalFiles? files = null)
    {
        string temporary = path + TemporaryExtension;
        if (files is not null)
        {
            WriteTo(files, path, octets);
            return;
        }
        // A file created by another process could be open to others.
        File.Delete(temporary);
        FileStreamOptions options =
            new() { Mode = FileMode.CreateNew, Access = FileAccess.Write, Share = FileShare.None, BufferSize = 0 };
        if (!OperatingSystem.IsWindows())
            options.UnixCreateMode = isPrivate ? Owner : Owner | UnixFileMode.GroupRead | UnixFileMode.OtherRead;
        FileStream stream = new(temporary, options);
        try
        {
            using (stream)
            {
                stream.Write(octets);
                stream.Flush(flushToDisk: true);
            }
            File.Move(temporary, path, overwrite: true);
        }
        catch
        {
            File.Delete(temporary);
            throw;
        }
        DirectorySync.Flush(Path.GetDirectoryName(Path.GetFullPath(path))!);
    }

    private static void WriteTo(IJournalFiles files, string path, ReadOnlySpan<byte> octets)
    {
        string temporary = path + TemporaryExtension;
        files.Delete(temporary);
        IJournalFile file = files.Create(temporary);
        try
        {
            using (file)
            {
                file.Write(0, octets);
                file.Flush();
            }
            files.Move(temporary, path);
        }
        catch
        {
            files.Delete(temporary);
            throw;
        }
    }
}
