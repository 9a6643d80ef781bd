using System.Net;
using System.Net.Sockets;
using Dns.Testing;

namespace Dns.Transport.Tests;

/// <summary>What every UDP listener promises about deferred replies.</summary>
public abstract class LaterAnswerContract
{
    private const ushort Id = LaterAnswers.FirstLater;

    private protected abstract UdpSetup Setup { get; }

    [Fact]
    public async Task A_later_answer_reaches_who_asked_and_nobody_else()
    {
        LaterAnswers later = new();
        await using UdpRig rig = new(Setup, responder: later.Responder);
        Socket[] clients = [.. Enumerable.Range(0, 8).Select(_ => rig.NewClient())];
        for (int i = 0; i < clients.Length; i++)
        {
            clients[i].Send(TestResponder.Query((ushort)(Id + i)));
        }

        foreach ((ushort id, ReplyPath path) in later.Next(clients.Length).Reverse())
        {
            Assert.Equal(clients[id - Id].LocalEndPoint, path.Client.ToEndPoint());
            Assert.Equal(rig.Options.SlotOctets, path.RoomOctets);
            Assert.False(path.Transport.IsReliable);
            path.Send(LaterAnswers.AnswerTo(id));
        }

        for (int i = 0; i < clients.Length; i++)
        {
            Assert.Equal(Id + i, rig.ReceiveId(clients[i]));
            Assert.Equal(0, clients[i].Available);
            clients[i].Dispose();
        }

        rig.WaitFor(counters => counters is { Received: 8, Sent: 8, Unanswered: 0, SendErrors: 0 });
    }

    [IPv6Fact]
    public async Task A_later_answer_goes_over_IPv6_too()
    {
        LaterAnswers later = new();
        await using UdpRig rig = new(Setup, "[::1]:0", later.Responder);
        rig.Client.Send(TestResponder.Query(Id));
        later.Next().Path.Send(LaterAnswers.AnswerTo(Id));
        Assert.Equal(Id, rig.ReceiveId(rig.Client));
    }

    [Theory]
    [InlineData("127.0.0.1")]
    [InlineData("127.0.0.2")]
    public async Task On_a_wildcard_a_later_answer_leaves_from_the_address_that_was_asked(string asked)
    {
        LaterAnswers later = new();
        await using UdpRig rig = new(Setup, "0.0.0.0:0", later.Responder);
        using Socket client = rig.NewClient(IPAddress.Parse(asked));
        for (ushort id = Id; id < Id + 3; id++)
        {
            client.Send(TestResponder.Query(id));
            later.Next().Path.Send(LaterAnswers.AnswerTo(id));
            Assert.Equal(id, rig.ReceiveId(client));
        }

        rig.WaitFor(counters => counters is { Sent: 3, Unanswered: 0 });
    }

    [IPv6Fact]
    public async Task On_the_IPv6_wildcard_a_later_answer_leaves_from_the_address_that_was_asked()
    {
        LaterAnswers later = new();
        await using UdpRig rig = new(Setup, "[::]:0", later.Responder);
        for (ushort id = Id; id < Id + 3; id++)
        {
            rig.Client.Send(TestResponder.Query(id));
            later.Next().Path.Send(LaterAnswers.AnswerTo(id));
            Assert.Equal(id, rig.ReceiveId(rig.Client));
        }
    }

    [Fact]
    public async Task Answers_at_once_do_not_wait_for_later_ones()
    {
        LaterAnswers later = new();
        await using UdpRig rig = new(Setup, responder: later.Responder, with: one => one with { Workers = 1 });
        rig.Client.Send(TestResponder.Query(Id));
        Assert.Equal(1, rig.Ask(TestResponder.Query(1))[1]);
        later.Next().Path.Send(LaterAnswers.AnswerTo(Id));
        Assert.Equal(Id, rig.ReceiveId(rig.Client));
    }

    [Fact]
    public async Task An_answer_sent_before_the_call_is_over_arrives()
    {
        TestResponder responder = new()
        {
            IsLater = _ => true,
            Taken = (path, id) => path.Send(LaterAnswers.AnswerTo(id)),
        };
        await using UdpRig rig = new(Setup, responder: responder);
        Assert.Equal(12, rig.Ask(TestResponder.Query(Id)).Length);
    }

    [Fact]
    public async Task Ten_thousand_later_answers_from_four_threads_arrive_once_each()
    {
        const int window = 100;
        const int rounds = 100;
        LaterAnswers later = new();
        await using UdpRig rig = new(Setup, responder: later.Responder);
        for (int round = 0; round < rounds; round++)
        {
            ushort[] ids = [.. Enumerable.Range(Id + round * window, window).Select(id => (ushort)id)];
            Array.ForEach(ids, id => rig.Client.Send(TestResponder.Query(id)));
            KeyValuePair<ushort, ReplyPath>[] taken = [.. later.Next(window)];
            Task[] senders = [.. Enumerable.Range(0, 4).Select(part => Task.Run(() =>
            {
                for (int i = part; i < window; i += 4)
                {
                    taken[i].Value.Send(LaterAnswers.AnswerTo(taken[i].Key));
                }
            }))];
            Assert.Equal(ids, ids.Select(_ => rig.ReceiveId(rig.Client)).ToArray().Order());
            await Task.WhenAll(senders);
        }

        Assert.Equal(0, rig.Client.Available);
        rig.WaitFor(counters => counters is { Sent: window * rounds, Unanswered: 0, SendErrors: 0 });
    }

    [Fact]
    public async Task An_answer_longer_than_the_room_is_not_sent_and_counted()
    {
        LaterAnswers later = new();
        await using UdpRig rig = new(Setup, responder: later.Responder);
        rig.Client.Send(TestResponder.Query(Id));
        ReplyPath path = later.Next().Path;
        path.Send(new byte[path.RoomOctets + 1]);
        Assert.Equal(1, rig.Ask(TestResponder.Query(1))[1]);
        rig.WaitFor(counters => counters is { Sent: 1, SendErrors: 1 });
    }

    [Theory]
    [InlineData("127.0.0.1:0")]
    [InlineData("0.0.0.0:0")]
    public async Task A_stop_waits_for_later_answers(string address)
    {
        LaterAnswers later = new();
        await using UdpRig rig = new(Setup, address, later.Responder);
        rig.Client.Send(TestResponder.Query(Id));
        ReplyPath path = later.Next().Path;
        Task stop = rig.Listener.StopAsync(UdpRig.Grace);

        // Another listener that begins to stop later and has nothing to wait for is through.
        await new UdpRig(Setup, address).DisposeAsync();
        Assert.False(stop.IsCompleted);
        path.Send(LaterAnswers.AnswerTo(Id));
        Assert.Equal(Id, rig.ReceiveId(rig.Client));
        await stop.WaitAsync(TimeSpan.FromMilliseconds(UdpRig.TimeoutMs));
        Assert.Equal(1, rig.Listener.Counters.Sent);
    }

    [Fact]
    public async Task A_stop_does_not_wait_for_what_was_abandoned()
    {
        LaterAnswers later = new();
        await using UdpRig rig = new(Setup, responder: later.Responder);
        rig.Client.Send(TestResponder.Query(Id));
        later.Next().Path.Abandon();
        await rig.Listener.StopAsync(TimeSpan.FromMinutes(5)).WaitAsync(TimeSpan.FromMilliseconds(UdpRig.TimeoutMs));
    }

    [Theory]
    [InlineData("127.0.0.1")]
    [InlineData("0.0.0.0")]
    public async Task An_answer_after_the_stop_goes_nowhere(string address)
    {
        LaterAnswers later = new();
        using PortLease port = PortLease.Take();
        await using UdpRig rig = new(Setup, $"{address}:{port.Port}", later.Responder);
        rig.Client.Send(TestResponder.Query(Id));
        ReplyPath path = later.Next().Path;
        await rig.Listener.StopAsync(TimeSpan.FromMilliseconds(50));

        // Whoever gets the descriptor and the port next must not send it.
        using Socket next =
            Setup.Server(() => new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp));
        next.BindOnceFree(rig.Server);
        path.Send(LaterAnswers.AnswerTo(Id));
        next.SendTo(LaterAnswers.AnswerTo(7), rig.Client.LocalEndPoint!);
        Assert.Equal(7, rig.ReceiveId(rig.Client));
        Assert.Equal(0, rig.Client.Available);
    }

    [Fact]
    public void The_default_path_leads_nowhere()
    {
        Assert.Null(Record.Exception(() => default(ReplyPath).Send([1, 2, 3])));
        Assert.Null(Record.Exception(() => default(ReplyPath).Abandon()));
    }
}

public sealed class PortableLaterAnswerTests : LaterAnswerContract
{
    private protected override UdpSetup Setup => UdpListenerKind.Portable;
}

public sealed class BatchedLaterAnswerTests : LaterAnswerContract
{
    private protected override UdpSetup Setup => UdpListeners.Choose(UdpListenerKind.Batched);
}
