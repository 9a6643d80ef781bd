using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;

namespace Dns.Files;

/// <summary>
/// Opens files that another user of the machine may have put there: they may be exchanged while they are opened, and
/// neither a pipe, a device nor a lease (fcntl(2), <c>F_SETLEASE</c>) keeps the caller waiting. A symlink is followed.
/// </summary>
internal static class RegularFile
{
    /// <summary>
    /// How often a file is opened that another process holds a lease of, and the milliseconds between: a file server
    /// gives its lease up as soon as the kernel signals it.
    /// </summary>
    private const int Tries = 10, MillisecondsBetween = 20;

    /// <summary>Opens a file for reading; others may write or replace it.</summary>
    /// <exception cref="FileNotFoundException">There is none.</exception>
    /// <exception cref="UnauthorizedAccessException">This user may not read it.</exception>
    /// <exception cref="IOException">It cannot be opened, or it is not regular.</exception>
    public static SafeFileHandle OpenToRead(string path)
    {
        if (!OperatingSystem.IsLinux())
            return File.OpenHandle(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        SafeFileHandle? handle = FileCalls.OpenToRead(path, out int error);
        for (int tries = 1; error == FileCalls.WouldBlock && tries < Tries; tries++)
        {
            Thread.Sleep(MillisecondsBetween);
            handle = FileCalls.OpenToRead(path, out error);
        }
        if (handle is null) throw Describe(path, error);
        if (FileCalls.FactsOf(handle) is { IsRegular: true }) return handle;
        handle.Dispose();
        throw new IOException("it is a pipe, a device or a directory and not a regular file");
    }

    [SupportedOSPlatform("linux")]
    private static Exception Describe(string path, int error) => error switch
    {
        FileCalls.NoEntry or FileCalls.NotDirectory => new FileNotFoundException("there is no such file", path),
        FileCalls.Denied => new UnauthorizedAccessException("permission denied"),
        FileCalls.WouldBlock => new IOException("another process holds a lease of it"),
        _ => new IOException(FileCalls.Describe(error)),
    };
}
