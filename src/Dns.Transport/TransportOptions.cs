using System.Buffers;
using System.Net.Sockets;

namespace Dns.Transport;

/// <summary>The kind of UDP receive loop.</summary>
public enum UdpListenerKind
{
    /// <summary>Batched if available (64-bit Linux), else portable.</summary>
    Auto,

    /// <summary>Dedicated threads that move up to 64 datagrams per system call. Linux only.</summary>
    Batched,

    /// <summary>Asynchronous sockets, one datagram at a time. All systems.</summary>
    Portable,
}

/// <summary>Options of all listeners. Values outside of the stated ranges are clamped.</summary>
public sealed record TransportOptions
{
    private static readonly Dictionary<ListenerKind, IListenerFactory> PlainOnly =
        new() { [ListenerKind.Plain] = new PlainListener.Factory() };

    /// <summary>The addresses to listen on: UDP and TCP on one port for plain DNS; port 0 chooses a free one.</summary>
    public IReadOnlyList<ListenerAddress> Listeners { get; init; } = [];

    /// <summary>
    /// Sockets and receive loops of each UDP address, 1 to 1024; 0 = one for each processor. Where sockets cannot share
    /// a port, one socket serves that many receive loops.
    /// </summary>
    public int Workers { get; init; }

    /// <summary>The maximum UDP answer in octets, 512 to 65,535. Also determines the slot size.</summary>
    public int MaxUdpPayload { get; init; } = 1232;

    /// <summary>The UDP receive loop to use.</summary>
    public UdpListenerKind UdpListener { get; init; }

    /// <summary>
    /// Whether the batched listener may send answers of equal length to one client as one segmented datagram
    /// (UDP_SEGMENT), which pays under saturation by few clients.
    /// </summary>
    public bool SegmentationOffload { get; init; } = true;

    /// <summary>Kernel buffer requested per UDP socket and direction, in bytes; the kernel may grant less.</summary>
    public int SocketBufferBytes { get; init; } = 4 * 1024 * 1024;

    /// <summary>File descriptors reserved for other parts of the process.</summary>
    public int OtherDescriptors { get; init; }

    /// <summary>Limits and timeouts of TCP.</summary>
    public TcpLimits Tcp { get; init; } = new();

    /// <summary>Inherited sockets, used instead of binding; null = none. The caller disposes it after Bind.</summary>
    public InheritedSockets? Inherited { get; init; }

    /// <summary>Proxies, whose datagrams and connections start with a PROXY header, version 2; null = none.</summary>
    public ClientNetworks? ProxyFrom { get; init; }

    /// <summary>Receives unexpected exceptions of receive and accept loops and timers.</summary>
    public IExceptionSink Exceptions { get; init; } = IExceptionSink.None;

    /// <summary>The clock of the timeouts.</summary>
    public TimeProvider Clock { get; init; } = TimeProvider.System;

    /// <summary>What makes the listeners of each kind; without a factory a kind cannot be bound.</summary>
    public IReadOnlyDictionary<ListenerKind, IListenerFactory> Factories { get; init; } = PlainOnly;

    /// <summary>For tests: makes calls of the batched listener fail.</summary>
    internal Func<BatchCall, int>? Fault { get; init; }

    /// <summary>For tests: where sockets are opened that are bound after the listener.</summary>
    internal Func<Func<Socket[]>, Socket[]> OpenLater { get; init; } = static open => open();

    /// <summary>The pool of the portable listener's slots, each rented once.</summary>
    internal MemoryPool<byte> SlotPool { get; init; } = MemoryPool<byte>.Shared;

    /// <summary>The pool of TCP buffers.</summary>
    internal ArrayPool<byte> StreamPool { get; init; } = ArrayPool<byte>.Shared;

    internal int WorkerCount =>
        Workers <= 0 ? Math.Clamp(Environment.ProcessorCount, 1, 1024) : Math.Min(Workers, 1024);

    /// <summary>Slot size: at least 2 KiB, for queries of many options; in whole cache lines (false sharing).</summary>
    public int SlotOctets => Math.Min((Math.Clamp(MaxUdpPayload, 2048, 65535) + 63) & ~63, 65535);
}
