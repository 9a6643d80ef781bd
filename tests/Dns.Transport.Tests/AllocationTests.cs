using System.Buffers;
using System.Net;
using System.Net.Sockets;

namespace Dns.Transport.Tests;

/// <summary>Counts the bytes of the whole process, so nothing may run beside it.</summary>
[CollectionDefinition("alone", DisableParallelization = true)]
public sealed class AloneCollection;

/// <summary>A query allocates nothing once the listener stands.</summary>
[Collection("alone")]
public sealed class AllocationTests
{
    private const int Queries = 4000;

    /// <summary>As many queries wait at once, so that a busy machine does not make the client wait for each.</summary>
    private const int Clients = 8;

    /// <summary>
    /// On threads of the pool the test host allocates as time goes by; there only the bytes of all threads are bounded.
    /// </summary>
    private const int SharedThreads = int.MaxValue;

    /// <summary>What the thread that answers later may allocate for.</summary>
    private const int Pooled = Queries / 20;

    /// <summary>Each of the own threads allocates once for itself.</summary>
    private const int Own = Queries / 500;

    [Theory]
    [InlineData("127.0.0.1:0")]
    [InlineData("0.0.0.0:0")]
    [InlineData("[::1]:0")]
    public async Task A_datagram_through_the_portable_listener_allocates_nothing(string address) =>
        await MeasureUdp(UdpListenerKind.Portable, address);

    [Theory]
    [InlineData("127.0.0.1:0")]
    [InlineData("0.0.0.0:0")]
    [InlineData("[::1]:0")]
    public async Task A_datagram_through_the_batched_listener_allocates_nothing(string address) =>
        await MeasureUdp(UdpListeners.Choose(UdpListenerKind.Batched), address);

    [Theory]
    [InlineData("127.0.0.1:0")]
    [InlineData("[::1]:0")]
    public async Task A_later_answer_of_the_portable_listener_allocates_nothing(string address)
    {
        using AnsweringThread thread = new();
        await MeasureUdp(UdpListenerKind.Portable, address, thread.Responder);
        Assert.InRange(thread.Allocating, 0, Pooled);
    }

    [Theory]
    [InlineData("127.0.0.1:0")]
    [InlineData("0.0.0.0:0")]
    [InlineData("[::1]:0")]
    [InlineData("[::]:0")]
    public async Task A_later_answer_of_the_batched_listener_allocates_nothing(string address)
    {
        using AnsweringThread thread = new();
        await MeasureUdp(UdpListeners.Choose(UdpListenerKind.Batched), address, thread.Responder);
        Assert.InRange(thread.Allocating, 0, Pooled);
    }

    [Fact]
    public async Task A_later_answer_over_TCP_allocates_nothing_after_the_connection_stands()
    {
        using AnsweringThread thread = new();
        await MeasureTcp(thread.Responder);
        Assert.InRange(thread.Allocating, 0, Pooled);
    }

    [Fact]
    public async Task A_query_over_TCP_allocates_nothing_after_the_connection_stands() =>
        await MeasureTcp(new TestResponder());

    private static async Task MeasureTcp(TestResponder responder)
    {
        AllocatingThreads threads = new();
        responder.Answering = threads.Look;
        await using TcpListenersOnSharedPool rig = new(responder);
        AssertNothingAllocated(threads, () =>
        {
            Socket client = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
            client.Connect(rig.Server);
            return client;
        }, TcpRig.Frames(TestResponder.Query(1, 40)), SharedThreads);
    }

    private sealed class TcpListenersOnSharedPool : IAsyncDisposable
    {
        private readonly TcpListeners _listeners =
            new(new TcpLimits(), TimeProvider.System, ArrayPool<byte>.Shared);

        public TcpListenersOnSharedPool(TestResponder responder)
        {
            Server = TcpRig.Listen(_listeners).Address.EndPoint;
            _listeners.Start(responder);
        }

        public IPEndPoint Server { get; }

        public async ValueTask DisposeAsync() => await _listeners.StopAsync(TcpRig.Grace);
    }

    private static async Task MeasureUdp(UdpListenerKind kind, string address, TestResponder? responder = null)
    {
        AllocatingThreads threads = new();
        responder ??= new TestResponder();
        responder.Answering = threads.Look;
        await using UdpRig rig = new(kind, address, responder);
        AssertNothingAllocated(threads, () => UdpRig.ClientOf(rig.Server), TestResponder.Query(1, 40),
            kind == UdpListenerKind.Batched ? Own : SharedThreads);
    }

    /// <summary>
    /// Counts the queries between which a thread that answers allocated: its own bytes, whatever other threads do.
    /// Those of all threads are bounded loosely, for what a listener leaves to threads that never answer.
    /// </summary>
    /// <param name="threads">What the responder tells of its threads.</param>
    /// <param name="connect">Makes a client. Clients alternate: an address object made anew for each shows.</param>
    /// <param name="query">What a client sends.</param>
    /// <param name="allowed">How many queries.</param>
    private static void AssertNothingAllocated(
        AllocatingThreads threads, Func<Socket> connect, byte[] query, int allowed)
    {
        Socket[] clients = [.. Enumerable.Range(0, Clients).Select(_ => connect())];
        try
        {
            byte[] room = new byte[512];
            AssertNothingAllocated(threads, () =>
            {
                for (int i = 0; i < Queries; i += Clients)
                {
                    foreach (Socket client in clients) client.Send(query);
                    foreach (Socket client in clients) client.Receive(room);
                }
            }, allowed);
        }
        finally
        {
            foreach (Socket client in clients) client.Dispose();
        }
    }

    private static void AssertNothingAllocated(AllocatingThreads threads, Action round, int allowed)
    {
        round();
        threads.Begin();
        long least = long.MaxValue;
        // A busy machine starts threads in many rounds; an allocation of each query is in all of them.
        for (int i = 0; i < 20 && (i == 0 || least >= Queries * 12); i++)
        {
            long before = GC.GetTotalAllocatedBytes(precise: true);
            round();
            least = Math.Min(least, GC.GetTotalAllocatedBytes(precise: true) - before);
        }

        Assert.InRange(threads.Answered, Queries, int.MaxValue);
        Assert.InRange(threads.Allocating, 0, allowed);
        Assert.True(least < Queries * 12, $"{least} bytes for {Queries} queries");
    }

    /// <summary>Records, with every answer, the allocations of its thread since its previous answer.</summary>
    private sealed class AllocatingThreads
    {
        [ThreadStatic]
        private static (AllocatingThreads? Owner, long Bytes) _last;

        private int _answered, _allocating;
        private volatile bool _counts;

        public int Answered => Volatile.Read(ref _answered);

        public int Allocating => Volatile.Read(ref _allocating);

        public void Begin() => _counts = true;

        public void Look()
        {
            // Also before it counts: the first use of a thread's own field allocates.
            (AllocatingThreads? owner, long before) = _last;
            long bytes = GC.GetAllocatedBytesForCurrentThread();
            if (_counts)
            {
                Interlocked.Increment(ref _answered);
                if (owner == this && before != bytes)
                {
                    Interlocked.Increment(ref _allocating);
                }
            }

            _last = (this, bytes);
        }
    }
}
