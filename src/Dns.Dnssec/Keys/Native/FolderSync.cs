using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Dns.Dnssec;

/// <summary>Flushes the names of a folder to the disk, so that a rename outlives a loss of power.</summary>
internal static partial class FolderSync
{
    private const int ReadOnly = 0;

    /// <summary>Flushes a folder; where the system cannot, nothing is done.</summary>
    internal static void Flush(string folder)
    {
        if (!OperatingSystem.IsLinux()) return;
        int descriptor = Open(folder, ReadOnly);
        if (descriptor < 0) return;
        using SafeFileHandle handle = new(descriptor, ownsHandle: true);
        _ = Sync(descriptor);
    }

    [LibraryImport("libc", EntryPoint = "open", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Open(string path, int flags);

    [LibraryImport("libc", EntryPoint = "fsync")]
    private static partial int Sync(int descriptor);
}
