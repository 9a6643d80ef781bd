using System.Net;
using System.Net.Sockets;
using System.Runtime.Versioning;
using Dns.Testing;

namespace Dns.Transport.Tests;

/// <summary>
/// The contract and the further guarantees of the batched listener. On other systems than Linux, the fallback.
/// </summary>
[SupportedOSPlatform("linux")]
public sealed class BatchedUdpListenerTests : UdpLoopbackContract
{
    private protected override UdpSetup Setup => UdpListeners.Choose(UdpListenerKind.Batched);

    [LinuxFact]
    public void Linux_has_it()
    {
        Assert.Equal(UdpListenerKind.Batched, UdpListeners.Choose(UdpListenerKind.Auto));
        Assert.Null(UdpListeners.Explain(UdpListenerKind.Auto, UdpListenerKind.Batched));
    }

    [LinuxFact]
    public async Task Datagrams_that_wait_are_taken_in_one_batch()
    {
        await using BusyRig busy = new(segment: false);
        busy.Queue(200);
        busy.ReceiveAll(200);
        UdpCounters counters = busy.Rig.WaitFor(counters => counters.Sent == 201);
        Assert.Equal(MessageBatch.Capacity, busy.Rig.Responder.LargestBatch);
        Assert.True(counters.Batches[6] >= 3);
        Assert.True(counters.Batches[0] >= 1);
        Assert.Equal(0, counters.Segmented);
    }

    [LinuxFact]
    public async Task Answers_of_one_length_to_one_client_go_out_segmented_and_arrive_single()
    {
        await using BusyRig busy = new(segment: true);
        busy.Queue(128);
        busy.ReceiveAll(128);
        Assert.True(busy.Rig.WaitFor(counters => counters.Sent == 129).Segmented >= 64);
    }

    [LinuxFact]
    public async Task Segments_on_a_wildcard_leave_from_the_address_that_was_asked()
    {
        await using BusyRig busy = new(segment: true, "0.0.0.0:0");
        busy.Queue(128);
        busy.ReceiveAll(128);
        Assert.True(busy.Rig.WaitFor(counters => counters.Sent == 129).Segmented >= 64);
    }

    [LinuxFact]
    public async Task Answers_to_one_client_leave_from_the_address_that_each_query_was_sent_to()
    {
        await using BusyRig busy = new(segment: true, "0.0.0.0:0");
        using Socket client =
            new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp) { ReceiveTimeout = UdpRig.TimeoutMs };
        client.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        IPEndPoint[] asked = [.. new[] { "127.0.0.1", "127.0.0.2" }
            .Select(address => new IPEndPoint(IPAddress.Parse(address), busy.Rig.Server.Port))];
        for (ushort id = 0; id < 40; id++)
        {
            client.SendTo(TestResponder.Query(id), asked[id % 2]);
        }

        busy.GoOn();
        byte[] answer = new byte[512];
        for (int i = 0; i < 40; i++)
        {
            EndPoint from = new IPEndPoint(IPAddress.Any, 0);
            client.ReceiveFrom(answer, ref from);
            Assert.Equal(asked[answer[1] % 2], from);
        }

        Assert.True(busy.Rig.WaitFor(counters => counters.Sent == 41).Segmented > 0);
    }

    [LinuxFact]
    public async Task A_batch_of_many_clients_lengths_and_silences_is_sorted_out()
    {
        await using BusyRig busy = new(segment: true);
        Socket[] clients = [.. Enumerable.Range(0, 3).Select(_ => UdpRig.ClientOf(busy.Rig.Server))];
        for (ushort i = 0; i < 180; i++)
        {
            clients[i % 3].Send(i % 5 == 0 ? new byte[3] : TestResponder.Query(i, 20 + i % 2));
        }

        busy.GoOn();
        for (int c = 0; c < 3; c++)
        {
            int[] expected = [.. Enumerable.Range(0, 180).Where(i => i % 3 == c && i % 5 != 0)];
            int[] got = [.. expected.Select(_ => (int)busy.Rig.ReceiveId(clients[c])).Order()];
            Assert.Equal(expected, got);
            clients[c].Dispose();
        }
    }

    [LinuxFact]
    public async Task Answers_of_many_lengths_to_one_client_arrive_as_they_are()
    {
        // Each length twice, so that there is something to group; far more lengths than buckets over all batches.
        await using BusyRig busy = new(segment: true);
        for (ushort id = 1; id <= 512; id++)
        {
            busy.Rig.Client.Send(TestResponder.Query(id, LengthOf(id)));
        }

        busy.GoOn();
        for (int i = 0; i <= 512; i++)
        {
            byte[] answer = busy.Rig.Receive(busy.Rig.Client);
            ushort id = System.Buffers.Binary.BinaryPrimitives.ReadUInt16BigEndian(answer);
            Assert.Equal((id, id == 0 ? 12 : LengthOf(id)), (id, answer.Length));
        }

        UdpCounters counters = busy.Rig.WaitFor(counters => counters.Sent == 513);
        Assert.True(counters.Segmented > 0);

        static int LengthOf(int id) => 20 + (id - 1) / 64 * 32 + id % 32;
    }

    [LinuxTheory]
    [InlineData(1023)]
    [InlineData(1024)]
    [InlineData(1200)]
    public async Task A_group_of_answers_is_no_larger_than_a_datagram_may_be(int octets)
    {
        await using BusyRig busy = new(segment: true);
        busy.Queue(MessageBatch.Capacity, octets);
        busy.ReceiveAll(MessageBatch.Capacity);
        UdpCounters counters = busy.Rig.WaitFor(counters => counters.Sent == MessageBatch.Capacity + 1);
        Assert.Equal((0, 0), (counters.SegmentationRefusals, counters.SendErrors));
        Assert.InRange(counters.Segmented, MessageBatch.Capacity / 2, MessageBatch.Capacity);
    }

    [Theory]
    [InlineData(0, 1)]
    [InlineData(1, 2)]
    [InlineData(2, 65)]
    [InlineData(3, 1)]
    public void Threads_go_round_the_processors_that_are_allowed(int index, int processor) =>
        Assert.Equal(processor, ThreadAffinity.Choose([0b110, 0b10], index));
}
