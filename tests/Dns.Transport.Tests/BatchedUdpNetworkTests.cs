using System.Net;
using System.Net.Sockets;

namespace Dns.Transport.Tests;

/// <summary>The batched listener in networks that the loopback address cannot show.</summary>
public sealed class BatchedUdpNetworkTests
{
    [PrivateNetworkFact]
    public void A_kernel_that_refuses_segments_loses_no_answer_and_is_not_asked_again() =>
        PrivateNetwork.Run(["link set lo up mtu 1000"], () =>
        {
            BusyRig busy = new(segment: true);
            busy.Queue(200, octets: 1100);
            busy.ReceiveAll(200);
            UdpCounters counters = busy.Rig.WaitFor(counters => counters.Sent == 201);
            Assert.Equal(0, counters.Segmented + counters.SendErrors);
            busy.DisposeAsync().AsTask().Wait();
        });

    [PrivateNetworkFact]
    public void Every_address_of_an_interface_answers_for_itself_on_a_wildcard() =>
        PrivateNetwork.Run(
            [
                "link set lo up", "link add d0 type veth peer name d1", "link set d0 up",
                "addr add 192.0.2.1/24 dev d0", "addr add 192.0.2.2/24 dev d0",
                "addr add 2001:db8::1/64 dev d0 nodad", "addr add 2001:db8::2/64 dev d0 nodad",
            ],
            () =>
            {
                AskOnWildcard("0.0.0.0:0", "192.0.2.1", "192.0.2.2", "127.0.0.1");
                AskOnWildcard("[::]:0", "2001:db8::1", "2001:db8::2", "::1");
            });

    private static void AskOnWildcard(string wildcard, params string[] addresses)
    {
        UdpRig rig = new(UdpListenerKind.Batched, wildcard);
        foreach (string asked in addresses)
        {
            using Socket client = UdpRig.ClientOf(new IPEndPoint(IPAddress.Parse(asked), rig.Server.Port));
            Assert.Equal(1, rig.Ask(client, TestResponder.Query(1))[1]);
        }

        rig.DisposeAsync().AsTask().Wait();
    }
}
