using System.Buffers;
using Dns.Protocol;
using System.Net.Sockets;

namespace Dns.Transport;

/// <summary>Which receive loop serves UDP.</summary>
public enum UdpListenerKind
{
    /// <summary>The batched one where the system has it (64-bit Linux), else the portable one.</summary>
    Auto,

    /// <summary>Threads of their own that move up to 64 datagrams per system call. Linux only.</summary>
    Batched,

    /// <summary>Asynchronous sockets, one datagram at a time. Every system.</summary>
    Portable,
}

/// <summary>
/// Where to listen and with how much. Values outside the ranges stated are brought to the nearest limit.
/// </summary>
public sealed record TransportOptions
{
    /// <summary>
    /// The addresses to listen on. Where plain DNS is spoken that is UDP and TCP on one port; port 0 takes a free port, the
    /// same for both.
    /// </summary>
    public IReadOnlyList<ListenerAddress> Listeners { get; init; } = [];

    /// <summary>
    /// Sockets and receive loops of each UDP address, 1 to 1024; 0 means one for each processor. A system
    /// that cannot share a port between sockets gets one socket with that many receive loops.
    /// </summary>
    public int Workers { get; init; }

    /// <summary>Largest UDP answer in octets, 512 to 65,535. It also sets the size of the slots.</summary>
    public int MaxUdpPayload { get; init; } = 1232;

    /// <summary>Which UDP receive loop to use.</summary>
    public UdpListenerKind UdpListener { get; init; }

    /// <summary>
    /// Whether the batched listener may hand answers of equal length to one client over as one segmented
    /// datagram (UDP_SEGMENT). It pays under saturation by few clients.
    /// </summary>
    public bool SegmentationOffload { get; init; } = true;

    /// <summary>
    /// Bytes of kernel buffer asked for each UDP socket and direction. The kernel may grant less.
    /// </summary>
    public int SocketBufferBytes { get; init; } = 4 * 1024 * 1024;

    /// <summary>Files that other parts of the process may have open: connections leave room for them.</summary>
    public int OtherDescriptors { get; init; }

    /// <summary>Limits and time-outs of TCP.</summary>
    public TcpLimits Tcp { get; init; } = new();

    /// <summary>
    /// Sockets bound before, which are served instead of binding their addresses; null = none. The caller disposes it
    /// once the set is bound.
    /// </summary>
    public InheritedSockets? Inherited { get; init; }

    /// <summary>
    /// Sources that are proxies: each of their datagrams and connections begins with a header of the PROXY protocol,
    /// version 2, which names the client. Null = none.
    /// </summary>
    public ClientNetworks? ProxyFrom { get; init; }

    /// <summary>Where receive and accept loops and timers report unexpected exceptions.</summary>
    public IExceptionSink Exceptions { get; init; } = IExceptionSink.None;

    /// <summary>The clock of the time-outs.</summary>
    public TimeProvider Clock { get; init; } = TimeProvider.System;

    /// <summary>What is between the sockets of connections and their messages, for each kind of listener.</summary>
    internal StreamLayers Layers { get; init; } = new();

    /// <summary>Where tests have the calls of the batched listener fail.</summary>
    internal Func<BatchCall, int>? Fault { get; init; }

    /// <summary>Where sockets are opened that come later than the listener; tests open them elsewhere.</summary>
    internal Func<Func<Socket[]>, Socket[]> OpenLater { get; init; } = static open => open();

    /// <summary>Where the slots of the portable listener come from. Each is rented once.</summary>
    internal MemoryPool<byte> SlotPool { get; init; } = MemoryPool<byte>.Shared;

    /// <summary>Where the buffers of TCP connections come from.</summary>
    internal ArrayPool<byte> StreamPool { get; init; } = ArrayPool<byte>.Shared;

    internal int WorkerCount =>
        Workers <= 0 ? Math.Clamp(Environment.ProcessorCount, 1, 1024) : Math.Min(Workers, 1024);

    /// <summary>
    /// Room for one datagram and its answer: at least 2 KiB so that a query with hundreds of options fits,
    /// and whole cache lines so that neighbours in a batch share none.
    /// </summary>
    public int SlotOctets => Math.Min((Math.Clamp(MaxUdpPayload, 2048, 65535) + 63) & ~63, 65535);
}
