using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;

namespace Dns.Files;

/// <summary>
/// Opens files that another user of the machine may have put there: they may be exchanged while they are opened, and
/// neither a pipe, a device nor a lease (fcntl(2), <c>F_SETLEASE</c>) keeps the caller waiting. A symlink is followed.
/// </summary>
public static class RegularFile
{
    /// <summary>
    /// How often a file is opened that another process holds a lease of, and the milliseconds between: a file server
    /// gives its lease up as soon as the kernel signals it.
    /// </summary>
    private const int Tries = 10, MillisecondsBetween = 20;

    /// <inheritdoc cref="OpenToRead(string, out bool, int)"/>
    public static SafeFileHandle OpenToRead(string path) => OpenToRead(path, out _);

    /// <summary>Opens a file for reading; others may write or replace it.</summary>
    /// <param name="isSymlink">Whether the last component of the path was a symlink as it was opened.</param>
    /// <param name="most">How often it is opened while another process holds a lease of it.</param>
    /// <exception cref="FileNotFoundException">There is none.</exception>
    /// <exception cref="UnauthorizedAccessException">This user may not read it.</exception>
    /// <exception cref="IOException">It cannot be opened, or it is not regular.</exception>
    public static SafeFileHandle OpenToRead(string path, out bool isSymlink, int most = Tries)
    {
        if (!OperatingSystem.IsLinux())
        {
            isSymlink = new FileInfo(path).LinkTarget is not null;
            return File.OpenHandle(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        }
        SafeFileHandle? handle = Open(path, out isSymlink, out int error);
        for (int tries = 1; error == FileCalls.WouldBlock && tries < most; tries++)
        {
            Thread.Sleep(MillisecondsBetween);
            handle = Open(path, out isSymlink, out error);
        }
        if (handle is null) throw Describe(path, error);
        if (FileCalls.FactsOf(handle) is { IsRegular: true }) return handle;
        handle.Dispose();
        throw new IOException("it is a pipe, a device or a directory and not a regular file");
    }

    // Asking for the kind of the path, beside opening it, would race with its exchange.
    [SupportedOSPlatform("linux")]
    private static SafeFileHandle? Open(string path, out bool isSymlink, out int error)
    {
        SafeFileHandle? handle = FileCalls.Open(path, FileCalls.NonBlocking, default, out error);
        isSymlink = error == FileCalls.TooManyLinks;
        return isSymlink ? FileCalls.OpenToRead(path, out error) : handle;
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
