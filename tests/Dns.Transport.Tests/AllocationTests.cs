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
        await MeasureUdp(UdpListeners.Choose(UdpListenerKind.Batched, out _), address);

    [Theory]
    [InlineData("127.0.0.1:0")]
    [InlineData("[::1]:0")]
    public async Task A_later_answer_of_the_portable_listener_allocates_nothing(string address)
    {
        using AnsweringThread thread = new();
        await MeasureUdp(UdpListenerKind.Portable, address, thread.Responder);
    }

    [Theory]
    [InlineData("127.0.0.1:0")]
    [InlineData("0.0.0.0:0")]
    [InlineData("[::1]:0")]
    [InlineData("[::]:0")]
    public async Task A_later_answer_of_the_batched_listener_allocates_nothing(string address)
    {
        using AnsweringThread thread = new();
        await MeasureUdp(UdpListeners.Choose(UdpListenerKind.Batched, out _), address, thread.Responder);
    }

    [Fact]
    public async Task A_later_answer_over_TCP_allocates_nothing_after_the_connection_stands()
    {
        using AnsweringThread thread = new();
        await MeasureTcp(thread.Responder);
    }

    [Fact]
    public async Task A_query_over_TCP_allocates_nothing_after_the_connection_stands() =>
        await MeasureTcp(new TestResponder());

    private static async Task MeasureTcp(TestResponder responder)
    {
        await using TcpListenersOnSharedPool rig = new(responder);
        using Socket client = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        client.NoDelay = true;
        client.Connect(rig.Server);
        byte[] frame = TcpRig.Frames(TestResponder.Query(1, 40));
        byte[] room = new byte[512];
        AssertNothingAllocated(() =>
        {
            for (int i = 0; i < Queries; i++)
            {
                client.Send(frame);
                client.Receive(room);
            }
        });
    }

    private sealed class TcpListenersOnSharedPool : IAsyncDisposable
    {
        private readonly TcpListeners _listeners =
            new(new TcpLimits(), TimeProvider.System, ArrayPool<byte>.Shared);

        public TcpListenersOnSharedPool(TestResponder responder)
        {
            Server = _listeners.Bind(IPEndPoint.Parse("127.0.0.1:0"));
            _listeners.Start(responder);
        }

        public IPEndPoint Server { get; }

        public async ValueTask DisposeAsync() => await _listeners.StopAsync(TcpRig.Grace);
    }

    private static async Task MeasureUdp(UdpListenerKind kind, string address, TestResponder? responder = null)
    {
        await using UdpRig rig = new(kind, address, responder);

        // Alternating clients would show an address object that is made anew whenever the sender changes.
        using Socket second = UdpRig.ClientOf(rig.Server);
        byte[] query = TestResponder.Query(1, 40);
        byte[] room = new byte[512];
        AssertNothingAllocated(() =>
        {
            for (int i = 0; i < Queries; i += 2)
            {
                rig.Client.Send(query);
                second.Send(query);
                rig.Client.Receive(room);
                second.Receive(room);
            }
        });
    }

    /// <summary>The least of a few rounds: what the test host does meanwhile is not ours.</summary>
    private static void AssertNothingAllocated(Action round)
    {
        long least = long.MaxValue;
        round();
        for (int i = 0; i < 5 && least >= Queries; i++)
        {
            long before = GC.GetTotalAllocatedBytes(precise: true);
            round();
            least = Math.Min(least, GC.GetTotalAllocatedBytes(precise: true) - before);
        }

        Assert.True(least < Queries, $"{least} bytes for {Queries} queries");
    }
}
