using System.Net.Sockets;
using System.Runtime.Versioning;

namespace Dns.Transport.Udp.Batched;

/// <summary>
/// The system calls of the batched listener and their structures, in the layout of glibc and musl on 64-bit
/// little-endian machines (x64 and arm64 agree). musl declares two lengths as 32 bits with padding, so the structures
/// must be zeroed once.
/// </summary>
[SupportedOSPlatform("linux")]
internal static unsafe partial class LinuxSocketCalls
{
    public const int MsgTrunc = 0x20;
    public const int MsgDontWait = 0x40;
    public const int MsgWaitForOne = 0x10000;

    public const int Eintr = 4;
    public const int Eio = 5;
    public const int Ebadf = 9;
    public const int Eagain = 11;
    public const int Einval = 22;
    public const int Emsgsize = 90;
    public const int Enoprotoopt = 92;
    public const int Eopnotsupp = 95;

    [LibraryImport("libc", EntryPoint = "recvmmsg", SetLastError = true)]
    public static partial int ReceiveMany(
        int socket, BatchEntry* entries, uint count, int flags, void* timeout);

    [LibraryImport("libc", EntryPoint = "sendmmsg", SetLastError = true)]
    public static partial int SendMany(int socket, BatchEntry* entries, uint count, int flags);

    [LibraryImport("libc", EntryPoint = "sendmsg", SetLastError = true)]
    public static partial nint SendMessage(int socket, SocketMessageHeader* message, int flags);

    [LibraryImport("libc", EntryPoint = "recvmsg", SetLastError = true)]
    public static partial nint ReceiveMessage(int socket, SocketMessageHeader* message, int flags);

    [LibraryImport("libc", EntryPoint = "geteuid")]
    public static partial uint GetEffectiveUser();

    [LibraryImport("libc", EntryPoint = "fcntl", SetLastError = true)]
    private static partial int Control(int descriptor, int command, int argument);

    [LibraryImport("libc", EntryPoint = "sched_getaffinity", SetLastError = true)]
    public static partial int GetAffinity(int thread, nuint maskBytes, ulong* mask);

    [LibraryImport("libc", EntryPoint = "sched_setaffinity", SetLastError = true)]
    public static partial int SetAffinity(int thread, nuint maskBytes, ulong* mask);

    [LibraryImport("libc", EntryPoint = "getrlimit", SetLastError = true)]
    private static partial int GetResourceLimit(int resource, ulong* softAndHard);

    public static void SetBlocking(SafeSocketHandle socket)
    {
        const int getFlags = 3, setFlags = 4, nonBlocking = 0x800;
        int descriptor = (int)socket.DangerousGetHandle();
        int flags = Control(descriptor, getFlags, 0);
        if (flags >= 0 && (flags & nonBlocking) != 0) Control(descriptor, setFlags, flags & ~nonBlocking);
    }

    public static bool TryReadDescriptorLimit(out ulong descriptors)
    {
        const int openFiles = 7;
        ulong* softAndHard = stackalloc ulong[2];
        bool read = sizeof(nint) == 8 && GetResourceLimit(openFiles, softAndHard) == 0;
        descriptors = read ? softAndHard[0] : 0;
        return read;
    }

    /// <summary>
    /// Whether the calls exist, are permitted and match the layouts below. The error on a closed descriptor differs
    /// from those of an unknown or filtered call.
    /// </summary>
    public static bool AreAvailable()
    {
        if (!BitConverter.IsLittleEndian || sizeof(nint) != 8
            || sizeof(SocketMessageHeader) != 56 || sizeof(BatchEntry) != 64 || sizeof(IoVector) != 16)
        {
            return false;
        }
        try
        {
            BatchEntry entry = default;
            return ReceiveMany(-1, &entry, 1, MsgWaitForOne, null) == -1
                && Marshal.GetLastPInvokeError() == Ebadf
                && SendMany(-1, &entry, 1, 0) == -1
                && Marshal.GetLastPInvokeError() == Ebadf;
        }
        catch (Exception error) when (error is DllNotFoundException or EntryPointNotFoundException)
        {
            return false;
        }
    }
}

/// <summary><c>struct iovec</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct IoVector
{
    public byte* Base;
    public nuint Octets;
}

/// <summary><c>struct msghdr</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct SocketMessageHeader
{
    public byte* Name;
    public uint NameOctets;
    private readonly uint _padding;
    public IoVector* Vectors;
    public nuint VectorCount;
    public byte* Control;
    public nuint ControlOctets;
    public int Flags;
    private readonly int _padding2;
}

/// <summary><c>struct mmsghdr</c>.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct BatchEntry
{
    public SocketMessageHeader Header;
    public uint Octets;
    private readonly uint _padding;
}
