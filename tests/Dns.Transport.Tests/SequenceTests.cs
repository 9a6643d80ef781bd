using System.Buffers;
using System.Buffers.Binary;
using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using Dns.Testing;

namespace Dns.Transport.Tests;

/// <summary>Replies of several messages, which the connection pulls as its client reads.</summary>
[Collection("alone")]
public sealed class SequenceTests
{
    private const ushort First = 1000;
    private const int SmallSend = 16 * 1024;
    private static readonly TimeSpan Window = TimeSpan.FromSeconds(30);

    private readonly ConcurrentDictionary<ushort, NumberedSequence> _sequences = [];
    private readonly ConcurrentDictionary<ushort, ReplyPath> _paths = [];
    private readonly ConcurrentQueue<ushort> _refused = [];

    private TestResponder Responder => new()
    {
        IsLater = id => id >= First,
        Taken = (path, id) =>
        {
            _paths[id] = path;
            if (path.TryStream(_sequences[id])) return;
            _refused.Enqueue(id);
            path.Send(TestResponder.Query(id));
        },
    };

    private NumberedSequence Add(
        ushort id, int messages, int octets, Func<int, SequenceStep?>? pulling = null, Action? disposing = null) =>
        _sequences[id] = new NumberedSequence(id, messages, octets) { Pulling = pulling, Disposing = disposing };

    private static void Ask(Socket client, params ushort[] ids) =>
        client.Send(TcpRig.Frames([.. ids.Select(id => TestResponder.Query(id))]));

    private static void AssertDisposedOnce(params NumberedSequence[] sequences)
    {
        foreach (NumberedSequence sequence in sequences)
        {
            Assert.True(SpinWait.SpinUntil(() => sequence.Disposed > 0, TcpRig.TimeoutMs));
        }

        Assert.All(sequences, sequence => Assert.Equal(1, sequence.Disposed));
    }

    private static void ReceiveAll(Socket client, ushort id, int messages, int octets, int from = 0)
    {
        for (int i = from; i < messages; i++)
        {
            Assert.Equal(NumberedSequence.Message(id, i, octets), TcpRig.ReceiveMessage(client));
        }
    }

    [Fact]
    public async Task Ten_thousand_messages_arrive_in_order_and_the_connection_goes_on()
    {
        await using TcpRig rig = new(responder: Responder);
        NumberedSequence sequence = Add(First, 10_000, 700);
        using Socket client = rig.Connect();
        Ask(client, First);
        ReceiveAll(client, First, 10_000, 700);
        AssertDisposedOnce(sequence);
        Assert.Equal(7, TcpRig.Ask(client, TestResponder.Query(7))[1]);
        rig.WaitFor(counters => counters.Sent == 10_001);
        Assert.Equal(0, rig.Listeners.Turns.Running);
    }

    [Fact]
    public async Task A_sequence_holds_one_buffer_and_allocates_nothing_for_a_message()
    {
        TcpListeners listeners =
            new(new TcpLimits { SendBufferBytes = SmallSend }, TimeProvider.System, ArrayPool<byte>.Shared);
        using Socket client =
            new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { ReceiveTimeout = TcpRig.TimeoutMs };
        client.Connect(TcpRig.Listen(listeners).Address.EndPoint);
        listeners.Start(Responder);
        byte[] room = new byte[64 * 1024];
        long most = 0;
        for (ushort id = First; id < First + 2; id++)
        {
            NumberedSequence sequence = Add(id, 10_000, 2000);
            long before = GC.GetTotalAllocatedBytes(precise: true);
            Ask(client, id);
            for (long left = 10_000 * 2002; left > 0;)
            {
                left -= client.Receive(room);
                most = Math.Max(most, listeners.Memory.Held);
            }

            long allocated = GC.GetTotalAllocatedBytes(precise: true) - before;
            AssertDisposedOnce(sequence);

            // The first one allocates everything that is retained; a buffer or two may come from the pool of another
            // thread.
            if (id > First) Assert.InRange(allocated, 0, 10_000 * 50);
        }

        // A pool's buffer for the rest of a turn is of the next power of two.
        Assert.InRange(most, 1, 128 * 1024 + IncomingFrames.SmallBytes);
        await listeners.StopAsync(TcpRig.Grace);
    }

    [Fact]
    public async Task A_client_that_reads_slowly_is_not_cut_off()
    {
        const int messages = 40, octets = 10_000;
        await using TcpRig rig = new(new TcpLimits { SendBufferBytes = SmallSend }, Responder);
        NumberedSequence sequence = Add(First, messages, octets);
        using Socket client = rig.ConnectUnseen(receiveBufferBytes: 4096);
        Ask(client, First);
        Assert.True(SpinWait.SpinUntil(() => sequence.Written > 0, TcpRig.TimeoutMs));
        using MemoryStream read = new();
        byte[] room = new byte[6000];
        while (read.Length < messages * (octets + 2))
        {
            // About 200 octets a second, for half an hour.
            rig.Clock.Advance(Window - TimeSpan.FromSeconds(1));
            int wanted = (int)Math.Min(room.Length, messages * (octets + 2) - read.Length);
            for (int done = 0; done < wanted;)
            {
                int received = client.Receive(room.AsSpan(0, wanted - done));
                Assert.True(received > 0,
                    $"{read.Length} octets, {sequence.Written} messages, {rig.Listeners.Counters}");
                read.Write(room, 0, received);
                done += received;
            }
        }

        byte[] expected =
            TcpRig.Frames([.. Enumerable.Range(0, messages).Select(i => NumberedSequence.Message(First, i, octets))]);
        Assert.Equal(expected, read.ToArray());
        AssertDisposedOnce(sequence);

        // Also when the sequence is at its end and only its last octets are on their way.
        Assert.Equal(5, TcpRig.Ask(client, TestResponder.Query(5))[1]);
    }

    [Fact]
    public async Task A_client_that_stops_reading_is_cut_off()
    {
        await using TcpRig rig = new(new TcpLimits { SendBufferBytes = SmallSend }, Responder);
        NumberedSequence sequence = Add(First, 1000, 10_000);
        using Socket client = rig.ConnectUnseen(receiveBufferBytes: 4096);
        Ask(client, First);
        Assert.True(SpinWait.SpinUntil(() => sequence.Written > 0, TcpRig.TimeoutMs));
        rig.Clock.Advance(Window);
        Assert.Equal(0, sequence.Disposed);

        // What its system took at first may have bought it one window.
        for (int i = 0; i < 3 && rig.Listeners.Counters.TimedOut == 0; i++) rig.Clock.Advance(Window);
        AssertDisposedOnce(sequence);
        Assert.Equal(1, rig.WaitFor(counters => counters.Open == 0).TimedOut);
    }

    [Fact]
    public async Task After_a_sequence_the_connection_has_the_usual_idle_time()
    {
        await using TcpRig rig = new(responder: Responder);
        TcpLimits limits = new();
        NumberedSequence sequence = Add(First, 100, 10_000);
        using Socket client = rig.Connect();
        Ask(client, First);
        ReceiveAll(client, First, 100, 10_000);
        AssertDisposedOnce(sequence);
        rig.WaitFor(counters => counters.Sent == 100);
        rig.Clock.Advance(limits.IdleTimeout * 0.9);
        Assert.Equal(7, TcpRig.Ask(client, TestResponder.Query(7))[1]);
        // TCP_QUICKACK: received octets are acknowledged at once, not only with the next segment sent.
        if (OperatingSystem.IsLinux()) client.SetRawSocketOption(6, 12, BitConverter.GetBytes(1));
        for (int i = 0; i < 3; i++) rig.Clock.Advance(limits.IdleTimeout * 0.5);
        Assert.Equal(1, rig.WaitFor(counters => counters.Open == 0).TimedOut);
    }

    [Fact]
    public async Task Other_queries_of_the_connection_are_answered_in_between()
    {
        await using TcpRig rig = new(responder: Responder);
        const int messages = 5000, octets = 4000;
        Add(First, messages, octets);
        using Socket client = rig.Connect();
        Ask(client, First);
        int numbered = 0, others = 0, lastOther = 0;
        while (numbered < messages)
        {
            byte[] message = TcpRig.ReceiveMessage(client);
            if (BinaryPrimitives.ReadUInt16BigEndian(message) == First)
            {
                Assert.Equal(numbered, BinaryPrimitives.ReadInt32BigEndian(message.AsSpan(4)));
                if (numbered++ % 500 == 0) Ask(client, 7);
            }
            else
            {
                others++;
                lastOther = numbered;
            }
        }

        // The last ones may come behind the end.
        Assert.InRange(others, 5, 10);
        Assert.InRange(lastOther, 500, messages);
    }

    [Fact]
    public async Task Sequences_of_one_connection_take_turns_and_a_fifth_is_refused()
    {
        await using TcpRig rig = new(responder: Responder);
        ushort[] ids = [First, First + 1, First + 2, First + 3, First + 4];
        NumberedSequence[] sequences = [.. ids.Select(id => Add(id, 200, 10_000))];
        using Socket client = rig.Connect();
        Ask(client, ids);
        Dictionary<ushort, int> seen = [];
        for (int i = 0; i < 801; i++)
        {
            ushort id = BinaryPrimitives.ReadUInt16BigEndian(TcpRig.ReceiveMessage(client));
            seen[id] = seen.GetValueOrDefault(id) + 1;
            if (i == 400) Assert.All(ids[..4], one => Assert.InRange(seen[one], 80, 120));
        }

        Assert.Equal([200, 200, 200, 200, 1], ids.Select(id => seen[id]));
        Assert.Equal([ids[4]], _refused);
        AssertDisposedOnce(sequences[..4]);
        Assert.Equal(0, sequences[4].Disposed);
    }

    [Fact]
    public async Task As_many_run_as_may_and_the_others_are_refused_by_value()
    {
        const int most = 6, all = 10;
        await using TcpRig rig = new(new TcpLimits { MaxSequences = most, SendBufferBytes = SmallSend }, Responder);
        List<Socket> clients = [];
        for (ushort i = 0; i < all; i++)
        {
            Add((ushort)(First + i), 100, 20_000);
            Socket client = rig.ConnectUnseen(receiveBufferBytes: 4096);
            Ask(client, (ushort)(First + i));
            ushort id = (ushort)(First + i);
            Assert.True(SpinWait.SpinUntil(() => _sequences[id].Pulls > 0 || _refused.Contains(id), TcpRig.TimeoutMs));
            clients.Add(client);
        }

        Assert.Equal((most, all - most), (rig.Listeners.Turns.Running, (int)rig.Listeners.Turns.Refused));
        for (int i = 0; i < all; i++)
        {
            ushort id = (ushort)(First + i);
            if (i < most) ReceiveAll(clients[i], id, 100, 20_000);
            else Assert.Equal(TestResponder.Query(id), TcpRig.ReceiveMessage(clients[i]));
        }

        AssertDisposedOnce([.. _sequences.Values.Where(sequence => sequence.Pulls > 0)]);
        Assert.Equal((0, 0), (rig.Listeners.Turns.Running, rig.Listeners.Turns.Queued));
        Add(First, 3, 100);
        Ask(clients[0], First);
        ReceiveAll(clients[0], First, 3, 100);
        clients.ForEach(client => client.Dispose());
    }

    [Fact]
    public async Task Many_readers_get_turns_alike()
    {
        const int readers = 12, messages = 400, octets = 30_000;
        await using TcpRig rig = new(responder: Responder);
        Add(First, messages, octets);
        List<int> pulledAtEnd = [];
        for (ushort i = 1; i < readers; i++) Add((ushort)(First + i), messages, octets);
        _sequences[First] = new NumberedSequence(First, messages, octets)
        {
            Disposing = () => pulledAtEnd.AddRange(_sequences.Values.Select(sequence => sequence.Written)),
        };
        Thread[] threads =
        [
            .. Enumerable.Range(0, readers).Select(i => new Thread(() =>
            {
                using Socket client = rig.ConnectUnseen();
                Ask(client, (ushort)(First + i));
                ReceiveAll(client, (ushort)(First + i), messages, octets);
            })),
        ];
        foreach (Thread thread in threads) thread.Start();
        foreach (Thread thread in threads) thread.Join();
        AssertDisposedOnce([.. _sequences.Values]);

        // When one has all, none has been left behind.
        Assert.Equal(readers, pulledAtEnd.Count);
        Assert.Equal(readers * messages, _sequences.Values.Sum(sequence => sequence.Written));
    }

    [Fact]
    public async Task A_sequence_that_waits_is_pulled_when_it_is_woken_and_not_before()
    {
        await using TcpRig rig = new(responder: Responder);
        int available = 0;
        NumberedSequence sequence = Add(First, 3, 100,
            number => number == Volatile.Read(ref available) && number < 3 ? SequenceStep.Waiting : null);
        using Socket client = rig.Connect();
        Ask(client, First);
        for (int i = 0; i < 3; i++)
        {
            Assert.True(SpinWait.SpinUntil(() => sequence.Pulls == 2 * i + 1, TcpRig.TimeoutMs),
                $"{i}: {sequence.Pulls}");

            // The client owes nothing: it waits for us, however long.
            rig.Clock.Advance(TimeSpan.FromMinutes(10));
            Assert.Equal(5, TcpRig.Ask(client, TestResponder.Query(5))[1]);
            Assert.Equal(2 * i + 1, sequence.Pulls);
            Volatile.Write(ref available, i + 1);
            _paths[First].Wake();
            ReceiveAll(client, First, i + 1, 100, from: i);
        }

        AssertDisposedOnce(sequence);
        _paths[First].Wake();
    }

    [Fact]
    public async Task A_message_that_does_not_fit_behind_others_comes_with_the_next_turn()
    {
        await using TcpRig rig = new(responder: Responder);
        NumberedSequence sequence = Add(First, 20, 65_535);
        Add(First + 1, 20, 40_000);
        using Socket client = rig.Connect();
        Ask(client, First);
        ReceiveAll(client, First, 20, 65_535);
        Ask(client, First + 1);
        ReceiveAll(client, First + 1, 20, 40_000);
        AssertDisposedOnce([.. _sequences.Values]);
        Assert.Equal(20, sequence.Written);
    }

    public static TheoryData<string> Ends => ["failed", "throws", "no room", "disposal throws"];

    [Theory]
    [MemberData(nameof(Ends))]
    public async Task A_sequence_that_cannot_be_completed_ends_its_connection(string how)
    {
        await using TcpRig rig = new(responder: Responder);
        Action? disposing = how == "disposal throws" ? () => throw new InvalidOperationException() : null;
        NumberedSequence sequence = Add(First, 100, 1000, number => number < 2 ? null : how switch
        {
            "throws" => throw new InvalidOperationException(),
            "no room" => SequenceStep.NeedsRoom,
            _ => SequenceStep.Failed,
        }, disposing);
        using Socket client = rig.Connect();
        Ask(client, First);
        if (how != "throws") ReceiveAll(client, First, 2, 1000);
        Assert.True(TcpRig.IsClosed(client));
        AssertDisposedOnce(sequence);
        Assert.Equal(how == "failed" ? 0 : 1, rig.WaitFor(counters => counters.Open == 0).Faults);
        using Socket other = rig.Connect();
        Assert.Equal(5, TcpRig.Ask(other, TestResponder.Query(5))[1]);
        Assert.Equal(0, rig.Listeners.Turns.Running);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_client_that_goes_away_has_its_sequences_disposed_once(bool isReset)
    {
        await using TcpRig rig = new(new TcpLimits { SendBufferBytes = SmallSend }, Responder);
        NumberedSequence streaming = Add(First, 10_000, 10_000);
        NumberedSequence waiting = Add(First + 1, 1, 100, _ => SequenceStep.Waiting);
        Socket client = rig.Connect(receiveBufferBytes: 4096);
        Ask(client, First, First + 1);
        Assert.True(SpinWait.SpinUntil(() => streaming.Pulls > 0 && waiting.Pulls > 0, TcpRig.TimeoutMs));
        if (isReset) client.LingerState = new LingerOption(true, 0);
        client.Dispose();
        AssertDisposedOnce(streaming, waiting);
        rig.WaitFor(counters => counters.Open == 0);
        Assert.False(_paths[First].TryStream(streaming));
        _paths[First + 1].Wake();
        Assert.Equal(0, rig.Listeners.Turns.Running);
    }

    [Fact]
    public async Task A_client_that_has_only_ended_its_side_gets_the_whole_sequence()
    {
        await using TcpRig rig = new(responder: Responder);
        NumberedSequence sequence = Add(First, 500, 10_000);
        using Socket client = rig.Connect();
        Ask(client, First);
        client.Shutdown(SocketShutdown.Send);
        ReceiveAll(client, First, 500, 10_000);
        Assert.True(TcpRig.IsClosed(client));
        AssertDisposedOnce(sequence);
    }

    [Fact]
    public async Task A_stop_ends_what_is_under_way()
    {
        TcpRig rig = new(new TcpLimits { SendBufferBytes = SmallSend }, Responder);
        NumberedSequence blocked = Add(First, 10_000, 10_000);
        NumberedSequence waiting = Add(First + 1, 1, 100, _ => SequenceStep.Waiting);
        using Socket first = rig.Connect();
        using Socket second = rig.Connect();
        first.ReceiveBufferSize = 4096;
        Ask(first, First);
        Ask(second, First + 1);
        Assert.True(SpinWait.SpinUntil(() => blocked.Pulls > 0 && waiting.Pulls > 0, TcpRig.TimeoutMs));
        await rig.Listeners.StopAsync(TimeSpan.FromMilliseconds(300));
        AssertDisposedOnce(blocked, waiting);
        await rig.DisposeAsync();
    }

    [Fact]
    public void Turns_go_round_and_end_with_their_connection()
    {
        SequenceTurns turns = new(1);
        TcpConnection[] all = [new(), new(), new()];
        Assert.Equal([true, false, false], all.Select(turns.TryTake));
        Assert.Equal(2, turns.Queued);
        turns.Leave(all[1]);
        turns.Leave(all[0]);
        Assert.Equal([false, false, true], all.Select(turns.TryTake));
        turns.Leave(all[2]);
        Assert.Equal((TurnState.Given, 1), (all[0].Turn, turns.Queued));
        turns.Leave(all[0]);
        turns.Leave(all[0]);
        turns.Leave(all[1]);
        Assert.Equal(0, turns.Queued);
        Assert.True(turns.TryTake(all[2]));
    }
}
