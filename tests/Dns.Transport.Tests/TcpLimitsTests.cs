using System.Net.Sockets;

namespace Dns.Transport.Tests;

/// <summary>Time-outs, limits and ends of connections: RFC 7766 §6.2, RFC 9210 §4.</summary>
public sealed class TcpLimitsTests
{
    private static readonly TimeSpan JustUnder = TimeSpan.FromSeconds(9.9);
    private static readonly TimeSpan Rest = TimeSpan.FromSeconds(0.2);

    [Fact]
    public async Task An_idle_connection_is_closed_after_ten_seconds_and_not_before()
    {
        await using TcpRig rig = new();
        using Socket client = rig.Connect();
        rig.Clock.Advance(JustUnder);
        Assert.Equal(1, rig.Listeners.Table.Counters.Open);
        rig.Clock.Advance(Rest);
        Assert.True(TcpRig.IsClosed(client));
        Assert.Equal(1, rig.Listeners.Table.Counters.TimedOut);
    }

    [Fact]
    public async Task An_answered_query_restarts_the_idle_time()
    {
        await using TcpRig rig = new();
        using Socket client = rig.Connect();
        rig.Clock.Advance(JustUnder);
        rig.AskAndSettle(client, TestResponder.Query(1));
        rig.Clock.Advance(JustUnder);
        Assert.Equal(2, TcpRig.Ask(client, TestResponder.Query(2))[1]);
    }

    [Fact]
    public async Task A_message_without_an_answer_does_not_restart_the_idle_time()
    {
        await using TcpRig rig = new();
        using Socket client = rig.Connect();
        rig.Clock.Advance(JustUnder);
        client.Send(TcpRig.Frames(new byte[11]));
        rig.WaitFor(counters => counters.Received == 1);
        rig.Clock.Advance(Rest);
        Assert.True(TcpRig.IsClosed(client));
    }

    [Fact]
    public async Task Messages_without_an_answer_buy_no_time_however_they_are_cut()
    {
        await using TcpRig rig = new();
        using Socket client = rig.Connect();
        byte[] junk = TcpRig.Frames(new byte[11]);
        client.Send([.. junk, .. junk[..5]]);
        for (int i = 1; i < 6; i++)
        {
            rig.WaitFor(counters => counters.Received == i);
            rig.Clock.Advance(TimeSpan.FromSeconds(3));
            Assert.Equal(i < 4 ? 1 : 0, rig.Listeners.Table.Counters.Open);
            if (i > 3) break;

            // At times whole, at times with the beginning of the next.
            client.Send(i == 2 ? junk[5..] : [.. junk[5..], .. junk[..5]]);
            if (i == 2)
            {
                rig.WaitFor(counters => counters.Received == 3);
                client.Send(junk[..5]);
            }
        }

        Assert.True(TcpRig.IsClosed(client));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_message_that_begins_after_an_answer_has_a_deadline_of_its_own(bool wasAnswered)
    {
        ManualClock clock = new();
        TcpListeners listeners = new(new TcpLimits(), clock, System.Buffers.ArrayPool<byte>.Shared);
        ConnectionDeadlines deadlines = default;
        deadlines.Open(listeners);
        long first = deadlines.BeginFrame(listeners);
        clock.Advance(TimeSpan.FromSeconds(9));
        Assert.Equal(first, deadlines.BeginFrame(listeners));
        long next = deadlines.AfterTurn(listeners,
            new ConnectionTurn { HasReceived = true, HasSent = wasAnswered, IsPartial = true });
        Assert.Equal(wasAnswered ? listeners.After(listeners.Limits.ReceiveTimeout) : first, next);
    }

    [Fact]
    public async Task A_message_that_never_becomes_whole_is_closed_and_others_are_not()
    {
        await using TcpRig rig = new(new TcpLimits { IdleTimeout = TimeSpan.FromSeconds(60) });
        using Socket stalled = rig.Connect();
        using Socket other = rig.Connect();
        stalled.Send([.. TcpRig.Frames(TestResponder.Query(1)), 0xFF, 0xFF, 1, 2, 3]);
        TcpRig.ReceiveMessage(stalled);
        rig.WaitFor(counters => counters.Received == 1);
        rig.Clock.Advance(JustUnder + Rest);
        Assert.True(TcpRig.IsClosed(stalled));
        Assert.Equal(2, TcpRig.Ask(other, TestResponder.Query(2))[1]);
    }

    [Fact]
    public async Task A_client_that_does_not_read_is_not_read_from_and_holds_a_bounded_buffer()
    {
        await using TcpRig rig = new(new TcpLimits { SendBufferBytes = 64 * 1024 });
        using Socket client = rig.Connect();
        client.ReceiveBufferSize = 64 * 1024;
        client.SendTimeout = 300;
        Assert.Equal(SocketError.TimedOut, SendUntilStuck(client));
        // What was being written is copied once, when it is known that the client does not take it.
        Assert.True(rig.Pool.Largest <= 3, $"{rig.Pool.Largest} buffers");
        Assert.InRange(rig.Listeners.Memory.Held, IncomingFrames.SmallBytes, IncomingFrames.SmallBytes + 128 * 1024);
        rig.Clock.Advance(JustUnder + Rest);
        rig.WaitFor(counters => counters is { Open: 0, TimedOut: 1 });
    }

    [Fact]
    public async Task A_client_that_does_not_read_gives_way_to_a_new_one()
    {
        await using TcpRig rig = new(new TcpLimits { MaxConnections = 1, SendBufferBytes = 64 * 1024 });
        using Socket client = rig.Connect();
        client.ReceiveBufferSize = 64 * 1024;
        client.SendTimeout = 300;
        Assert.Equal(SocketError.TimedOut, SendUntilStuck(client));
        using Socket next = rig.Connect();
        Assert.Equal(2, TcpRig.Ask(next, TestResponder.Query(2))[1]);
        Assert.Equal((1, 1, 0), (rig.Listeners.Table.Counters.Open, rig.Listeners.Table.Counters.Evicted,
            rig.Listeners.Table.Counters.Refused));
    }

    [Fact]
    public async Task A_client_that_reads_late_gets_every_answer()
    {
        const int queries = 300;
        await using TcpRig rig = new(new TcpLimits { SendBufferBytes = 16 * 1024 });
        using Socket client = rig.Connect();
        byte[] frames = TcpRig.Frames(
            [.. Enumerable.Range(0, queries).Select(i => TestResponder.Query((ushort)i, 12, 20000))]);
        Task send = Task.Run(() => client.Send(frames));
        for (int i = 0; i < queries; i++)
        {
            byte[] answer = TcpRig.ReceiveMessage(client);
            Assert.Equal((byte)i, answer[1]);
            Assert.Equal(20000, answer.Length);
        }

        await send;
    }

    [Fact]
    public async Task At_the_limit_of_a_client_its_connection_idle_longest_gives_way()
    {
        await using TcpRig rig = new(new TcpLimits { MaxConnectionsPerClient = 2 });
        using Socket first = rig.Connect();
        using Socket second = rig.Connect();
        rig.AskAndSettle(first, TestResponder.Query(1));
        using Socket third = rig.Connect();
        Assert.True(TcpRig.IsClosed(second));
        Assert.Equal(2, TcpRig.Ask(first, TestResponder.Query(2))[1]);
        Assert.Equal(3, TcpRig.Ask(third, TestResponder.Query(3))[1]);
        Assert.Equal(1, rig.Listeners.Table.Counters.Evicted);
    }

    [Fact]
    public async Task A_message_in_pieces_does_not_make_its_connection_the_last_to_give_way()
    {
        await using TcpRig rig = new(new TcpLimits { MaxConnectionsPerClient = 2 });
        using Socket dribbling = rig.Connect();
        using Socket other = rig.Connect();
        Assert.True(SpinWait.SpinUntil(() => rig.Pool.Outstanding == 2, TcpRig.TimeoutMs));
        dribbling.Send([0xFF, 0xFF, .. new byte[2100]]);

        // What has arrived of the long message makes the server rent a larger buffer: by that it shows that it has
        // read.
        Assert.True(SpinWait.SpinUntil(() => rig.Pool.Largest == 3, TcpRig.TimeoutMs));
        using Socket third = rig.Connect();
        Assert.True(TcpRig.IsClosed(dribbling));
        Assert.Equal(1, TcpRig.Ask(other, TestResponder.Query(1))[1]);
    }

    [Fact]
    public async Task A_connection_is_refused_only_when_none_is_idle()
    {
        using ManualResetEventSlim answering = new();
        using ManualResetEventSlim goOn = new();
        TestResponder responder = new()
        {
            Answering = () =>
            {
                answering.Set();
                Assert.True(goOn.Wait(TcpRig.TimeoutMs));
            },
        };
        await using TcpRig rig = new(new TcpLimits { MaxConnections = 1 }, responder);
        using Socket busy = rig.Connect();
        busy.Send(TcpRig.Frames(TestResponder.Query(1)));
        Assert.True(answering.Wait(TcpRig.TimeoutMs));
        using Socket refused = rig.ConnectUnseen();
        Assert.True(TcpRig.IsClosed(refused));
        goOn.Set();
        Assert.Equal(1, TcpRig.ReceiveMessage(busy)[1]);
        Assert.Equal(1, rig.Listeners.Table.Counters.Refused);
    }

    [Fact]
    public async Task Only_another_time_moves_the_sweep()
    {
        await using TcpRig rig = new(new TcpLimits { IdleTimeout = TimeSpan.FromSeconds(5) });
        // Moved with each change, it would never come while changes come faster than it.
        rig.Listeners.Use(new TcpLimits { IdleTimeout = TimeSpan.FromSeconds(5), MaxConnections = 7 }, null);
        Assert.Equal(0, rig.Clock.TimerChanges);
        rig.Listeners.Use(new TcpLimits { IdleTimeout = TimeSpan.FromSeconds(4) }, null);
        Assert.Equal(1, rig.Clock.TimerChanges);
    }

    [Fact]
    public async Task Limits_change_for_connections_to_come()
    {
        await using TcpRig rig = new();
        using Socket first = rig.Connect();
        using Socket second = rig.Connect();
        rig.Listeners.Use(new TcpLimits { MaxConnectionsPerClient = 2, IdleTimeout = TimeSpan.FromSeconds(1) },
            ProxyHeaders.Loopback);
        using Socket third = rig.Connect();
        Assert.True(TcpRig.IsClosed(first));
        third.Send([.. ProxyHeaders.For("203.0.113.9:4711"), .. TcpRig.Frames(TestResponder.Query(3))]);
        Assert.Equal(3, TcpRig.ReceiveMessage(third)[1]);
        Assert.Equal("203.0.113.9:4711", rig.Responder.LastClient.ToString());
        rig.WaitFor(counters => counters.Sent == 1);
        rig.Clock.Advance(TimeSpan.FromSeconds(1.2));
        Assert.True(TcpRig.IsClosed(third));
        // Connected before: not a proxy, and idle for as long as was said then.
        Assert.Equal(2, TcpRig.Ask(second, TestResponder.Query(2))[1]);
    }

    [Fact]
    public async Task Resets_leak_nothing()
    {
        await using TcpRig rig = new();
        for (int i = 0; i < 100; i++)
        {
            using Socket client = rig.ConnectUnseen();
            client.Send(TcpRig.Frames(TestResponder.Query(1, 12, 30000), TestResponder.Query(2, 12, 30000)));
            client.LingerState = new LingerOption(true, 0);
        }

        rig.WaitFor(counters => counters is { Open: 0, Accepted: > 0 });
        Assert.True(SpinWait.SpinUntil(() => rig.Pool.Outstanding == 0, TcpRig.TimeoutMs));
    }

    [Fact]
    public async Task A_stop_answers_what_was_read_and_closes_idle_connections()
    {
        using ManualResetEventSlim answering = new();
        using ManualResetEventSlim goOn = new();
        TestResponder responder = new()
        {
            Answering = () =>
            {
                answering.Set();
                Assert.True(goOn.Wait(TcpRig.TimeoutMs));
            },
        };
        await using TcpRig rig = new(responder: responder);
        using Socket idle = rig.Connect();
        using Socket busy = rig.Connect();
        busy.Send(TcpRig.Frames(TestResponder.Query(1), TestResponder.Query(2)));
        Assert.True(answering.Wait(TcpRig.TimeoutMs));
        Task stop = rig.Listeners.StopAsync(TcpRig.Grace);
        Assert.True(TcpRig.IsClosed(idle));
        goOn.Set();
        Assert.Equal(1, TcpRig.ReceiveMessage(busy)[1]);
        Assert.Equal(2, TcpRig.ReceiveMessage(busy)[1]);
        Assert.True(TcpRig.IsClosed(busy));
        await stop;
    }

    private static SocketError SendUntilStuck(Socket client)
    {
        byte[] frames = TcpRig.Frames([.. Enumerable.Repeat(TestResponder.Query(1, 12, 30000), 2000)]);
        try
        {
            for (int i = 0; i < 10_000; i++)
            {
                client.Send(frames);
            }

            return SocketError.Success;
        }
        catch (SocketException error)
        {
            return error.SocketErrorCode;
        }
    }
}
