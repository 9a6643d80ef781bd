using System.Runtime.InteropServices;

namespace Dns.Bench;

/// <summary>
/// Everything native of dnsbench: batches of datagrams, waiting for several sockets, pinning, signals.
/// 64-bit Linux.
/// </summary>
internal static unsafe partial class LinuxSockets
{
    internal const int WaitForOne = 0x10000;
    internal const int DontWait = 0x40;
    internal const int Terminate = 15;
    private const int Interrupted = 4;
    private const int Again = 11;
    private const int ConnectionRefused = 111;
    private const short Readable = 1;

    /// <summary>struct mmsghdr without flags; the same on x64 and arm64.</summary>
    [StructLayout(LayoutKind.Explicit, Size = 64)]
    internal struct MessageEntry
    {
        [FieldOffset(0)]
        internal byte* Name;
        [FieldOffset(8)]
        internal uint NameOctets;
        [FieldOffset(16)]
        internal BufferEntry* Buffers;
        [FieldOffset(24)]
        internal nuint BufferCount;
        [FieldOffset(32)]
        internal byte* Control;
        [FieldOffset(40)]
        internal nuint ControlOctets;
        [FieldOffset(56)]
        internal uint Octets;
    }

    /// <summary>struct iovec.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal struct BufferEntry
    {
        internal byte* Start;
        internal nuint Octets;
    }

    [StructLayout(LayoutKind.Sequential)]
    private struct PollEntry
    {
        internal int Handle;
        internal short Events;
        internal short Returned;
    }

    [LibraryImport("libc", EntryPoint = "recvmmsg", SetLastError = true)]
    private static partial int ReceiveMany(int handle, MessageEntry* entries, uint count, int flags, void* timeout);

    [LibraryImport("libc", EntryPoint = "sendmmsg", SetLastError = true)]
    private static partial int SendMany(int handle, MessageEntry* entries, uint count, int flags);

    [LibraryImport("libc", EntryPoint = "ppoll", SetLastError = true)]
    private static partial int Poll(PollEntry* entries, nuint count, long* timeout, void* signals);

    [LibraryImport("libc", EntryPoint = "sched_setaffinity", SetLastError = true)]
    private static partial int SetAffinity(int thread, nuint octets, ulong* mask);

    [LibraryImport("libc", EntryPoint = "kill", SetLastError = true)]
    private static partial int Kill(int process, int signal);

    /// <summary>
    /// Receives up to <paramref name="count"/> datagrams; 0 if there is none or the wait was cut short.
    /// </summary>
    internal static int Receive(int handle, MessageEntry* entries, int count, int flags)
    {
        int received = ReceiveMany(handle, entries, (uint)count, flags, null);
        if (received >= 0) return received;
        int error = Marshal.GetLastPInvokeError();
        // An error for a refused datagram is reported by the next call: the datagram counts as lost.
        if (error is Interrupted or Again or ConnectionRefused) return 0;
        throw new InvalidOperationException($"recvmmsg: error {error}");
    }

    /// <summary>Sends all entries except those that the kernel refuses.</summary>
    internal static void Send(int handle, MessageEntry* entries, int count)
    {
        for (int sent = 0; sent < count;)
        {
            int now = SendMany(handle, entries + sent, (uint)(count - sent), 0);
            if (now > 0) sent += now;
            else if (Marshal.GetLastPInvokeError() != Interrupted) sent++;
        }
    }

    /// <summary>Waits until one of the sockets can be read, and sets a flag for each that can.</summary>
    internal static void WaitReadable(ReadOnlySpan<int> handles, Span<bool> readable, TimeSpan timeout)
    {
        PollEntry* entries = stackalloc PollEntry[handles.Length];
        for (int i = 0; i < handles.Length; i++) entries[i] = new PollEntry { Handle = handles[i], Events = Readable };
        // Seconds and nanoseconds.
        long* time = stackalloc long[2] { timeout.Ticks / TimeSpan.TicksPerSecond,
            timeout.Ticks % TimeSpan.TicksPerSecond * 100 };
        int count = Poll(entries, (nuint)handles.Length, time, null);
        for (int i = 0; i < handles.Length; i++) readable[i] = count > 0 && entries[i].Returned != 0;
    }

    /// <summary>Ties the calling thread to a processor; false where that is not permitted.</summary>
    internal static bool TryPinThread(int processor)
    {
        ulong* mask = stackalloc ulong[16];
        for (int i = 0; i < 16; i++) mask[i] = 0;
        mask[processor / 64] = 1ul << (processor % 64);
        return SetAffinity(0, 16 * sizeof(ulong), mask) == 0;
    }

    /// <summary>Sends a termination signal to a process started by dnsbench.</summary>
    internal static void Signal(int process, int signal)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(process, 2);
        _ = Kill(process, signal);
    }

    /// <summary>Native memory for a batch of datagrams; owned by one thread.</summary>
    internal sealed partial class Batch : IDisposable
    {
        private const int NameRoom = 32;
        private readonly int _slotOctets;
        private readonly bool _hasPeers;
        private readonly MessageEntry* _entries;
        private readonly BufferEntry* _buffers;
        private readonly byte* _slots;
        private readonly byte* _names;

        /// <param name="capacity">Datagrams in a batch.</param>
        /// <param name="slotOctets">Octets of the longest.</param>
        /// <param name="hasPeers">Whether the socket is not connected, so that each datagram has its own peer.</param>
        internal Batch(int capacity, int slotOctets, bool hasPeers)
        {
            if (!Environment.Is64BitProcess || !OperatingSystem.IsLinux())
                throw new PlatformNotSupportedException("64-bit Linux only");
            (Capacity, _slotOctets, _hasPeers) = (capacity, slotOctets, hasPeers);
            _entries = (MessageEntry*)NativeMemory.AllocZeroed((nuint)capacity, (nuint)sizeof(MessageEntry));
            _buffers = (BufferEntry*)NativeMemory.AllocZeroed((nuint)capacity, (nuint)sizeof(BufferEntry));
            _slots = (byte*)NativeMemory.AlignedAlloc((nuint)(capacity * slotOctets), 64);
            _names = (byte*)NativeMemory.AllocZeroed((nuint)capacity, NameRoom);
            for (int i = 0; i < capacity; i++)
            {
                _buffers[i].Start = _slots + i * slotOctets;
                _entries[i].Buffers = _buffers + i;
                _entries[i].BufferCount = 1;
                _entries[i].Name = hasPeers ? _names + i * NameRoom : null;
            }
        }

        internal int Capacity { get; }

        /// <summary>The whole slot of a datagram.</summary>
        internal Span<byte> Slot(int index) => new(_slots + index * _slotOctets, _slotOctets);

        /// <summary>The datagram that was received into a slot.</summary>
        internal ReadOnlySpan<byte> Received(int index) =>
            new(_slots + index * _slotOctets, (int)_entries[index].Octets);

        /// <summary>Says how long the datagram in a slot is that is to be sent.</summary>
        internal void SetLength(int index, int octets) => _buffers[index].Octets = (nuint)octets;

        /// <summary>
        /// Receives; length and address fields are both given and returned, so they are set again each
        /// time.
        /// </summary>
        internal int Receive(int handle, int flags)
        {
            for (int i = 0; i < Capacity; i++)
            {
                _buffers[i].Octets = (nuint)_slotOctets;
                _entries[i].NameOctets = _hasPeers ? NameRoom : 0u;
            }
            return LinuxSockets.Receive(handle, _entries, Capacity, flags);
        }

        /// <summary>Sends the first datagrams.</summary>
        internal void Send(int handle, int count) => LinuxSockets.Send(handle, _entries, count);

        /// <summary>Lets the datagrams just received be sent back as they are.</summary>
        internal void TurnAround(int count)
        {
            for (int i = 0; i < count; i++) _buffers[i].Octets = _entries[i].Octets;
        }

        public void Dispose()
        {
            NativeMemory.Free(_entries);
            NativeMemory.Free(_runs);
            NativeMemory.Free(_controls);
            NativeMemory.Free(_buffers);
            NativeMemory.AlignedFree(_slots);
            NativeMemory.Free(_names);
        }
    }
}
