using System.Net;
using System.Net.Sockets;
using Dns.Testing;

namespace Dns.Transport.Tests;

/// <summary>What every UDP listener promises; one class a listener derives from it.</summary>
public abstract class UdpListenerContract
{
    private protected abstract UdpSetup Setup { get; }

    [Fact]
    public async Task An_answer_is_made_of_the_octets_of_its_query()
    {
        await using UdpRig rig = new(Setup);
        byte[] query = TestResponder.Query(7, 40);
        Assert.Equal(TestResponder.Answer(query), rig.Ask(query));
    }

    [IPv6Fact]
    public async Task A_query_over_IPv6_is_answered()
    {
        await using UdpRig rig = new(Setup, "[::1]:0");
        byte[] query = TestResponder.Query(7, 40);
        Assert.Equal(TestResponder.Answer(query), rig.Ask(query));
        Assert.Equal(rig.Client.LocalEndPoint, rig.Responder.LastClient.ToEndPoint());
    }

    [Fact]
    public async Task The_responder_sees_who_asked()
    {
        await using UdpRig rig = new(Setup);
        rig.Ask(TestResponder.Query(1));
        Assert.Equal(rig.Client.LocalEndPoint, rig.Responder.LastClient.ToEndPoint());
    }

    [Fact]
    public async Task A_datagram_that_fills_its_slot_is_whole()
    {
        await using UdpRig rig = new(Setup);
        byte[] query = TestResponder.Query(9, rig.Options.SlotOctets);
        Assert.Equal(TestResponder.Answer(query), rig.Ask(query));
    }

    [Fact]
    public async Task A_query_with_hundreds_of_options_fits_its_slot()
    {
        await using UdpRig rig = new(Setup);
        byte[] query = TestResponder.Query(9, 2000);
        Assert.Equal(TestResponder.Answer(query), rig.Ask(query));
    }

    [Fact]
    public async Task A_datagram_longer_than_its_slot_is_reported_as_such()
    {
        await using UdpRig rig = new(Setup);
        Assert.Equal(12, rig.Ask(TestResponder.Query(9, rig.Options.SlotOctets + 1)).Length);
        Assert.Equal(12, rig.Ask(TestResponder.Query(9, 60000)).Length);
    }

    [Fact]
    public async Task The_slot_follows_the_largest_answer()
    {
        await using UdpRig rig = new(Setup, with: options => options with { MaxUdpPayload = 65535 });
        Assert.Equal(30000, rig.Ask(TestResponder.Query(3, 12, answerOctets: 30000)).Length);
    }

    [Fact]
    public async Task An_answer_of_length_zero_is_silence()
    {
        await using UdpRig rig = new(Setup);
        rig.Client.Send(new byte[11]);
        Assert.Equal(5, rig.Ask(TestResponder.Query(5))[1]);
        rig.WaitFor(counters => counters is { Received: 2, Sent: 1, Unanswered: 1 });
    }

    [Fact]
    public async Task A_query_longer_than_the_answer_before_it_is_whole()
    {
        await using UdpRig rig = new(Setup, with: options => options with { Workers = 1 });
        for (byte filler = 1; filler <= 3; filler++)
        {
            rig.Ask(TestResponder.Query(filler));
            byte[] query = TestResponder.Query(filler, 40);
            query.AsSpan(12).Fill(filler);
            Assert.Equal(TestResponder.Answer(query), rig.Ask(query));
        }
    }

    [RawSocketFact]
    public async Task A_query_after_one_that_was_refused_is_answered_to_its_client()
    {
        await using UdpRig rig = new(Setup, with: options => options with { Workers = 1 });
        for (ushort id = 1; id <= 3; id++)
        {
            rig.Forge(0, TestResponder.Query(1));
            rig.WaitFor(counters => counters.Received == 2 * id - 1);
            Assert.Equal(id, rig.Ask(TestResponder.Query(id))[1]);
        }

        rig.WaitFor(counters => counters is { Received: 6, Sent: 3, Unanswered: 3 });
    }

    [Fact]
    public async Task An_empty_datagram_does_not_end_the_loop()
    {
        await using UdpRig rig = new(Setup, with: options => options with { Workers = 1 });
        rig.Client.Send(Array.Empty<byte>());
        Assert.Equal(5, rig.Ask(TestResponder.Query(5))[1]);
    }

    [RawSocketFact]
    public async Task A_query_from_port_0_is_dropped()
    {
        await using UdpRig rig = new(Setup, with: options => options with { Workers = 1 });
        rig.Forge(0, TestResponder.Query(1));
        UdpCounters counters = rig.WaitFor(counters => counters.Received == 1 && counters.Unanswered == 1);
        Assert.Equal(0, counters.Sent + counters.SendErrors);
    }

    [Fact]
    public async Task Every_query_of_many_clients_is_answered_to_its_client()
    {
        const int clients = 20;
        const int each = 50;
        await using UdpRig rig = new(Setup);
        Socket[] sockets = [.. Enumerable.Range(0, clients).Select(_ => rig.NewClient())];
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
        await using UdpRig rig = new(Setup, with: options => options with { Workers = 1 });
        for (int i = 0; i < 20; i++)
        {
            using Socket gone = rig.NewClient();
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
        ReportedExceptions reported = new();
        await using UdpRig rig = new(
            Setup, "127.0.0.1:0", responder, options => options with { Workers = 1, Exceptions = reported });
        rig.Client.Send(TestResponder.Query(1, 40));
        rig.WaitFor(counters => counters.Faults == 1);
        Assert.Equal(2, rig.Ask(TestResponder.Query(2))[1]);
        (string loop, Exception exception, byte[] message) = Assert.Single(reported.All);
        Assert.Equal(TransportLoops.UdpReceive, loop);
        Assert.IsType<InvalidOperationException>(exception);
        Assert.Equal(TestResponder.Query(1, 40), message);
    }

    [Fact]
    public async Task A_datagram_after_one_that_did_not_fit_has_its_own_length()
    {
        await using UdpRig rig = new(Setup, with: options => options with { Workers = 1 });
        for (int i = 0; i < 3; i++)
        {
            Assert.Equal(12, rig.Ask(TestResponder.Query(9, 60000)).Length);
            Assert.Equal(40, rig.Ask(TestResponder.Query(7, 40)).Length);
        }
    }

    [Theory]
    [InlineData("127.0.0.1")]
    [InlineData("127.0.0.2")]
    public async Task On_a_wildcard_answers_leave_from_the_address_that_was_asked(string asked)
    {
        await using UdpRig rig = new(Setup, "0.0.0.0:0");
        using Socket client = rig.NewClient(IPAddress.Parse(asked));
        for (ushort id = 1; id <= 20; id++)
        {
            Assert.Equal(id, rig.Ask(client, TestResponder.Query(id))[1]);
        }
    }

    [IPv6Fact]
    public async Task On_the_IPv6_wildcard_answers_leave_from_the_address_that_was_asked()
    {
        await using UdpRig rig = new(Setup, "[::]:0");
        for (ushort id = 1; id <= 20; id++)
        {
            Assert.Equal(id, rig.Ask(TestResponder.Query(id))[1]);
        }
    }

    [LinuxFact]
    public async Task A_receive_buffer_that_overruns_is_counted_and_survived()
    {
        await using BusyRig busy = new(setup: Setup, with: options => options with { SocketBufferBytes = 1 });
        busy.Queue(200, octets: 1000);
        busy.GoOn();
        UdpCounters counters = busy.Rig.WaitFor(counters => counters.KernelDrops > 0
            && counters.Received == counters.Sent && counters.Received + counters.KernelDrops >= 201);
        for (long i = 0; i < counters.Sent; i++)
        {
            busy.Rig.Receive(busy.Rig.Client);
        }

        Assert.Equal(9, busy.Rig.Ask(TestResponder.Query(9))[1]);
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
        await using UdpRig rig = new(Setup, "127.0.0.1:0", responder);
        rig.Client.Send(TestResponder.Query(4));
        Assert.True(reading.Wait(UdpRig.TimeoutMs));
        Task stop = rig.Listener.StopAsync(UdpRig.Grace);
        Assert.False(stop.IsCompleted);
        goOn.Set();
        Assert.Equal(4, rig.ReceiveId(rig.Client));
        await stop;
    }

    [Fact]
    public async Task The_receive_buffer_granted_can_be_read()
    {
        await using UdpRig rig = new(Setup);
        Assert.True(rig.Listener.Counters.ReceiveBufferBytes > 0);
    }
}
