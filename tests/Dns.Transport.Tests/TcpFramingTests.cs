using System.Net.Sockets;

namespace Dns.Transport.Tests;

/// <summary>Messages on a stream: RFC 1035 §4.2.2, RFC 7766 §6 and §8.</summary>
public sealed class TcpFramingTests
{
    [Fact]
    public async Task Two_queries_in_one_segment_get_two_answers()
    {
        await using TcpRig rig = new();
        using Socket client = rig.Connect();
        byte[] first = TestResponder.Query(1, 30);
        byte[] second = TestResponder.Query(2, 50);
        client.Send(TcpRig.Frames(first, second));
        Assert.Equal(TestResponder.Answer(first), TcpRig.ReceiveMessage(client));
        Assert.Equal(TestResponder.Answer(second), TcpRig.ReceiveMessage(client));
    }

    [IPv6Fact]
    public async Task A_query_over_IPv6_is_answered_and_shows_who_asked()
    {
        await using TcpRig rig = new(address: "[::1]:0");
        using Socket client = rig.Connect();
        Assert.Equal(1, TcpRig.Ask(client, TestResponder.Query(1))[1]);
        Assert.Equal(client.LocalEndPoint, rig.Responder.LastClient.ToEndPoint());
    }

    [Fact]
    public async Task One_octet_a_segment_is_answered()
    {
        await using TcpRig rig = new();
        using Socket client = rig.Connect();
        byte[] query = TestResponder.Query(1, 30);
        foreach (byte octet in TcpRig.Frames(query))
        {
            client.Send([octet]);
        }

        Assert.Equal(TestResponder.Answer(query), TcpRig.ReceiveMessage(client));
    }

    [Fact]
    public async Task Two_messages_cut_at_any_octet_are_answered()
    {
        await using TcpRig rig = new();
        using Socket client = rig.Connect();
        byte[] first = TestResponder.Query(1, 14);
        byte[] second = TestResponder.Query(2, 13);
        byte[] frames = TcpRig.Frames(first, second);
        for (int cut = 1; cut < frames.Length; cut++)
        {
            client.Send(frames[..cut]);
            client.Send(frames[cut..]);
            Assert.Equal(TestResponder.Answer(first), TcpRig.ReceiveMessage(client));
            Assert.Equal(TestResponder.Answer(second), TcpRig.ReceiveMessage(client));
        }
    }

    [Fact]
    public void Frames_are_cut_alike_however_the_octets_arrive()
    {
        byte[][] messages =
            [TestResponder.Query(1, 12), TestResponder.Query(2, 3000), TestResponder.Query(3, 65535)];
        byte[] octets = TcpRig.Frames(messages);
        foreach (int step in new[] { 1, 7, 2047, 2048, 2049, 65536, octets.Length })
        {
            PoisonedArrayPool pool = new();
            Assert.Equal(messages, Cut(octets, step, pool));
            Assert.Equal(0, pool.Outstanding);
        }
    }

    [Fact]
    public void A_buffer_grows_with_what_has_arrived_and_not_with_what_was_announced()
    {
        PoisonedArrayPool pool = new();
        IncomingFrames incoming = new();
        Assert.True(incoming.TryOpen(new PooledStreamBuffers(pool)));
        incoming.Room().Span[..2].Fill(0xFF);
        incoming.Advance(2);
        for (int arrived = 2; arrived < 65537;)
        {
            int room = incoming.Room().Length;
            Assert.InRange(room, 1, Math.Max(2048, arrived));
            Assert.InRange(pool.OutstandingBytes, arrived + 1, Math.Max(2048, 2 * arrived));
            Assert.Equal(FrameStatus.Partial, incoming.TryTake(out _));
            incoming.Advance(room);
            arrived += room;
        }

        Assert.Equal(FrameStatus.Whole, incoming.TryTake(out ReadOnlySpan<byte> message));
        Assert.Equal(65535, message.Length);
        Assert.Equal(2048, incoming.Room().Length);
        Assert.Equal(2048, pool.OutstandingBytes);
        incoming.Close();
        Assert.Equal(0, pool.Outstanding);
    }

    [Fact]
    public async Task A_hundred_pipelined_queries_are_answered()
    {
        await using TcpRig rig = new();
        using Socket client = rig.Connect();
        int[] asked = [.. Enumerable.Range(0, 100)];
        client.Send(TcpRig.Frames([.. asked.Select(i => TestResponder.Query((ushort)i, 40))]));
        Assert.Equal(asked, asked.Select(_ => (int)TcpRig.ReceiveMessage(client)[1]).ToArray().Order());
    }

    [Fact]
    public async Task The_largest_message_passes_both_ways()
    {
        await using TcpRig rig = new();
        using Socket client = rig.Connect();
        byte[] query = TestResponder.Query(1, 65535);
        Assert.Equal(TestResponder.Answer(query), TcpRig.Ask(client, query));
        Assert.Equal(32000, TcpRig.Ask(client, TestResponder.Query(2, 12, 32000)).Length);
    }

    [Fact]
    public async Task A_length_of_zero_ends_the_connection_after_the_answers_before_it()
    {
        await using TcpRig rig = new();
        using Socket client = rig.Connect();
        client.Send([.. TcpRig.Frames(TestResponder.Query(1)), 0, 0]);
        Assert.Equal(1, TcpRig.ReceiveMessage(client)[1]);
        Assert.True(TcpRig.IsClosed(client));
    }

    [Fact]
    public async Task A_client_that_has_sent_its_FIN_still_gets_its_answers()
    {
        await using TcpRig rig = new();
        using Socket client = rig.Connect();
        client.Send(TcpRig.Frames(TestResponder.Query(1), TestResponder.Query(2, 12, 30000)));
        client.Shutdown(SocketShutdown.Send);
        Assert.Equal(1, TcpRig.ReceiveMessage(client)[1]);
        Assert.Equal(30000, TcpRig.ReceiveMessage(client).Length);
        Assert.True(TcpRig.IsClosed(client));
    }

    [Fact]
    public async Task A_message_without_an_answer_leaves_the_connection_open()
    {
        await using TcpRig rig = new();
        using Socket client = rig.Connect();
        client.Send(TcpRig.Frames(new byte[11], TestResponder.Query(2)));
        Assert.Equal(2, TcpRig.ReceiveMessage(client)[1]);
    }

    [Fact]
    public async Task An_exception_of_the_responder_costs_only_its_connection()
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
        await using TcpRig rig = new(responder: responder);
        using Socket first = rig.Connect();
        using Socket second = rig.Connect();
        first.Send(TcpRig.Frames(TestResponder.Query(1)));
        Assert.True(TcpRig.IsClosed(first));
        Assert.Equal(2, TcpRig.Ask(second, TestResponder.Query(2))[1]);
        Assert.Equal(1, rig.Listeners.Table.Counters.Faults);
        (string loop, Exception error, byte[] message) = Assert.Single(rig.Exceptions.All);
        Assert.Equal(TransportLoops.TcpConnection, loop);
        Assert.IsType<InvalidOperationException>(error);
        Assert.Equal(TestResponder.Query(1), message);
    }

    private static List<byte[]> Cut(byte[] octets, int step, PoisonedArrayPool pool)
    {
        IncomingFrames incoming = new();
        Assert.True(incoming.TryOpen(new PooledStreamBuffers(pool)));
        List<byte[]> found = [];
        for (int done = 0; done < octets.Length;)
        {
            Memory<byte> room = incoming.Room();
            int count = Math.Min(Math.Min(step, room.Length), octets.Length - done);
            octets.AsSpan(done, count).CopyTo(room.Span);
            incoming.Advance(count);
            done += count;
            while (incoming.TryTake(out ReadOnlySpan<byte> message) == FrameStatus.Whole)
            {
                found.Add(message.ToArray());
            }
        }

        incoming.Close();
        return found;
    }
}
