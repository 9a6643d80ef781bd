using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using Dns.Testing;

namespace Dns.Integration.Tests.Forwarding;

/// <summary>The receive loops of upstreams continue after any datagram and exception.</summary>
public class UpstreamLoopTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly ReportedExceptions _reported = new();

    [Theory]
    [InlineData(2049)]
    [InlineData(65_000)]
    public async Task Of_datagrams_longer_than_the_buffer_the_beginning_arrives_and_the_loop_goes_on(int octets)
    {
        using Socket upstream = Bound(SocketType.Dgram);
        Receiver receiver = new();
        using IDatagramPath path =
            new SocketNetwork(_reported).OpenDatagrams((IPEndPoint)upstream.LocalEndPoint!, 0, receiver, out _)!;
        EndPoint client = new IPEndPoint(IPAddress.Loopback, path.Local.Port);
        foreach (byte[] datagram in (byte[][])[new byte[octets], new byte[octets], new byte[2048], [1, 2, 3],
            new byte[octets], [4]])
            upstream.SendTo(datagram, client);
        Assert.Equal((int[])[2048, 2048, 2048, 3, 2048, 1], await receiver.TakeAsync(6));
        Assert.Empty(_reported.All);
    }

    [Fact]
    public async Task A_datagram_whose_receiver_throws_is_reported_with_its_octets_and_the_next_are_received()
    {
        using Socket upstream = Bound(SocketType.Dgram);
        Receiver receiver = new() { ThrowsAt = 2 };
        using IDatagramPath path =
            new SocketNetwork(_reported).OpenDatagrams((IPEndPoint)upstream.LocalEndPoint!, 0, receiver, out _)!;
        EndPoint client = new IPEndPoint(IPAddress.Loopback, path.Local.Port);
        foreach (byte[] datagram in (byte[][])[[1], [2, 2], [3, 3, 3]]) upstream.SendTo(datagram, client);
        Assert.Equal((int[])[1, 2, 3], await receiver.TakeAsync(3));
        (string loop, Exception exception, byte[] message) = Assert.Single(_reported.All);
        Assert.Equal(OutgoingLoops.UpstreamDatagram, loop);
        Assert.IsType<InvalidOperationException>(exception);
        Assert.Equal([2, 2], message);
    }

    [Fact]
    public async Task A_flood_of_datagrams_does_not_keep_a_thread()
    {
        using Socket upstream = Bound(SocketType.Dgram);
        Receiver receiver = new() { IsHeld = true };
        using SocketDatagramPath path =
            (SocketDatagramPath)new SocketNetwork(_reported).OpenDatagrams((IPEndPoint)upstream.LocalEndPoint!,
                0, receiver, out _)!;
        EndPoint client = new IPEndPoint(IPAddress.Loopback, path.Local.Port);
        for (int i = 0; i < 130; i++) upstream.SendTo([1], client);
        receiver.Release();
        Assert.Equal(130, (await receiver.TakeAsync(130)).Length);
        Assert.InRange(path.Yields, 2, 130);
    }

    [Theory]
    [InlineData("127.0.0.1", 0, 10)]
    [InlineData("::1", 41, 23)]
    public void A_forged_path_mtu_is_not_believed(string address, int level, int option)
    {
        if (!OperatingSystem.IsLinux() || address == "::1" && !Socket.OSSupportsIPv6) return;
        IPEndPoint upstream = new(IPAddress.Parse(address), 9);
        if (new SocketNetwork(_reported).OpenDatagrams(upstream, 0, new Receiver(), out _)
            is not SocketDatagramPath path) return;
        using (path)
        {
            byte[] value = new byte[sizeof(int)];
            path.Socket.GetRawSocketOption(level, option, value);
            Assert.Equal(5, BitConverter.ToInt32(value));
        }
    }

    [Fact]
    public async Task A_stream_whose_receiver_throws_is_reported_and_ends()
    {
        using Socket upstream = Bound(SocketType.Stream);
        Receiver receiver = new() { ThrowsAt = 2 };
        using StreamPath path = new(new SocketStream((IPEndPoint)upstream.LocalEndPoint!), receiver, _reported);
        path.Start();
        using Socket accepted = await upstream.AcceptAsync();
        accepted.Send([1]);
        Assert.Equal((int[])[1], await receiver.TakeAsync(1));
        accepted.Send([2, 2]);
        await receiver.Ended.WaitAsync(Patience);
        (string loop, _, byte[] message) = Assert.Single(_reported.All);
        Assert.Equal(OutgoingLoops.UpstreamStream, loop);
        Assert.Equal([2, 2], message);
        Assert.False(path.TrySend([1]));
    }

    [Fact]
    public async Task A_stream_whose_end_throws_is_reported()
    {
        using Socket upstream = Bound(SocketType.Stream);
        Receiver receiver = new() { ThrowsAtEnd = true };
        using StreamPath path = new(new SocketStream((IPEndPoint)upstream.LocalEndPoint!), receiver, _reported);
        path.Start();
        (await upstream.AcceptAsync()).Dispose();
        await receiver.Ended.WaitAsync(Patience);
        Assert.True(SpinWait.SpinUntil(() => _reported.All.Count == 1, Patience));
    }

    private static Socket Bound(SocketType type)
    {
        Socket socket =
            new(AddressFamily.InterNetwork, type, type == SocketType.Dgram ? ProtocolType.Udp : ProtocolType.Tcp);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        if (type == SocketType.Stream) socket.Listen();
        return socket;
    }

    private sealed class Receiver : IPathReceiver
    {
        private readonly ConcurrentQueue<int> _lengths = new();
        private readonly SemaphoreSlim _arrived = new(0);
        private readonly ManualResetEventSlim _held = new();
        private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);

        /// <summary>The length that is thrown at.</summary>
        public int ThrowsAt { get; init; } = -1;

        public bool ThrowsAtEnd { get; init; }

        /// <summary>Whether the first octets wait for <see cref="Release"/>.</summary>
        public bool IsHeld { get; init; }

        public Task Ended => _ended.Task;

        public void Release() => _held.Set();

        public void Receive(ReadOnlySpan<byte> octets)
        {
            if (IsHeld) _held.Wait();
            _lengths.Enqueue(octets.Length);
            _arrived.Release();
            if (octets.Length == ThrowsAt) throw new InvalidOperationException("Thrown by a test.");
        }

        public void End()
        {
            _ended.SetResult();
            if (ThrowsAtEnd) throw new InvalidOperationException("Thrown by a test.");
        }

        public async Task<int[]> TakeAsync(int count)
        {
            for (int i = 0; i < count; i++) Assert.True(await _arrived.WaitAsync(Patience));
            return [.. _lengths];
        }
    }
}
