using System.Diagnostics;
using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;

namespace Dns.Files;

/// <summary>
/// Marks a directory as used by this process: an exclusive lock (flock(2); on Windows the file is not shared) on file
/// <c>lock</c> in it, which the system releases when the process ends. A symlink there is not followed. A file system
/// without locks grants it to all.
/// </summary>
public sealed class DirectoryLock : IDisposable
{
    /// <summary>The name of the file, which is empty and stays.</summary>
    public const string FileName = "lock";

    // What Linux appends to the path of an open file that was deleted.
    private const string Deleted = " (deleted)";

    // EWOULDBLOCK of macOS, ERROR_SHARING_VIOLATION of Windows.
    private const int LockedOnMac = 35, LockedOnWindows = unchecked((int)0x80070020);

    private const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite;
    private const string Symlink = "it is a symlink, which is not followed";

    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(50);

    private readonly IDisposable _file;

    private DirectoryLock(IDisposable file) => _file = file;

    /// <summary>Takes the lock, if the directory exists and this user may write to it.</summary>
    /// <param name="isOfAnother">Whether another process has it.</param>
    /// <param name="fault">Why this user may not lock an existing directory, if that is the reason.</param>
    /// <param name="patience">How long to try again while another process has it.</param>
    /// <returns>The lock, until it is disposed; null if it was not taken.</returns>
    public static DirectoryLock? TryTake(
        string directory, out bool isOfAnother, out string? fault, TimeSpan patience = default)
    {
        long begun = Stopwatch.GetTimestamp();
        DirectoryLock? taken;
        // There is no event for the release of a lock.
        while ((taken = TryOnce(directory, out isOfAnother, out fault)) is null && isOfAnother
            && Stopwatch.GetElapsedTime(begun) < patience) Thread.Sleep(Interval);
        return taken;
    }

    /// <summary>
    /// Whether a process may have the lock: it has the file open, or its files are unknown, as those of another user.
    /// </summary>
    public static bool MayBeOf(int process, string directory) =>
        !OperatingSystem.IsLinux() || FileCalls.FactsOf(Path.Combine(directory, FileName)) is not { } file
            || MayHaveOpened(process, file);

    /// <summary>The directory that a server has locked; null if there is none, or its files are unknown.</summary>
    /// <param name="isGone">Whether the lock was deleted since, alone or with its directory.</param>
    public static string? DirectoryOf(int process, out bool isGone)
    {
        isGone = false;
        if (!OperatingSystem.IsLinux()) return null;
        try
        {
            string? found = Directory.EnumerateFileSystemEntries($"/proc/{process}/fd")
                .Select(path => new FileInfo(path).LinkTarget)
                .FirstOrDefault(path => Path.GetFileName(path) is FileName or FileName + Deleted);
            isGone = found?.EndsWith(Deleted, StringComparison.Ordinal) == true;
            return Path.GetDirectoryName(found);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    [SupportedOSPlatform("linux")]
    private static bool MayHaveOpened(int process, FileFacts file)
    {
        try
        {
            FileFacts[] open = [.. Directory.EnumerateFileSystemEntries($"/proc/{process}/fd")
                .Select(path => FileCalls.FactsOf(path, follows: true)).OfType<FileFacts>()];
            return open.Length == 0 || Array.Exists(open, one => one.Identity == file.Identity);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return true;
        }
    }

    private static DirectoryLock? TryOnce(string directory, out bool isOfAnother, out string? fault)
    {
        (isOfAnother, fault) = (false, null);
        string path = Path.Combine(directory, FileName);
        try
        {
            IDisposable? file = OperatingSystem.IsLinux() ? TryOpenOnLinux(path) : TryOpen(path);
            isOfAnother = file is null;
            return file is null ? null : new DirectoryLock(file);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            if (Directory.Exists(directory)) fault = error.Message;
            return null;
        }
    }

    [SupportedOSPlatform("linux")]
    private static SafeFileHandle? TryOpenOnLinux(string path)
    {
        SafeFileHandle file = FileCalls.Open(path, FileCalls.ReadWrite | FileCalls.Create, OwnerOnly, out int error)
            ?? throw new IOException(
                $"{path}: {(error == FileCalls.TooManyLinks ? Symlink : FileCalls.Describe(error))}");
        if (FileCalls.TryLock(file)) return file;
        file.Dispose();
        return null;
    }

    private static FileStream? TryOpen(string path)
    {
        if (new FileInfo(path).LinkTarget is not null) throw new IOException($"{path}: {Symlink}");
        FileStreamOptions options =
            new() { Mode = FileMode.OpenOrCreate, Access = FileAccess.ReadWrite, Share = FileShare.None };
        if (!OperatingSystem.IsWindows()) options.UnixCreateMode = OwnerOnly;
        try
        {
            return new FileStream(path, options);
        }
        catch (IOException error) when (error.HResult is LockedOnMac or LockedOnWindows)
        {
            return null;
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (OperatingSystem.IsLinux() && _file is SafeFileHandle { IsClosed: false } open) FileCalls.Unlock(open);
        _file.Dispose();
    }
}
