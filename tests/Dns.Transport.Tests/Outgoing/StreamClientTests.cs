using System.Buffers;
using System.Net;
using System.Net.Sockets;
using Dns.Testing;

namespace Dns.Transport.Tests.Outgoing;

/// <summary>A connection that we open, for messages of any number in both directions.</summary>
public sealed class StreamClientTests : IDisposable
{
    private readonly VirtualClock _time = new();
    private readonly MonotonicClock _clock;
    private readonly TimingWheel _wheel;

    public StreamClientTests()
    {
        _clock = new(_time);
        _wheel = new(_clock);
    }

    public void Dispose() => _wheel.Dispose();

    private StreamClient Client(IByteStream stream, StreamClientOptions? options = null) =>
        new(stream, options ?? new StreamClientOptions(), _clock, _wheel);

    private static Socket Listen()
    {
        Socket listening = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listening.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listening.Listen();
        return listening;
    }

    private async Task<(StreamClient Client, PausedStream Stream)> Connected(StreamClientOptions? options = null)
    {
        PausedStream stream = new();
        stream.Connect();
        StreamClient client = Client(stream, options);
        Assert.Equal(StreamStatus.Done, await client.ConnectAsync());
        return (client, stream);
    }

    [LinuxFact]
    public async Task Queries_are_pipelined_from_the_address_that_was_chosen()
    {
        using Socket listening = Listen();
        IPEndPoint source = new(IPAddress.Parse("127.0.0.2"), 0);
        await using StreamClient client = Client(new SocketStream((IPEndPoint)listening.LocalEndPoint!, source));
        Assert.Equal(StreamStatus.Done, await client.ConnectAsync());
        using Socket server = await listening.AcceptAsync();
        Assert.Equal(source.Address, ((IPEndPoint)server.RemoteEndPoint!).Address);
        for (ushort id = 1; id <= 20; id++)
            Assert.Equal(StreamStatus.Done, await client.SendAsync(TestResponder.Query(id, 40)));
        server.ReceiveTimeout = TcpRig.TimeoutMs;
        for (ushort id = 1; id <= 20; id++) Assert.Equal(TestResponder.Query(id, 40), TcpRig.ReceiveMessage(server));
        server.Send(TcpRig.Frames([.. Enumerable.Range(1, 20).Select(id => TestResponder.Query((ushort)id, 30 + id))]));
        for (ushort id = 1; id <= 20; id++)
        {
            StreamMessage reply = await client.ReceiveAsync();
            Assert.Equal(StreamStatus.Done, reply.Status);
            Assert.Equal(TestResponder.Query(id, 30 + id), reply.Octets.ToArray());
        }

        server.Shutdown(SocketShutdown.Send);
        Assert.Equal(StreamStatus.Ended, (await client.ReceiveAsync()).Status);
    }

    [Fact]
    public async Task A_caller_that_does_not_receive_slows_the_server_down()
    {
        const int messages = 10_000, octets = 2000;
        using Socket listening = Listen();
        await using StreamClient client = Client(new SocketStream((IPEndPoint)listening.LocalEndPoint!));
        Task<StreamStatus> connecting = client.ConnectAsync().AsTask();
        using Socket server = await listening.AcceptAsync();
        Assert.Equal(StreamStatus.Done, await connecting);
        server.Blocking = false;
        byte[] all =
            TcpRig.Frames([.. Enumerable.Range(0, messages).Select(i => NumberedSequence.Message(1, i, octets))]);
        int sent = 0;
        void SendMore()
        {
            while (sent < all.Length)
            {
                int taken = server.Send(all.AsSpan(sent), SocketFlags.None, out SocketError error);
                if (error != SocketError.Success) return;
                sent += taken;
            }
        }

        // What fits into the buffers of the system, and none of ours.
        SendMore();
        Assert.InRange(sent, 1, all.Length - 1);
        Assert.Equal(0, client.ReceivedOctets);
        for (int i = 0; i < messages; i++)
        {
            ValueTask<StreamMessage> receive = client.ReceiveAsync();
            while (!receive.IsCompleted) SendMore();
            StreamMessage message = await receive;
            Assert.Equal(StreamStatus.Done, message.Status);
            Assert.True(message.Octets.Span.SequenceEqual(NumberedSequence.Message(1, i, octets)));
        }

        Assert.Equal(all.Length, client.ReceivedOctets);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(7)]
    [InlineData(4096)]
    public async Task Messages_are_cut_alike_however_the_octets_arrive(int piece)
    {
        (StreamClient client, PausedStream stream) = await Connected();
        byte[][] messages = [TestResponder.Query(1), TestResponder.Query(2, 5000), TestResponder.Query(3, 13),
            TestResponder.Query(4, 12)];
        byte[] all = TcpRig.Frames(messages);
        int at = 0, largest = 0;
        foreach (byte[] message in messages)
        {
            ValueTask<StreamMessage> receive = client.ReceiveAsync();
            while (!receive.IsCompleted)
            {
                int octets = Math.Min(Math.Min(piece, stream.RoomOctets), all.Length - at);
                largest = Math.Max(largest, stream.RoomOctets);
                stream.Arrive(all[at..(at + octets)]);
                at += octets;
            }

            Assert.Equal(message, (await receive).Octets.ToArray());
        }

        Assert.InRange(largest, 1, 16 * 1024);
        await client.DisposeAsync();
    }

    [Fact]
    public async Task A_server_that_does_not_answer_the_connection_is_given_up()
    {
        PausedStream stream = new();
        await using StreamClient client = Client(stream);
        Task<StreamStatus> connect = client.ConnectAsync().AsTask();
        _time.Advance(TimeSpan.FromSeconds(9.9));
        Assert.False(connect.IsCompleted);
        _time.Advance(TimeSpan.FromSeconds(0.2));
        Assert.Equal(StreamStatus.TimedOut, await connect);
        Assert.True(stream.IsDisposed);
        Assert.Equal(StreamStatus.Failed, await client.SendAsync(new byte[12]));
        Assert.Equal(StreamStatus.Failed, (await client.ReceiveAsync()).Status);
        Assert.Equal(0, _wheel.Count);
    }

    [Fact]
    public async Task A_server_that_refuses_the_connection_is_a_failure()
    {
        using PortLease port = PortLease.Take();
        await using StreamClient client = Client(new SocketStream(port.Loopback));
        Assert.Equal(StreamStatus.Failed, await client.ConnectAsync());
    }

    [Fact]
    public async Task A_server_that_takes_nothing_is_given_up()
    {
        (StreamClient client, PausedStream stream) = await Connected();
        stream.TakesAtOnce = 5;
        Assert.Equal(StreamStatus.Done, await client.SendAsync(TestResponder.Query(1)));
        Assert.Equal(TcpRig.Frames(TestResponder.Query(1)), stream.Sent);
        stream.TakesAtOnce = 0;
        Task<StreamStatus> send = client.SendAsync(TestResponder.Query(2)).AsTask();
        _time.Advance(TimeSpan.FromSeconds(11));
        Assert.Equal(StreamStatus.TimedOut, await send);
        await client.DisposeAsync();
    }

    [Fact]
    public async Task A_server_that_is_silent_or_trickles_is_given_up()
    {
        (StreamClient silent, PausedStream _) = await Connected();
        Task<StreamMessage> receive = silent.ReceiveAsync().AsTask();
        _time.Advance(TimeSpan.FromSeconds(29));
        Assert.False(receive.IsCompleted);
        _time.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal(StreamStatus.TimedOut, (await receive).Status);

        (StreamClient trickled, PausedStream stream) = await Connected();
        receive = trickled.ReceiveAsync().AsTask();
        stream.Arrive(0, 100);
        int seconds = 0;
        for (; stream.IsReceiving && seconds < 200; seconds += 20)
        {
            stream.Arrive(1);
            _time.Advance(TimeSpan.FromSeconds(20));
        }

        Assert.InRange(seconds, 60, 80);
        Assert.Equal(StreamStatus.TimedOut, (await receive).Status);
        await silent.DisposeAsync();
        await trickled.DisposeAsync();
        Assert.Equal(0, _wheel.Count);
    }

    [Theory]
    [InlineData(new byte[] { 0, 0 }, StreamStatus.Malformed)]
    [InlineData(new byte[] { 2, 1 }, StreamStatus.Malformed)]
    [InlineData(new byte[] { 0 }, StreamStatus.Failed)]
    [InlineData(new byte[] { 0, 12, 1 }, StreamStatus.Failed)]
    [InlineData(new byte[] { }, StreamStatus.Ended)]
    public async Task What_is_no_message_ends_the_connection(byte[] octets, StreamStatus status)
    {
        (StreamClient client, PausedStream stream) =
            await Connected(new StreamClientOptions { MaxMessageOctets = 512 });
        Task<StreamMessage> receive = client.ReceiveAsync().AsTask();
        if (octets.Length > 0) stream.Arrive(octets);
        if (stream.IsReceiving) stream.Arrive();
        Assert.Equal(status, (await receive).Status);
        Assert.True(stream.IsDisposed);
        await client.DisposeAsync();
    }

    [Fact]
    public async Task Disposing_it_ends_what_waits()
    {
        (StreamClient client, PausedStream stream) = await Connected();
        stream.TakesAtOnce = 0;
        Task<StreamMessage> receive = client.ReceiveAsync().AsTask();
        Task<StreamStatus> send = client.SendAsync(new byte[20]).AsTask();
        await client.DisposeAsync();
        Assert.Equal(StreamStatus.Failed, (await receive).Status);
        Assert.Equal(StreamStatus.Failed, await send);
        Assert.Equal(StreamStatus.Failed, (await client.ReceiveAsync()).Status);
        await client.DisposeAsync();
        Assert.Equal(0, _wheel.Count);
    }

    [Fact]
    public async Task Closing_it_from_elsewhere_leaves_the_message_that_is_read()
    {
        (StreamClient client, PausedStream stream) = await Connected();
        Task<StreamMessage> receive = client.ReceiveAsync().AsTask();
        int bytes = stream.RoomOctets;
        stream.Arrive(TcpRig.Frames(TestResponder.Query(1)));
        StreamMessage message = await receive;
        client.Close();
        Array.Fill(ArrayPool<byte>.Shared.Rent(bytes), (byte)0xFF);
        Assert.Equal(TestResponder.Query(1), message.Octets.ToArray());
        Assert.True(stream.IsDisposed);
        Assert.Equal(StreamStatus.Failed, (await client.ReceiveAsync()).Status);
        await client.DisposeAsync();
        Assert.Equal(0, _wheel.Count);
    }

    [Fact]
    public async Task A_server_that_drips_less_than_it_has_to_is_dropped_however_it_cuts_its_messages()
    {
        StreamClientOptions options = new() { LeastOctets = 1024, MessageTimeout = TimeSpan.FromHours(1) };
        (StreamClient client, PausedStream stream) = await Connected(options);
        StreamStatus status = StreamStatus.Done;
        for (int i = 0; i < 100 && status == StreamStatus.Done; i++)
        {
            Task<StreamMessage> receiving = client.ReceiveAsync().AsTask();
            _time.Advance(TimeSpan.FromSeconds(3));
            if (!stream.IsDisposed) stream.Arrive(TcpRig.Frames(new byte[20]));
            status = (await receiving).Status;
        }
        Assert.Equal(StreamStatus.TimedOut, status);
        Assert.InRange(_time.Elapsed.TotalSeconds, 30, 34);
        await client.DisposeAsync();
    }

    [Fact]
    public async Task Time_in_which_the_caller_asks_for_nothing_is_not_the_server_s()
    {
        (StreamClient client, PausedStream stream) = await Connected(new() { LeastOctets = 1024 });
        for (int i = 0; i < 100; i++)
        {
            Task<StreamMessage> receiving = client.ReceiveAsync().AsTask();
            stream.Arrive(TcpRig.Frames(new byte[20]));
            Assert.Equal(StreamStatus.Done, (await receiving).Status);
            _time.Advance(TimeSpan.FromSeconds(29));
        }
        await client.DisposeAsync();
    }
}
