using System.Net;
using System.Net.NetworkInformation;
using System.Net.Sockets;

namespace Dns.Transport.Tests;

/// <summary>What every UDP listener promises; one class a listener derives from it.</summary>
public abstract class UdpListenerContract
{
    private protected abstract UdpListenerKind Kind { get; }

    [Fact]
    public async Task An_answer_is_made_of_the_octets_of_its_query()
    {
        await using UdpRig rig = new(Kind);
        byte[] query = TestResponder.Query(7, 40);
        Assert.Equal(TestResponder.Answer(query), rig.Ask(query));
    }

    [IPv6Fact]
    public async Task A_query_over_IPv6_is_answered()
    {
        await using UdpRig rig = new(Kind, "[::1]:0");
        byte[] query = TestResponder.Query(7, 40);
        Assert.Equal(TestResponder.Answer(query), rig.Ask(query));
        Assert.Equal(rig.Client.LocalEndPoint, rig.Responder.LastClient.ToEndPoint());
    }

    [Fact]
    public async Task The_responder_sees_who_asked()
    {
        await using UdpRig rig = new(Kind);
        rig.Ask(TestResponder.Query(1));
        Assert.Equal(rig.Client.LocalEndPoint, rig.Responder.LastClient.ToEndPoint());
    }

    [Fact]
    public async Task A_datagram_that_fills_its_slot_is_whole()
    {
        await using UdpRig rig = new(Kind);
        byte[] query = TestResponder.Query(9, rig.Options.SlotOctets);
        Assert.Equal(TestResponder.Answer(query), rig.Ask(query));
    }

    [Fact]
    public async Task A_query_with_hundreds_of_options_fits_its_slot()
    {
        await using UdpRig rig = new(Kind);
        byte[] query = TestResponder.Query(9, 2000);
        Assert.Equal(TestResponder.Answer(query), rig.Ask(query));
    }

    [Fact]
    public async Task A_datagram_longer_than_its_slot_is_reported_as_such()
    {
        await using UdpRig rig = new(Kind);
        Assert.Equal(12, rig.Ask(TestResponder.Query(9, rig.Options.SlotOctets + 1)).Length);
        Assert.Equal(12, rig.Ask(TestResponder.Query(9, 60000)).Length);
    }

    [Fact]
    public async Task The_slot_follows_the_largest_answer()
    {
        await using UdpRig rig = new(Kind, with: options => options with { MaxUdpPayload = 65535 });
        Assert.Equal(30000, rig.Ask(TestResponder.Query(3, 12, answerOctets: 30000)).Length);
    }

    [Fact]
    public async Task An_answer_of_length_zero_is_silence()
    {
        await using UdpRig rig = new(Kind);
        rig.Client.Send(new byte[11]);
        Assert.Equal(5, rig.Ask(TestResponder.Query(5))[1]);
        rig.WaitFor(counters => counters is { Received: 2, Sent: 1, Unanswered: 1 });
    }

    [Fact]
    public async Task An_empty_datagram_does_not_end_the_loop()
    {
        await using UdpRig rig = new(Kind, with: options => options with { Workers = 1 });
        rig.Client.Send(Array.Empty<byte>());
        Assert.Equal(5, rig.Ask(TestResponder.Query(5))[1]);
    }

    [RawSocketFact]
    public async Task A_query_from_port_0_is_dropped()
    {
        await using UdpRig rig = new(Kind, with: options => options with { Workers = 1 });
        rig.Forge(0, TestResponder.Query(1));
        UdpCounters counters = rig.WaitFor(counters => counters.Received == 1 && counters.Unanswered == 1);
        Assert.Equal(0, counters.Sent + counters.SendErrors);
    }

    [RawSocketFact]
    public async Task A_query_from_our_own_address_and_port_is_dropped()
    {
        await using UdpRig rig = new(Kind, with: options => options with { Workers = 1 });
        rig.Forge((ushort)rig.Server.Port, TestResponder.Query(1));
        UdpCounters counters = rig.WaitFor(counters => counters.Received == 1 && counters.Unanswered == 1);
        Assert.Equal(0, counters.Sent);
    }

    [RawSocketFact]
    public async Task A_query_from_our_own_address_is_dropped_on_a_wildcard_too()
    {
        await using UdpRig rig = new(Kind, "0.0.0.0:0", with: options => options with { Workers = 1 });
        rig.Forge((ushort)rig.Server.Port, TestResponder.Query(1));
        UdpCounters counters = rig.WaitFor(counters => counters.Received == 1 && counters.Unanswered == 1);
        Assert.Equal(0, counters.Sent);
    }

    [Fact]
    public async Task Every_query_of_many_clients_is_answered_to_its_client()
    {
        const int clients = 20;
        const int each = 50;
        await using UdpRig rig = new(Kind);
        Socket[] sockets = [.. Enumerable.Range(0, clients).Select(_ => UdpRig.ClientOf(rig.Server))];
        for (int i = 0; i < each; i++)
        {
            for (int c = 0; c < clients; c++)
            {
                sockets[c].Send(TestResponder.Query((ushort)(c * each + i), 30));
            }
        }

        for (int c = 0; c < clients; c++)
        {
            int[] asked = [.. Enumerable.Range(c * each, each)];
            Assert.Equal(asked, asked.Select(_ => (int)rig.ReceiveId(sockets[c])).ToArray().Order());
            sockets[c].Dispose();
        }

        rig.WaitFor(counters => counters is { Received: 1000, Sent: 1000, KernelDrops: 0 });
    }

    [Fact]
    public async Task A_client_that_is_gone_does_not_disturb_the_others()
    {
        await using UdpRig rig = new(Kind, with: options => options with { Workers = 1 });
        for (int i = 0; i < 20; i++)
        {
            using Socket gone = UdpRig.ClientOf(rig.Server);
            gone.Send(TestResponder.Query(1));
            gone.Dispose();
            Assert.Equal(2, rig.Ask(TestResponder.Query(2))[1]);
        }
    }

    [Fact]
    public async Task An_exception_of_the_responder_is_counted_and_survived()
    {
        bool thrown = false;
        TestResponder responder = new()
        {
            Answering = () =>
            {
                if (!thrown)
                {
                    thrown = true;
                    throw new InvalidOperationException();
                }
            },
        };
        await using UdpRig rig = new(Kind, "127.0.0.1:0", responder, options => options with { Workers = 1 });
        rig.Client.Send(TestResponder.Query(1));
        rig.WaitFor(counters => counters.Faults == 1);
        Assert.Equal(2, rig.Ask(TestResponder.Query(2))[1]);
    }

    [Theory]
    [InlineData("127.0.0.1")]
    [InlineData("127.0.0.2")]
    public async Task On_a_wildcard_answers_leave_from_the_address_that_was_asked(string asked)
    {
        await using UdpRig rig = new(Kind, "0.0.0.0:0");
        using Socket client = UdpRig.ClientOf(new IPEndPoint(IPAddress.Parse(asked), rig.Server.Port));
        for (ushort id = 1; id <= 20; id++)
        {
            Assert.Equal(id, rig.Ask(client, TestResponder.Query(id))[1]);
        }
    }

    [IPv6Fact]
    public async Task On_the_IPv6_wildcard_answers_leave_from_the_address_that_was_asked()
    {
        await using UdpRig rig = new(Kind, "[::]:0");
        for (ushort id = 1; id <= 20; id++)
        {
            Assert.Equal(id, rig.Ask(TestResponder.Query(id))[1]);
        }
    }

    [IPv6Fact]
    public async Task On_the_IPv6_wildcard_every_address_of_the_loopback_interface_answers_for_itself()
    {
        await using UdpRig rig = new(Kind, "[::]:0");
        foreach (IPAddress asked in LoopbackAddresses())
        {
            using Socket client = UdpRig.ClientOf(new IPEndPoint(asked, rig.Server.Port));
            Assert.Equal(1, rig.Ask(client, TestResponder.Query(1))[1]);
            Assert.Equal(2, rig.Ask(client, TestResponder.Query(2))[1]);
        }
    }

    [IPv6Fact]
    public async Task The_IPv6_wildcard_leaves_IPv4_alone()
    {
        await using UdpRig rig = new(Kind, "[::]:0");
        using Socket other = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        other.Bind(new IPEndPoint(IPAddress.Loopback, rig.Server.Port));
    }

    [Fact]
    public async Task A_port_that_another_listener_shares_among_its_own_sockets_is_in_use()
    {
        await using UdpRig rig = new(Kind);
        foreach (string address in new[] { "127.0.0.1", "0.0.0.0" })
        {
            IPEndPoint taken = new(IPAddress.Parse(address), rig.Server.Port);
            SocketException error =
                Assert.Throws<SocketException>(() => UdpListeners.Bind(Kind, taken, rig.Options));
            Assert.Equal(SocketError.AddressAlreadyInUse, error.SocketErrorCode);
        }
    }

    [Fact]
    public async Task What_was_read_is_answered_before_a_stop()
    {
        using ManualResetEventSlim reading = new();
        using ManualResetEventSlim goOn = new();
        TestResponder responder = new()
        {
            Answering = () =>
            {
                reading.Set();
                Assert.True(goOn.Wait(UdpRig.TimeoutMs));
            },
        };
        await using UdpRig rig = new(Kind, "127.0.0.1:0", responder);
        rig.Client.Send(TestResponder.Query(4));
        Assert.True(reading.Wait(UdpRig.TimeoutMs));
        Task stop = rig.Listener.StopAsync(UdpRig.Grace);
        Assert.False(stop.IsCompleted);
        goOn.Set();
        Assert.Equal(4, rig.ReceiveId(rig.Client));
        await stop;
    }

    [Fact]
    public async Task A_stop_frees_the_port_and_gives_every_buffer_back()
    {
        UdpRig rig = new(Kind, "0.0.0.0:0");
        rig.Ask(TestResponder.Query(1));
        await rig.DisposeAsync();
        Assert.Equal(0, rig.Pool.Outstanding);
        Assert.Equal(1, rig.Listener.Counters.Sent);
        using Socket next = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        next.Bind(new IPEndPoint(IPAddress.Any, rig.Server.Port));
    }

    [Fact]
    public async Task A_listener_that_never_started_can_be_stopped()
    {
        IPEndPoint any = IPEndPoint.Parse("127.0.0.1:0");
        IUdpListener listener = UdpListeners.Bind(Kind, any, new TransportOptions());
        await listener.StopAsync(UdpRig.Grace);
        UdpListeners.Bind(Kind, listener.EndPoint, new TransportOptions()).Dispose();
    }

    [Fact]
    public async Task The_receive_buffer_granted_can_be_read()
    {
        await using UdpRig rig = new(Kind);
        Assert.True(rig.Listener.Counters.ReceiveBufferBytes > 0);
    }

    private static IEnumerable<IPAddress> LoopbackAddresses() => NetworkInterface.GetAllNetworkInterfaces()
        .Where(card => card.NetworkInterfaceType == NetworkInterfaceType.Loopback)
        .SelectMany(card => card.GetIPProperties().UnicastAddresses)
        .Select(address => address.Address)
        .Where(address => address.AddressFamily == AddressFamily.InterNetworkV6);
}
