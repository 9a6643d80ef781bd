using Microsoft.Win32.SafeHandles;

namespace Dns.Files;

/// <summary>
/// Opens the files that the server writes and reads again, so that another user of the machine cannot have it destroy,
/// fill or believe a file of their choice:
/// <list type="bullet">
/// <item>a symlink as the last component is never followed, outside <c>/dev</c> and <c>/proc</c>;</item>
/// <item>in a directory that others may write to, an existing file has to be our own, or the directory's owner's if
/// that is the only other, with one name (as protected_regular of proc_sys_fs(5), on every system and for every type of
/// file);</item>
/// <item>a file is replaced by one beside it with a random name, made with O_EXCL, and a rename;</item>
/// <item>new files have mode 0600.</item>
/// </list>
/// Every fault but that of missing rights is an <see cref="IOException"/> that says what to do.
/// </summary>
public static class ExclusiveFile
{
    /// <summary>Files of one name that are rotated within a second.</summary>
    private const int MaxOfSecond = 100;

    private const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite;
    private const string Symlink = "it is a symlink, which is not followed: set the path of the file itself";
    private const string Foreign =
        "its directory is open to others, and it belongs to another user or has several names";

    /// <summary>Opens a file at its end, for writing; it is made if there is none.</summary>
    /// <exception cref="IOException">It cannot be opened, or is not ours.</exception>
    public static FileStream OpenToAppend(string path)
    {
        if (!OperatingSystem.IsLinux() || IsOfSystem(path))
        {
            if (!IsOfSystem(path)) RefuseSymlink(path);
            return MoveToEnd(new FileStream(path, OptionsOf(FileMode.OpenOrCreate, FileAccess.Write)));
        }
        // A pipe without a reader is an error, not a wait.
        SafeFileHandle handle =
            Open(path, FileCalls.WriteOnly | FileCalls.Create | FileCalls.Append | FileCalls.NonBlocking);
        return MoveToEnd(new FileStream(handle, FileAccess.Write, bufferSize: 0));
    }

    /// <summary>Opens a file for reading.</summary>
    /// <exception cref="FileNotFoundException">There is none.</exception>
    /// <exception cref="UnauthorizedAccessException">This user may not read it.</exception>
    /// <exception cref="IOException">It cannot be opened, is not regular, or others may have written it.</exception>
    public static FileStream OpenToRead(string path)
    {
        if (!OperatingSystem.IsLinux())
        {
            RefuseSymlink(path);
            return File.OpenRead(path);
        }
        SafeFileHandle handle = Open(path, FileCalls.NonBlocking);
        if (FileCalls.FactsOf(handle) is { IsRegular: true, IsOpenToAll: false })
            return new FileStream(handle, FileAccess.Read, 64 * 1024);
        handle.Dispose();
        throw new IOException("it is no regular file, or all users may write to it");
    }

    /// <summary>Writes a file beside another and puts it in its place, so that there is always a whole one.</summary>
    /// <param name="path">The file that is replaced; there may be none.</param>
    /// <param name="beginning">The first octets of ours: a file that begins otherwise is not replaced.</param>
    /// <exception cref="IOException">It cannot be written; nothing has changed.</exception>
    public static void Replace(string path, ReadOnlySpan<byte> beginning, Action<FileStream> write)
    {
        RefuseOthers(path, beginning);
        DurableFile.Replace(path, write);
    }

    /// <summary>Finds out whether <see cref="Replace"/> would be possible; nothing is left behind.</summary>
    /// <exception cref="IOException">It would not.</exception>
    public static void TryReplace(string path, ReadOnlySpan<byte> beginning)
    {
        RefuseOthers(path, beginning);
        DurableFile.TryReplace(path);
    }

    /// <summary>Why a file cannot be written to, as far as known without opening it; null = nothing is known.</summary>
    public static string? FindFault(string path)
    {
        if (!OperatingSystem.IsLinux() || IsOfSystem(path) || FileCalls.FactsOf(path) is not { } facts) return null;
        if (facts.IsSymlink) return IsShared(path) ? Symlink : null;
        return facts.IsDirectory ? "it is a directory" : IsForeign(path, facts) ? Foreign : null;
    }

    /// <summary>Whether users other than root may put files of theirs into the directory of a path.</summary>
    public static bool IsShared(string path) =>
        OperatingSystem.IsLinux() && FactsOfDirectory(path) is { } facts &&
            (facts.IsOpenToAll || !facts.IsOf(FileCalls.EffectiveUser()));

    /// <summary>Moves a file that begins as ours to a name with the time, so that a new one can begin.</summary>
    /// <param name="path">The file; nothing happens if there is none, or it is empty.</param>
    /// <exception cref="IOException">It is another kind of file, or not ours.</exception>
    public static void Rotate(string path, ReadOnlySpan<byte> beginning, DateTimeOffset now)
    {
        // What has no length, such as a pipe or a device, is not opened for reading: that could wait.
        FileInfo found = new(path);
        if (found.LinkTarget is null && (!found.Exists || found.Length == 0)) return;
        RefuseOthers(path, beginning);
        string rotated = path + "." + now.UtcDateTime.ToString("yyyyMMdd'T'HHmmss'Z'", CultureInfo.InvariantCulture);
        string free = rotated;
        for (int i = 1; Path.Exists(free) && i < MaxOfSecond; i++) free = $"{rotated}-{i}";
        File.Move(path, free, overwrite: false);
    }

    /// <summary>Devices and the descriptors of the process: symlinks that only root or the process can make.</summary>
    public static bool IsOfSystem(string path) =>
        path.StartsWith("/dev/", StringComparison.Ordinal) && !path.StartsWith("/dev/shm/", StringComparison.Ordinal)
        || path.StartsWith("/proc/", StringComparison.Ordinal);

    private static void RefuseOthers(string path, ReadOnlySpan<byte> beginning)
    {
        if (!File.Exists(path) && new FileInfo(path).LinkTarget is null) return;
        using FileStream file = OpenToRead(path);
        if (file.Length > 0 && !BeginsWith(file, beginning))
            throw new IOException("it is another kind of file, and not replaced");
    }

    public static bool BeginsWith(FileStream file, ReadOnlySpan<byte> beginning)
    {
        byte[] first = new byte[beginning.Length];
        return file.ReadAtLeast(first, first.Length, throwOnEndOfStream: false) == first.Length &&
            beginning.SequenceEqual(first);
    }

    private static FileStreamOptions OptionsOf(FileMode mode, FileAccess access)
    {
        FileStreamOptions options = new()
        {
            Mode = mode,
            Access = access,
            Share = FileShare.ReadWrite | FileShare.Delete,
            BufferSize = 0,
        };
        if (!OperatingSystem.IsWindows()) options.UnixCreateMode = OwnerOnly;
        return options;
    }

    private static FileStream MoveToEnd(FileStream file)
    {
        if (file.CanSeek) file.Seek(0, SeekOrigin.End);
        return file;
    }

    private static void RefuseSymlink(string path)
    {
        if (new FileInfo(path).LinkTarget is not null) throw new IOException(Symlink);
    }

    [System.Runtime.Versioning.SupportedOSPlatform("linux")]
    private static SafeFileHandle Open(string path, int flags)
    {
        SafeFileHandle handle = FileCalls.Open(path, flags, OwnerOnly, out int error) ?? throw error switch
        {
            FileCalls.TooManyLinks => new IOException(Symlink),
            FileCalls.NoEntry when (flags & FileCalls.Create) == 0 => new FileNotFoundException("it does not exist"),
            FileCalls.Denied => new UnauthorizedAccessException(FileCalls.Describe(error)),
            FileCalls.NoEntry or FileCalls.NotDirectory =>
                new DirectoryNotFoundException("its directory does not exist"),
            FileCalls.NoDevice => new IOException("it is a pipe that no program reads"),
            _ => new IOException(FileCalls.Describe(error)),
        };
        if (FileCalls.FactsOf(handle) is not { } facts || !IsForeign(path, facts)) return handle;
        handle.Dispose();
        throw new IOException(Foreign);
    }

    [System.Runtime.Versioning.SupportedOSPlatform("linux")]
    private static bool IsForeign(string path, FileFacts facts)
    {
        if (!IsShared(path) || FactsOfDirectory(path) is not { } directory) return false;
        // The owner of a directory closed to others was trusted with the path: a service whose settings root checks.
        bool isOfOwner =
            facts.User == FileCalls.EffectiveUser() || !directory.IsOpenToAll && facts.User == directory.User;
        return !isOfOwner || facts.IsRegular && facts.Links > 1;
    }

    [System.Runtime.Versioning.SupportedOSPlatform("linux")]
    private static FileFacts? FactsOfDirectory(string path) =>
        // The directory itself may be reached by a symlink: then its target counts.
        Path.GetDirectoryName(Path.GetFullPath(path)) is { } directory ? FileCalls.FactsOf(directory + "/.") : null;
}
