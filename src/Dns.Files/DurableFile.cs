namespace Dns.Files;

/// <summary>
/// Replaces a whole file: a new one beside it is flushed to disk, renamed over it, and the directory is flushed. A
/// reader finds the previous content or the new one, also after a power failure.
/// </summary>
public static class DurableFile
{
    /// <summary>The ending of the new file while octets are written to it.</summary>
    public const string TemporaryExtension = ".tmp";

    private const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite;
    private const UnixFileMode Readable = OwnerOnly | UnixFileMode.GroupRead | UnixFileMode.OtherRead;

    /// <summary>Replaces a file by what is written to a stream. The new file has a random name that begins with a dot.
    /// </summary>
    /// <param name="path">The file; there may be none.</param>
    /// <param name="write">Writes the content. What it throws ends the replacement.</param>
    /// <param name="isPrivate">Whether only its owner may read it.</param>
    /// <param name="previous">Where the previous file is kept; null = nowhere.</param>
    /// <exception cref="IOException">It could not be written; the file is unchanged.</exception>
    public static void Replace(string path, Action<FileStream> write, bool isPrivate = true, string? previous = null)
    {
        string aside = NameBeside(path);
        try
        {
            using (FileStream stream = Create(aside, isPrivate))
            {
                write(stream);
                stream.Flush(flushToDisk: true);
            }
            if (previous is not null && File.Exists(path)) File.Replace(aside, path, previous, true);
            else File.Move(aside, path, overwrite: true);
        }
        catch
        {
            TryDelete(aside);
            throw;
        }
        DirectorySync.Flush(DirectoryOf(path));
    }

    /// <summary>Replaces a file by octets, which are copied into no buffer: they may be a secret.</summary>
    /// <param name="path">The file; there may be none.</param>
    /// <param name="isPrivate">Whether only its owner may read it.</param>
    /// <param name="files">A file system that makes every file private; null = the real one.</param>
    /// <exception cref="IOException">It could not be written; the file is unchanged.</exception>
    public static void Write(string path, ReadOnlySpan<byte> octets, bool isPrivate, IJournalFiles? files = null)
    {
        string temporary = path + TemporaryExtension;
        files ??= new DiskFiles(DirectorySync.Flush, mode: isPrivate ? OwnerOnly : Readable);
        // A file made by another process could be open to others.
        files.Delete(temporary);
        try
        {
            using (IJournalFile file = files.Create(temporary))
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

    /// <summary>Finds out whether <see cref="Replace"/> could make its new file; nothing is left behind.</summary>
    /// <exception cref="IOException">It could not.</exception>
    public static void TryReplace(string path)
    {
        string aside = NameBeside(path);
        Create(aside, isPrivate: true).Dispose();
        TryDelete(aside);
    }

    private static FileStream Create(string path, bool isPrivate)
    {
        FileStreamOptions options = new()
        {
            Mode = FileMode.CreateNew, Access = FileAccess.Write, Share = FileShare.None, BufferSize = 64 * 1024,
        };
        if (!OperatingSystem.IsWindows()) options.UnixCreateMode = isPrivate ? OwnerOnly : null;
        return new FileStream(path, options);
    }

    /// <summary>A name that cannot be foreseen, in the directory of a path.</summary>
    private static string NameBeside(string path) =>
        Path.Join(Path.GetDirectoryName(path), $".{Path.GetFileName(path)}.{Guid.NewGuid():N}");

    private static string DirectoryOf(string path) => Path.GetDirectoryName(Path.GetFullPath(path))!;

    private static void TryDelete(string path)
    {
        try
        {
            File.Delete(path);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // Then it could not be made either.
        }
    }
}
