using System.Net.Sockets;

namespace Dns.Transport.Tests;

/// <summary>Deferred replies over TCP, in any order: RFC 7766 §6.2.1.1 and §7.</summary>
public sealed class TcpLaterAnswerTests
{
    private const ushort Id = LaterAnswers.FirstLater;
    private static readonly TimeSpan JustUnder = TimeSpan.FromSeconds(9.9);
    private static readonly TimeSpan Rest = TimeSpan.FromSeconds(0.2);

    [Fact]
    public async Task Answers_go_out_in_the_order_in_which_they_are_ready()
    {
        LaterAnswers later = new();
        await using TcpRig rig = new(responder: later.Responder);
        using Socket client = rig.Connect();
        client.Send(Queries(Id, 3));
        Dictionary<ushort, ReplyPath> taken = later.Next(3);
        Assert.Equal(7, TcpRig.Ask(client, TestResponder.Query(7))[1]);
        foreach (ushort id in new ushort[] { Id + 2, Id, Id + 1 })
        {
            Assert.True(taken[id].Transport.IsReliable);
            Assert.Equal(65535, taken[id].RoomOctets);
            Assert.Equal(client.LocalEndPoint, taken[id].Client.ToEndPoint());
            taken[id].Send(LaterAnswers.AnswerTo(id, 60000));
            Assert.Equal(LaterAnswers.AnswerTo(id, 60000), TcpRig.ReceiveMessage(client));
        }

        rig.WaitFor(counters => counters is { Received: 4, Sent: 4 });
        Assert.Equal(8, TcpRig.Ask(client, TestResponder.Query(8))[1]);
    }

    [Fact]
    public async Task An_answer_sent_before_the_call_is_over_arrives()
    {
        TestResponder responder = new()
        {
            IsLater = _ => true,
            Taken = (path, id) => path.Send(LaterAnswers.AnswerTo(id)),
        };
        await using TcpRig rig = new(responder: responder);
        using Socket client = rig.Connect();
        client.Send(Queries(Id, 3));
        for (ushort id = Id; id < Id + 3; id++)
        {
            Assert.Equal(LaterAnswers.AnswerTo(id), TcpRig.ReceiveMessage(client));
        }
    }

    [Fact]
    public async Task Ten_thousand_later_answers_from_four_threads_arrive_once_each()
    {
        const int queries = 10_000;
        LaterAnswers later = new();
        await using TcpRig rig = new(responder: later.Responder);
        using Socket client = rig.Connect();
        Task ask = Task.Run(() => client.Send(Queries(Id, queries)));
        Task[] senders = [.. Enumerable.Range(0, 4).Select(_ => Task.Run(() =>
        {
            for (int i = 0; i < queries / 4; i++)
            {
                (ReplyPath path, ushort id) = later.Next();
                path.Send(LaterAnswers.AnswerTo(id, 20 + id % 100));
            }
        }))];
        List<int> got = [];
        for (int i = 0; i < queries; i++)
        {
            byte[] answer = TcpRig.ReceiveMessage(client);
            int id = answer[0] << 8 | answer[1];
            Assert.Equal(20 + id % 100, answer.Length);
            got.Add(id);
        }

        await Task.WhenAll([ask, .. senders]);
        Assert.Equal(Enumerable.Range(Id, queries), got.Order());
        rig.WaitFor(counters => counters is { Received: queries, Sent: queries, Undelivered: 0 });
    }

    [Fact]
    public async Task At_a_hundred_outstanding_queries_the_client_is_not_read_from()
    {
        LaterAnswers later = new();
        await using TcpRig rig = new(responder: later.Responder);
        using Socket client = rig.Connect();
        client.Send(Queries(Id, 150));
        Dictionary<ushort, ReplyPath> first = later.Next(100);
        rig.WaitFor(counters => counters.Received == 100);
        client.Send(TcpRig.Frames(TestResponder.Query(7)));
        first[Id].Send(LaterAnswers.AnswerTo(Id));
        Assert.Equal(LaterAnswers.AnswerTo(Id), TcpRig.ReceiveMessage(client));
        Assert.Equal(Id + 100, later.Next().Id);
        foreach (ReplyPath path in first.Values.Skip(1))
        {
            path.Abandon();
        }

        Assert.Equal(49, later.Next(49).Count);
        Assert.Equal(7, TcpRig.ReceiveMessage(client)[1]);
    }

    [Fact]
    public async Task Queries_held_back_are_read_when_all_before_them_are_abandoned()
    {
        LaterAnswers later = new();
        await using TcpRig rig = new(new TcpLimits { MaxOutstandingQueries = 1 }, later.Responder);
        using Socket client = rig.Connect();
        for (ushort i = 0; i < 200; i += 2)
        {
            client.Send(Queries((ushort)(Id + i), 2));
            later.Next().Path.Abandon();
            later.Next().Path.Abandon();
        }

        rig.WaitFor(counters => counters.Received == 200);
    }

    [Fact]
    public async Task A_client_that_has_sent_its_FIN_still_gets_its_later_answers()
    {
        LaterAnswers later = new();
        await using TcpRig rig = new(responder: later.Responder);
        using Socket client = rig.Connect();
        client.Send(Queries(Id, 2));
        client.Shutdown(SocketShutdown.Send);
        foreach ((ushort id, ReplyPath path) in later.Next(2))
        {
            path.Send(LaterAnswers.AnswerTo(id));
            Assert.Equal(LaterAnswers.AnswerTo(id), TcpRig.ReceiveMessage(client));
        }

        Assert.True(TcpRig.IsClosed(client));
    }

    [Fact]
    public async Task A_length_of_zero_ends_the_connection_after_the_later_answers_before_it()
    {
        LaterAnswers later = new();
        await using TcpRig rig = new(responder: later.Responder);
        using Socket client = rig.Connect();
        client.Send([.. Queries(Id, 1), 0, 0]);
        later.Next().Path.Send(LaterAnswers.AnswerTo(Id));
        Assert.Equal(LaterAnswers.AnswerTo(Id), TcpRig.ReceiveMessage(client));
        Assert.True(TcpRig.IsClosed(client));
    }

    [Fact]
    public async Task A_connection_that_waits_for_an_answer_is_not_idle()
    {
        LaterAnswers later = new();
        await using TcpRig rig = new(new TcpLimits { MaxConnections = 1 }, later.Responder);
        using Socket client = rig.Connect();
        client.Send(Queries(Id, 1));
        ReplyPath path = later.Next().Path;
        rig.WaitFor(counters => counters.Received == 1);
        rig.Clock.Advance(2 * JustUnder);
        using Socket refused = rig.ConnectUnseen();
        Assert.True(TcpRig.IsClosed(refused));
        path.Send(LaterAnswers.AnswerTo(Id));
        Assert.Equal(LaterAnswers.AnswerTo(Id), TcpRig.ReceiveMessage(client));
        rig.WaitFor(counters => counters.Sent == 1);
        rig.Clock.Advance(JustUnder);
        Assert.Equal(1, rig.Listeners.Table.Counters.Open);
        rig.Clock.Advance(Rest);
        Assert.True(TcpRig.IsClosed(client));
    }

    [Fact]
    public async Task An_answer_that_never_comes_ends_the_connection_in_the_end()
    {
        LaterAnswers later = new();
        await using TcpRig rig = new(new TcpLimits { MaxOutstandingQueries = 1 }, later.Responder);
        using Socket client = rig.Connect();
        client.Send(Queries(Id, 1));
        ReplyPath path = later.Next().Path;
        rig.WaitFor(counters => counters.Received == 1);
        rig.Clock.Advance(3 * JustUnder + Rest);
        Assert.Equal(1, rig.Listeners.Table.Counters.Open);
        rig.Clock.Advance(TimeSpan.FromSeconds(1));
        Assert.True(TcpRig.IsClosed(client));
        rig.WaitFor(counters => counters is { Open: 0, TimedOut: 1 });
        Assert.True(SpinWait.SpinUntil(() => rig.Pool.Outstanding == 0, TcpRig.TimeoutMs));
        path.Send(LaterAnswers.AnswerTo(Id));
        Assert.Equal(1, rig.Listeners.Table.Counters.Undelivered);
    }

    [Fact]
    public async Task Later_answers_give_a_message_that_is_not_whole_no_more_time()
    {
        LaterAnswers later = new();
        await using TcpRig rig = new(responder: later.Responder);
        using Socket client = rig.Connect();
        client.Send([.. Queries(Id, 3), 0xFF, 0xFF]);
        Dictionary<ushort, ReplyPath> taken = later.Next(3);
        rig.WaitFor(counters => counters.Received == 3);
        for (ushort i = 0; i < 2; i++)
        {
            rig.Clock.Advance(TimeSpan.FromSeconds(4));
            taken[(ushort)(Id + i)].Send(LaterAnswers.AnswerTo((ushort)(Id + i)));
            TcpRig.ReceiveMessage(client);
            rig.WaitFor(counters => counters.Sent == i + 1);
        }

        rig.Clock.Advance(TimeSpan.FromSeconds(1.9));
        Assert.Equal(1, rig.Listeners.Table.Counters.Open);
        rig.Clock.Advance(Rest);
        Assert.True(TcpRig.IsClosed(client));
    }

    [Fact]
    public async Task An_answer_for_a_connection_that_ended_does_not_reach_the_next_one()
    {
        LaterAnswers later = new();
        await using TcpRig rig = new(responder: later.Responder);
        ReplyPath stale;
        using (Socket gone = rig.Connect())
        {
            gone.Send(Queries(Id, 1));
            stale = later.Next().Path;
            gone.LingerState = new LingerOption(true, 0);
        }

        rig.WaitFor(counters => counters.Open == 0);
        Assert.True(SpinWait.SpinUntil(() => rig.Pool.Outstanding == 0, TcpRig.TimeoutMs));
        using Socket next = rig.Connect();
        next.Send(Queries(Id + 1, 1));
        ReplyPath current = later.Next().Path;
        stale.Send(LaterAnswers.AnswerTo(Id));
        stale.Abandon();
        current.Send(LaterAnswers.AnswerTo(Id + 1));
        Assert.Equal(LaterAnswers.AnswerTo(Id + 1), TcpRig.ReceiveMessage(next));
        rig.WaitFor(counters => counters is { Undelivered: 1, Sent: 1 });
    }

    [Fact]
    public async Task A_client_that_does_not_take_its_later_answers_holds_a_bounded_buffer()
    {
        LaterAnswers later = new();
        await using TcpRig rig = new(new TcpLimits { SendBufferBytes = 64 * 1024 }, later.Responder);
        using Socket client = rig.Connect();
        client.ReceiveBufferSize = 64 * 1024;
        client.Send(Queries(Id, 100));
        foreach ((ushort id, ReplyPath path) in later.Next(100))
        {
            path.Send(LaterAnswers.AnswerTo(id, 60000));
        }

        rig.WaitFor(counters => counters.Undelivered > 50);
        Assert.True(rig.Pool.Largest <= 4, $"{rig.Pool.Largest} buffers");
        // The deadline of a send begins with the send, which another thread may begin after the time has gone on once.
        rig.WaitFor(counters =>
        {
            if (counters.Open > 0) rig.Clock.Advance(JustUnder + Rest);
            return counters.Open == 0;
        });
        Assert.True(SpinWait.SpinUntil(() => rig.Pool.Outstanding == 0, TcpRig.TimeoutMs));
    }

    [Fact]
    public async Task A_stop_waits_for_later_answers_and_reads_nothing_more()
    {
        LaterAnswers later = new();
        await using TcpRig rig = new(responder: later.Responder);
        using Socket client = rig.Connect();
        client.Send(Queries(Id, 2));
        Dictionary<ushort, ReplyPath> taken = later.Next(2);
        rig.WaitFor(counters => counters.Received == 2);
        Task stop = rig.Listeners.StopAsync(TcpRig.Grace);
        taken[Id].Send(LaterAnswers.AnswerTo(Id));
        Assert.Equal(LaterAnswers.AnswerTo(Id), TcpRig.ReceiveMessage(client));
        Assert.False(stop.IsCompleted);
        taken[Id + 1].Send(LaterAnswers.AnswerTo(Id + 1));
        Assert.Equal(LaterAnswers.AnswerTo(Id + 1), TcpRig.ReceiveMessage(client));
        Assert.True(TcpRig.IsClosed(client));
        await stop.WaitAsync(TimeSpan.FromMilliseconds(TcpRig.TimeoutMs));
    }

    [Fact]
    public async Task An_answer_after_the_stop_goes_nowhere()
    {
        LaterAnswers later = new();
        await using TcpRig rig = new(responder: later.Responder);
        using Socket client = rig.Connect();
        client.Send(Queries(Id, 1));
        ReplyPath path = later.Next().Path;
        await rig.Listeners.StopAsync(TimeSpan.FromMilliseconds(50));
        path.Send(LaterAnswers.AnswerTo(Id));
        Assert.True(TcpRig.IsClosed(client));
        Assert.Equal(1, rig.Listeners.Table.Counters.Undelivered);
    }

    [Fact]
    public async Task Resets_with_answers_to_come_leak_nothing()
    {
        LaterAnswers later = new();
        await using TcpRig rig = new(responder: later.Responder);
        for (int i = 0; i < 100; i++)
        {
            using Socket client = rig.ConnectUnseen();
            client.Send(Queries(Id, 2));
            later.Next().Path.Send(LaterAnswers.AnswerTo(Id, 5000));
            client.LingerState = new LingerOption(true, 0);
            client.Dispose();
            later.Next().Path.Send(LaterAnswers.AnswerTo(Id, 5000));
        }

        rig.WaitFor(counters => counters is { Open: 0, Accepted: 100 });
        Assert.True(SpinWait.SpinUntil(() => rig.Pool.Outstanding == 0, TcpRig.TimeoutMs));
    }

    private static byte[] Queries(int first, int count) => TcpRig.Frames(
        [.. Enumerable.Range(first, count).Select(id => TestResponder.Query((ushort)id))]);
}
