using System.ComponentModel;
using Microsoft.Win32.SafeHandles;

namespace Dns.Files.Native;

/// <summary>Writes the entries of a directory to disk: only then does a renamed file survive a power failure.</summary>
public static partial class DirectorySync
{
    private const int ReadOnly = 0;
    private const int CloseOnExecLinux = 0x80000;

    /// <summary>Waits until they are on disk. On Windows a rename is written with the file system's journal.</summary>
    /// <exception cref="IOException">They cannot be written.</exception>
    public static void Flush(string directory)
    {
        if (OperatingSystem.IsWindows()) return;
        using SafeFileHandle handle = Open(directory, ReadOnly | (OperatingSystem.IsLinux() ? CloseOnExecLinux : 0));
        if (handle.IsInvalid || Sync(handle) != 0)
            throw new IOException($"{directory}: {new Win32Exception().Message}");
    }

    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial SafeFileHandle Open(string path, int flags);

    [LibraryImport("libc", EntryPoint = "fsync", SetLastError = true)]
    private static partial int Sync(SafeFileHandle file);
}
