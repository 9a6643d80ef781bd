using System.Diagnostics;

namespace Dns.Files;

/// <summary>
/// Marks a directory as used by this process: an exclusive lock (flock(2); on Windows the file is not shared) on file
/// <c>lock</c> in it, which the system releases when the process ends. A file system without locks grants it to all.
/// </summary>
internal sealed class DirectoryLock : IDisposable
{
    /// <summary>The name of the file, which is empty and stays.</summary>
    public const string FileName = "lock";

    // EWOULDBLOCK of Linux and of macOS, ERROR_SHARING_VIOLATION of Windows.
    private const int LockedOnLinux = 11, LockedOnMac = 35, LockedOnWindows = unchecked((int)0x80070020);

    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(50);

    private readonly FileStream _file;

    private DirectoryLock(FileStream file) => _file = file;

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

    private static DirectoryLock? TryOnce(string directory, out bool isOfAnother, out string? fault)
    {
        (isOfAnother, fault) = (false, null);
        FileStreamOptions options =
            new() { Mode = FileMode.OpenOrCreate, Access = FileAccess.ReadWrite, Share = FileShare.None };
        if (!OperatingSystem.IsWindows()) options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        try
        {
            return new DirectoryLock(new FileStream(Path.Combine(directory, FileName), options));
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            isOfAnother = error.HResult is LockedOnLinux or LockedOnMac or LockedOnWindows;
            if (!isOfAnother && Directory.Exists(directory)) fault = error.Message;
            return null;
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _file.Dispose();
}
