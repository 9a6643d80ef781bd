namespace Dns.Dnssec;

/// <summary>Writes a file whole or not at all: a temporary one beside it is flushed to the disk, then renamed.</summary>
internal static class DurableFile
{
    private const UnixFileMode Owner = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    /// <summary>Writes a file.</summary>
    /// <param name="path">The file; one that is there is replaced.</param>
    /// <param name="octets">What it holds.</param>
    /// <param name="isPrivate">Whether only its owner may read it.</param>
    /// <exception cref="IOException">It could not be written; the file is as it was.</exception>
    internal static void Write(string path, ReadOnlySpan<byte> octets, bool isPrivate)
    {
        string temporary = path + ".tmp";
        // A file that another process made could be open to others.
        File.Delete(temporary);
        FileStreamOptions options = new() { Mode = FileMode.CreateNew, Access = FileAccess.Write, Share = FileShare.None, BufferSize = 0 };
        if (!OperatingSystem.IsWindows())
            options.UnixCreateMode = isPrivate ? Owner : Owner | UnixFileMode.GroupRead | UnixFileMode.OtherRead;
        try
        {
            using (FileStream stream = new(temporary, options))
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
        FolderSync.Flush(Path.GetDirectoryName(Path.GetFullPath(path))!);
    }
}
