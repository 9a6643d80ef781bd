using Microsoft.Win32.SafeHandles;

namespace Dns.Hosting.Native;

/// <summary>The system calls of inotify(7) and for waiting on it. Linux only.</summary>
public static partial class InotifyCalls
{
    internal const int NonBlocking = 0x800;
    internal const int CloseOnExec = 0x80000;
    internal const short PollIn = 1;

    /// <summary>A descriptor and its awaited events: <c>struct pollfd</c>.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal struct PollEntry
    {
        internal int Descriptor;
        internal short Events;
        internal short Returned;
    }

    [LibraryImport("libc", EntryPoint = "inotify_init1", SetLastError = true)]
    internal static partial int Initialise(int flags);

    [LibraryImport("libc", EntryPoint = "inotify_add_watch", SetLastError = true,
        StringMarshalling = StringMarshalling.Utf8)]
    internal static partial int AddWatch(SafeFileHandle inotify, string path, uint mask);

    [LibraryImport("libc", EntryPoint = "inotify_rm_watch", SetLastError = true)]
    internal static partial int RemoveWatch(SafeFileHandle inotify, int watch);

    [LibraryImport("libc", EntryPoint = "eventfd", SetLastError = true)]
    internal static partial int CreateEvent(uint value, int flags);

    [LibraryImport("libc", EntryPoint = "poll", SetLastError = true)]
    internal static partial int Poll(Span<PollEntry> entries, nuint count, int timeoutMs);

    [LibraryImport("libc", EntryPoint = "read", SetLastError = true)]
    internal static partial nint Read(SafeFileHandle file, Span<byte> buffer, nuint octets);

    [LibraryImport("libc", EntryPoint = "write", SetLastError = true)]
    internal static partial nint Write(SafeFileHandle file, ReadOnlySpan<byte> buffer, nuint octets);
}
