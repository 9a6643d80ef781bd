using System.Net;
using System.Net.Sockets;
using Dns.Testing;

namespace Dns.Transport.Tests;

/// <summary>Conditions of the listeners are logged once each.</summary>
public sealed class ConditionLogTests
{
    private static readonly TimeSpan Period = TimeSpan.FromSeconds(5);

    [Fact]
    public async Task A_server_without_trouble_says_nothing()
    {
        List<string> told = [];
        (ListenerSet set, ManualClock clock, Socket client) = Start(new TestResponder(), told, fault: null);
        using Socket _ = client;
        Ask(client, 1);
        clock.Advance(Period);
        await set.StopAsync(UdpRig.Grace);
        Assert.Empty(told);
    }

    [Fact]
    public async Task A_fault_is_told_once_and_counted_on()
    {
        int left = 5;
        TestResponder responder = new()
        {
            Answering = () =>
            {
                if (Interlocked.Decrement(ref left) >= 0)
                {
                    throw new InvalidOperationException();
                }
            },
        };
        List<string> told = [];
        (ListenerSet set, ManualClock clock, Socket client) = Start(responder, told, fault: null);
        using Socket _ = client;
        for (int i = 1; i <= 5; i++)
        {
            client.Send(TestResponder.Query(1));
            Assert.True(SpinWait.SpinUntil(() => set.ReadUdpCounters().Faults == i, UdpRig.TimeoutMs));
            clock.Advance(Period);
        }

        Ask(client, 2);
        clock.Advance(Period);
        await set.StopAsync(UdpRig.Grace);
        Assert.Equal(
            ["the responder failed; its query is not answered (1 so far; logged once, still counted)"], told);
        Assert.Equal(5, set.ReadUdpCounters().Faults);
    }

    [Fact]
    public async Task A_fault_over_TCP_is_told_like_one_over_UDP()
    {
        TestResponder responder = new() { Answering = () => throw new InvalidOperationException() };
        List<string> told = [];
        (ListenerSet set, ManualClock clock, Socket client) = Start(responder, told, fault: null);
        using Socket _ = client;
        using Socket stream = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        stream.Connect(set.EndPoints[0]);
        stream.Send([0, 12, .. TestResponder.Query(1)]);
        Assert.True(SpinWait.SpinUntil(() => set.ReadTcpCounters().Faults == 1, UdpRig.TimeoutMs));
        clock.Advance(Period);
        await set.StopAsync(UdpRig.Grace);
        Assert.StartsWith("the responder failed; its query is not answered (1 so far", Assert.Single(told));
    }

    [LinuxFact]
    public async Task Each_condition_of_the_batched_listener_is_told_once()
    {
        const int enobufs = 105;
        int calls = 0;
        List<string> told = [];
        (ListenerSet set, ManualClock clock, Socket client) = Start(
            new TestResponder(), told, call => Interlocked.Increment(ref calls) % 3 == 0 ? 0 : -enobufs);
        using Socket _ = client;
        for (ushort id = 0; id < 20; id++)
        {
            client.Send(TestResponder.Query(id));
        }

        Assert.True(SpinWait.SpinUntil(
            () => set.ReadUdpCounters() is { Received: 20, ReceiveErrors: > 1, SendErrors: > 1 }, UdpRig.TimeoutMs));
        clock.Advance(Period);
        clock.Advance(Period);
        await set.StopAsync(UdpRig.Grace);
        Assert.Collection(
            told,
            line => Assert.StartsWith("receiving over UDP failed; the listeners continue (", line),
            line => Assert.StartsWith("the system refused to send answers over UDP; others are sent (", line));
    }

    private static void Ask(Socket client, ushort id)
    {
        client.Send(TestResponder.Query(id));
        Assert.Equal(12, client.Receive(new byte[100]));
    }

    private static (ListenerSet Set, ManualClock Clock, Socket Client) Start(
        TestResponder responder, List<string> told, Func<BatchCall, int>? fault)
    {
        ManualClock clock = new();
        TransportOptions options = new()
        {
            Listeners = [IPEndPoint.Parse("127.0.0.1:0")], Workers = 1, Clock = clock, Fault = fault,
        };
        ListenerSet set = ListenerSet.Bind(options, out IReadOnlyList<BindFailure> failures);
        Assert.Empty(failures);
        set.Start(responder, told.Add);
        return (set, clock, UdpRig.ClientOf(set.EndPoints[0]));
    }
}
