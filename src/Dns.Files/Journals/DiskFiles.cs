using Microsoft.Win32.SafeHandles;

namespace Dns.Files.Journals;

/// <summary>The files of the state directory on disk, with O_NOFOLLOW.</summary>
/// <param name="flushDirectory">Flushes the entries of a directory, with an <see cref="IOException"/> on failure; null
/// if renames need not survive a power failure.</param>
/// <param name="flushes">Whether files are flushed; false if they need not survive a power failure.</param>
/// <param name="mode">The mode of new files.</param>
public sealed class DiskFiles(
    Action<string>? flushDirectory = null,
    bool flushes = true,
    UnixFileMode mode = UnixFileMode.UserRead | UnixFileMode.UserWrite) : IJournalFiles
{
    /// <inheritdoc/>
    public bool Exists(string path) => File.Exists(path);

    /// <inheritdoc/>
    public IReadOnlyList<string> List(string directory) => Try<IReadOnlyList<string>>(() =>
    {
        try
        {
            return [.. Directory.EnumerateFiles(directory).Select(path => Path.GetFileName(path))];
        }
        catch (DirectoryNotFoundException)
        {
            return [];
        }
    });

    /// <inheritdoc/>
    public bool TryOpen(string path, [NotNullWhen(true)] out IJournalFile? file)
    {
        file = null;
        try
        {
            if (new FileInfo(path).LinkTarget is not null)
                throw new IOException($"{path}: it is a symlink, which is not followed");
            file = Open(path);
            return true;
        }
        catch (Exception error) when (error is FileNotFoundException or DirectoryNotFoundException)
        {
            return false;
        }
        catch (UnauthorizedAccessException error)
        {
            throw new IOException(error.Message, error);
        }
    }

    /// <inheritdoc/>
    public IJournalFile Create(string path) => Try(() =>
    {
        string directory = Path.GetDirectoryName(path)!;
        if (!Directory.Exists(directory)) MakeDirectory(directory);
        FileStreamOptions options = new()
        {
            Mode = FileMode.CreateNew, Access = FileAccess.ReadWrite, Share = FileShare.ReadWrite | FileShare.Delete,
            BufferSize = 0,
        };
        if (!OperatingSystem.IsWindows()) options.UnixCreateMode = mode;
        return (IJournalFile)new OpenStream(new FileStream(path, options), flushes);
    });

    /// <inheritdoc/>
    public void Move(string from, string to) => Try(() =>
    {
        File.Move(from, to, overwrite: true);
        FlushDirectoryOf(to);
        return true;
    });

    /// <inheritdoc/>
    public void Delete(string path) => Try(() =>
    {
        if (!File.Exists(path)) return false;
        File.Delete(path);
        FlushDirectoryOf(path);
        return true;
    });

    /// <summary>Opens for reading only where writing is impossible; a write then fails with the reason.</summary>
    private OpenFile Open(string path)
    {
        const FileShare share = FileShare.ReadWrite | FileShare.Delete;
        try
        {
            return new OpenFile(File.OpenHandle(path, FileMode.Open, FileAccess.ReadWrite, share), flushes);
        }
        catch (Exception error) when (error is UnauthorizedAccessException
            or IOException and not (FileNotFoundException or DirectoryNotFoundException))
        {
            return new OpenFile(File.OpenHandle(path, FileMode.Open, FileAccess.Read, share), flushes, error);
        }
    }

    private void MakeDirectory(string directory)
    {
        if (Path.GetDirectoryName(directory) is { Length: > 0 } parent && !Directory.Exists(parent))
            MakeDirectory(parent);
        if (OperatingSystem.IsWindows()) Directory.CreateDirectory(directory);
        else Directory.CreateDirectory(directory,
            UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        FlushDirectoryOf(directory);
    }

    private void FlushDirectoryOf(string path)
    {
        if (Path.GetDirectoryName(path) is { Length: > 0 } directory) flushDirectory?.Invoke(directory);
    }

    private static T Try<T>(Func<T> action)
    {
        try
        {
            return action();
        }
        catch (UnauthorizedAccessException error)
        {
            throw new IOException(error.Message, error);
        }
    }

    /// <param name="writeFault">Why it is open for reading only; null if it is not.</param>
    private sealed class OpenFile(SafeFileHandle handle, bool flushes, Exception? writeFault = null) : IJournalFile
    {
        public long Length => RandomAccess.GetLength(handle);

        public int Read(long position, Span<byte> destination)
        {
            int total = 0;
            while (total < destination.Length)
            {
                int octets = RandomAccess.Read(handle, destination[total..], position + total);
                if (octets == 0) break;
                total += octets;
            }
            return total;
        }

        public void Write(long position, ReadOnlySpan<byte> octets)
        {
            RequireWritable();
            try
            {
                RandomAccess.Write(handle, octets, position);
            }
            catch (UnauthorizedAccessException error)
            {
                throw new IOException(error.Message, error);
            }
        }

        public void SetLength(long length) => Try(() =>
        {
            RequireWritable();
            RandomAccess.SetLength(handle, length);
            return true;
        });

        public void Flush()
        {
            if (flushes) RandomAccess.FlushToDisk(handle);
        }

        public void Dispose() => handle.Dispose();

        // The system's error for such a handle is "Invalid argument".
        private void RequireWritable()
        {
            if (writeFault is not null) throw new IOException(writeFault.Message, writeFault);
        }
    }

    /// <summary>A new file: only a stream can set the mode of a new file.</summary>
    private sealed class OpenStream(FileStream stream, bool flushes) : IJournalFile
    {
        private readonly OpenFile _file = new(stream.SafeFileHandle, flushes);

        public long Length => _file.Length;

        public int Read(long position, Span<byte> destination) => _file.Read(position, destination);

        public void Write(long position, ReadOnlySpan<byte> octets) => _file.Write(position, octets);

        public void SetLength(long length) => _file.SetLength(length);

        public void Flush() => _file.Flush();

        public void Dispose() => stream.Dispose();
    }
}
