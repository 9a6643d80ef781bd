using System.Net;
using System.Net.Sockets;

namespace Dns.Transport.Tests;

/// <summary>What a listener survives that only a network of its own can show. Both listeners alike.</summary>
public abstract class UdpAdversityContract
{
    private const ushort Id = LaterAnswers.FirstLater;

    private protected abstract UdpListenerKind Kind { get; }

    [PrivateNetworkFact]
    public async Task An_interface_that_goes_down_and_returns_is_served_again()
    {
        using VethPair network = new();
        LaterAnswers later = new();
        await using UdpRig rig = new(
            new UdpSetup(Kind, network), responder: later.Responder, with: one => one with { Workers = 1 });
        rig.Ask(TestResponder.Query(1));
        rig.Client.Send(TestResponder.Query(Id));
        ReplyPath path = later.Next().Path;
        network.Servers.Ip("link set d0 down");
        path.Send(LaterAnswers.AnswerTo(Id));
        rig.WaitFor(counters => counters is { Sent: 1, SendErrors: 1 });
        network.Servers.Ip("link set d0 up");
        AskUntilAnswered(rig, rig.Client, 2);
    }

    [PrivateNetworkFact]
    public async Task A_destination_that_the_system_refuses_costs_only_its_own_answers()
    {
        const int each = 8;
        using VethPair network = new();
        LaterAnswers later = new();
        await using UdpRig rig = new(
            new UdpSetup(Kind, network), responder: later.Responder, with: one => one with { Workers = 1 });
        using Socket other = ClientAt(rig, network, "192.0.2.101");
        for (int i = 0; i < each; i++)
        {
            other.Send(TestResponder.Query((ushort)(Id + 2 * i)));
            rig.Client.Send(TestResponder.Query((ushort)(Id + 2 * i + 1)));
        }

        Dictionary<ushort, ReplyPath> taken = later.Next(2 * each);
        network.Servers.Ip("route add unreachable 192.0.2.101/32");
        foreach ((ushort id, ReplyPath path) in taken.OrderBy(one => one.Key))
        {
            path.Send(LaterAnswers.AnswerTo(id));
        }

        int[] got = [.. Enumerable.Range(0, each).Select(_ => (int)rig.ReceiveId(rig.Client)).Order()];
        Assert.Equal(Enumerable.Range(0, each).Select(i => Id + 2 * i + 1), got);
        rig.WaitFor(counters => counters is { Sent: each, SendErrors: each });
    }

    [PrivateNetworkFact]
    public async Task An_answer_at_once_that_the_system_refuses_is_counted_and_the_next_is_sent()
    {
        using VethPair network = new();
        TestResponder responder = new()
        {
            IsLater = id =>
            {
                if (id == 66)
                {
                    network.Servers.Ip("route add unreachable 192.0.2.101/32");
                }

                return false;
            },
        };
        await using UdpRig rig = new(
            new UdpSetup(Kind, network), responder: responder, with: one => one with { Workers = 1 });
        using Socket other = ClientAt(rig, network, "192.0.2.101");
        other.Send(TestResponder.Query(66));
        rig.WaitFor(counters => counters is { Received: 1, SendErrors: 1 });
        Assert.Equal(2, rig.Ask(TestResponder.Query(2))[1]);
    }

    [PrivateNetworkFact]
    public async Task A_port_that_nobody_listens_on_any_more_loses_no_neighbour()
    {
        const int each = 8;
        using VethPair network = new();
        LaterAnswers later = new();
        await using UdpRig rig = new(
            new UdpSetup(Kind, network), responder: later.Responder, with: one => one with { Workers = 1 });
        Socket gone = rig.NewClient();
        for (int i = 0; i < each; i++)
        {
            gone.Send(TestResponder.Query((ushort)(Id + 2 * i)));
            rig.Client.Send(TestResponder.Query((ushort)(Id + 2 * i + 1)));
        }

        Dictionary<ushort, ReplyPath> taken = later.Next(2 * each);
        gone.Dispose();
        for (ushort id = Id; id < Id + 2 * each; id += 2)
        {
            // The ICMP error of the first arrives before the second is received.
            taken[id].Send(LaterAnswers.AnswerTo(id));
            taken[(ushort)(id + 1)].Send(LaterAnswers.AnswerTo((ushort)(id + 1)));
            Assert.Equal(id + 1, rig.ReceiveId(rig.Client));
            Assert.Equal(7, rig.Ask(TestResponder.Query(7))[1]);
        }

        rig.WaitFor(counters => counters is { Sent: 3 * each, SendErrors: 0, ReceiveErrors: 0 });
    }

    [PrivateNetworkFact]
    public async Task Answers_to_a_neighbour_that_does_not_exist_fill_the_send_buffer_for_a_moment_only()
    {
        const int queries = 40;
        using VethPair network = new();
        LaterAnswers later = new();
        await using UdpRig rig = new(
            new UdpSetup(Kind, network), responder: later.Responder,
            with: one => one with { Workers = 1, SocketBufferBytes = 4096 });
        using Socket vanishing = ClientAt(rig, network, "192.0.2.150");
        List<ReplyPath> paths = [];
        for (ushort id = Id; id < Id + queries; id++)
        {
            vanishing.Send(TestResponder.Query(id));
            paths.Add(later.Next().Path);
        }

        network.Clients.Ip("addr del 192.0.2.150/24 dev d1");
        network.Servers.Ip("ntable change name arp_cache dev d0 retrans 50");
        network.Servers.Ip("neigh flush dev d0");
        paths.ForEach(path => path.Send(LaterAnswers.AnswerTo(Id, 1200)));
        UdpCounters counters = rig.WaitFor(counters => counters.Sent + counters.SendErrors == queries);
        Assert.InRange(counters.SendErrors, 1, queries - 1);
        AskUntilAnswered(rig, rig.Client, 2);
    }

    [PrivateNetworkTheory]
    [InlineData("fe80::53%d1")]
    [InlineData("2001:db8::1")]
    public async Task A_client_with_an_address_of_the_link_is_answered_on_its_link(string asked)
    {
        using VethPair network = new();
        network.Servers.Ip("addr add fe80::53/64 dev d0 nodad");
        network.Clients.Ip("addr add fe80::100/64 dev d1 nodad");

        // Another link, and the better one for who does not know which link the client is on.
        network.Servers.Ip("link add d8 type veth peer name d9");
        network.Servers.Ip("link set d8 up");
        network.Servers.Ip("link set d9 up");
        network.Servers.Ip("-6 route add fe80::/64 dev d9 metric 1");
        LaterAnswers later = new();
        await using UdpRig rig = new(new UdpSetup(Kind, network), "[::]:0", later.Responder);
        using Socket client = rig.Setup.Client(() =>
        {
            Socket socket = new(AddressFamily.InterNetworkV6, SocketType.Dgram, ProtocolType.Udp);
            socket.Bind(new IPEndPoint(IPAddress.Parse("fe80::100%d1"), 0));
            socket.Connect(new IPEndPoint(IPAddress.Parse(asked), rig.Server.Port));
            return socket;
        });
        AskUntilAnswered(rig, client, 2);
        client.ReceiveTimeout = UdpRig.TimeoutMs;
        client.Send(TestResponder.Query(Id));
        later.Next().Path.Send(LaterAnswers.AnswerTo(Id));
        Assert.True(SpinWait.SpinUntil(() => rig.ReceiveId(client) == Id, UdpRig.TimeoutMs));
    }

    private static Socket ClientAt(UdpRig rig, VethPair network, string address)
    {
        network.Clients.Ip($"addr add {address}/24 dev d1");
        return rig.Setup.Client(() =>
        {
            Socket client = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
            client.Bind(new IPEndPoint(IPAddress.Parse(address), 0));
            client.Connect(rig.Server);
            return client;
        });
    }

    /// <summary>Asks again and again, as a client does while a path is not there yet.</summary>
    private static void AskUntilAnswered(UdpRig rig, Socket client, ushort id)
    {
        byte[] room = new byte[512];
        client.ReceiveTimeout = 50;
        Assert.True(
            SpinWait.SpinUntil(
                () =>
                {
                    try
                    {
                        client.Send(TestResponder.Query(id));
                        return client.Receive(room) == 12 && room[1] == id;
                    }
                    catch (SocketException)
                    {
                        return false;
                    }
                },
                2 * UdpRig.TimeoutMs),
            rig.Listener.Counters.ToString());
    }
}

public sealed class PortableAdversityTests : UdpAdversityContract
{
    private protected override UdpListenerKind Kind => UdpListenerKind.Portable;
}

public sealed class BatchedAdversityTests : UdpAdversityContract
{
    private protected override UdpListenerKind Kind => UdpListenerKind.Batched;
}
