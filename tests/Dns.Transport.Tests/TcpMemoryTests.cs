using System.Buffers;
using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace Dns.Transport.Tests;

/// <summary>What all TCP connections together may hold, and accepting while memory is short.</summary>
public sealed class TcpMemoryTests
{
    private const int Bound = 256 * 1024;
    private const int PartOctets = 20_000;
    private const int PartBufferBytes = 32 * 1024;

    [Fact]
    public async Task Messages_that_never_become_whole_hold_a_bounded_sum_and_the_oldest_ends_first()
    {
        await using TcpRig rig = new(new TcpLimits { MaxBufferBytes = Bound });
        List<Socket> hoard = [];
        for (int i = 0; i < 20; i++)
        {
            hoard.Add(SendPart(rig));
            // The last one that fits below half of the bound stays; each one more costs the oldest.
            long wanted = Math.Min(i + 1, 3) * PartBufferBytes;
            Assert.True(SpinWait.SpinUntil(() => rig.Listeners.Memory.Held >= wanted, TcpRig.TimeoutMs),
                $"{i}: {rig.Listeners.Counters}");
            Assert.InRange(rig.Listeners.Counters.BufferBytes, 0, Bound);
        }

        // One for each additional one: memory that the evicted still hold until they end evicts no other.
        TcpCounters evicted = rig.WaitFor(counters => counters.EvictedForMemory >= 15);
        Assert.InRange(evicted.EvictedForMemory, 15, 18);
        Assert.True(TcpRig.IsClosed(hoard[0]));
        using Socket other = rig.Connect();
        Assert.Equal(1, TcpRig.Ask(other, TestResponder.Query(1))[1]);
        hoard.ForEach(socket => socket.Dispose());
        rig.WaitFor(counters => counters.Open == 1);
        Assert.True(SpinWait.SpinUntil(() => rig.Listeners.Memory.Held == IncomingFrames.SmallBytes, TcpRig.TimeoutMs));
    }

    [Fact]
    public async Task Clients_that_do_not_read_hold_a_bounded_sum_and_the_oldest_ends_first()
    {
        await using TcpRig rig = new(new TcpLimits { MaxBufferBytes = Bound, SendBufferBytes = 16 * 1024 });
        byte[] queries = TcpRig.Frames([.. Enumerable.Repeat(TestResponder.Query(1, 12, 60_000), 4)]);
        List<Socket> hoard = [];
        for (int i = 0; i < 10; i++)
        {
            // Small from the first packet on: else the kernel may take all answers, and nothing is held.
            Socket client = rig.Connect(receiveBufferBytes: 4096);
            client.Send(queries);
            hoard.Add(client);
            // Two stay. If memory of the evicted is not released yet, the requesting one ends.
            rig.WaitFor(counters => counters.Accepted - counters.Open >= i - 1);
            Assert.InRange(rig.Listeners.Memory.Held, 0, Bound);
        }

        Assert.True(rig.Listeners.Counters.EvictedForMemory > 0);

        using Socket other = rig.Connect();
        Assert.Equal(1, TcpRig.Ask(other, TestResponder.Query(1))[1]);
        hoard.ForEach(socket => socket.Dispose());
        rig.WaitFor(counters => counters.Open == 1);
        Assert.True(SpinWait.SpinUntil(() => rig.Pool.Outstanding == 1, TcpRig.TimeoutMs));
    }

    [Theory]
    [InlineData("127.0.0.2", PartOctets)]
    [InlineData("127.0.1.2", PartOctets)]
    [InlineData("127.0.1.2", 5000)]
    public async Task Messages_that_never_become_whole_end_no_transfer_of_another_client(string from, int octets)
    {
        const ushort id = 1000;
        const int messages = 200, size = 10_000;
        NumberedSequence sequence = new(id, messages, size);
        TestResponder responder = new()
        {
            IsLater = one => one == id,
            Taken = (path, _) => path.TryStream(sequence),
        };
        TcpLimits limits = new() { MaxBufferBytes = 3 * Bound, SendBufferBytes = 16 * 1024 };
        await using TcpRig rig = new(limits, responder);
        using Socket client = rig.Connect(receiveBufferBytes: 4096, from: "127.0.0.9");
        client.Send(TcpRig.Frames(TestResponder.Query(id)));
        Assert.True(SpinWait.SpinUntil(() => sequence.Written > 0, TcpRig.TimeoutMs));
        List<Socket> hoard = [];
        for (int i = 0; i < 120; i++)
        {
            hoard.Add(SendPart(rig, octets, from));
        }

        rig.WaitFor(counters => counters.EvictedForMemory > 0);
        for (int i = 0; i < messages; i++)
        {
            Assert.Equal(NumberedSequence.Message(id, i, size), TcpRig.ReceiveMessage(client));
        }

        hoard.ForEach(socket => socket.Dispose());
    }

    [Fact]
    public async Task Later_answers_that_wait_are_of_the_same_sum()
    {
        LaterAnswers later = new();
        await using TcpRig rig = new(
            new TcpLimits { MaxBufferBytes = Bound, SendBufferBytes = 16 * 1024 }, later.Responder);
        using Socket client = rig.Connect(receiveBufferBytes: 4096);
        const ushort id = LaterAnswers.FirstLater;
        client.Send(TcpRig.Frames([.. Enumerable.Range(id, 10).Select(i => TestResponder.Query((ushort)i))]));
        foreach (ReplyPath path in later.Next(10).Values)
        {
            path.Send(LaterAnswers.AnswerTo(id, 60_000));
            Assert.InRange(rig.Listeners.Memory.Held, 0, Bound);
        }

        rig.WaitFor(counters => counters is { Open: 0, EvictedForMemory: > 0, Undelivered: > 0 });
        Assert.True(SpinWait.SpinUntil(() => rig.Pool.Outstanding == 0, TcpRig.TimeoutMs));
    }

    [Fact]
    public void Without_room_nothing_is_rented_and_somebody_is_evicted()
    {
        TcpListeners listeners = new(new TcpLimits(), new ManualClock(), new ExhaustedPool());
        using Socket socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        TcpConnection connection = new();
        connection.Open(new SocketStream(socket), null, default, listeners);
        Assert.True(listeners.Table.TryAdmit(connection, out _));
        Assert.Null(connection.TryRent(2048));
        Assert.Equal((0, 1), (listeners.Counters.Open, listeners.Counters.EvictedForMemory));
        Assert.Equal(0, listeners.Memory.Held);
    }

    [Fact]
    public void The_first_buffer_of_a_connection_is_rented_whatever_all_hold()
    {
        TcpListeners listeners = new(new TcpLimits(), new ManualClock(), ArrayPool<byte>.Shared);
        using Socket socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        TcpConnection connection = new();
        connection.Open(new SocketStream(socket), null, default, listeners);
        Assert.Null(listeners.Memory.TryRent(connection, IncomingFrames.SmallBytes + 1, most: 0));
        byte[]? first = listeners.Memory.TryRent(connection, IncomingFrames.SmallBytes, most: 0);
        Assert.NotNull(first);
        listeners.Memory.Return(connection, first);
        Assert.Equal(0, listeners.Memory.Held);
    }

    [Fact]
    public void The_last_eighth_of_the_bound_is_for_prefixes_that_hold_little()
    {
        const int most = 16 * 1024 * 1024, rental = 64 * 1024;
        TcpListeners listeners = new(new TcpLimits(), new ManualClock(), ArrayPool<byte>.Shared);
        // Not in the table: like evicted ones that have released nothing yet.
        foreach (int part in (int[])[2, 4, 8])
        {
            Assert.NotNull(listeners.Memory.TryRent(Open("203.0.113.1"), most / part, long.MaxValue));
        }

        TcpConnection heavy = Open("192.0.2.1"), light = Open("198.51.100.1");
        Assert.True(listeners.Table.TryAdmit(light, out _) && listeners.Table.TryAdmit(heavy, out _));
        heavy.AddHeld(most / 32);
        listeners.Table.NoteHolding(heavy);
        Assert.Null(listeners.Memory.TryRent(heavy, rental, most));
        Assert.NotNull(listeners.Memory.TryRent(light, rental, most));

        TcpConnection Open(string address)
        {
            TcpConnection connection = new();
            Socket socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            IPEndPoint client = new(IPAddress.Parse(address), 1);
            connection.Open(new SocketStream(socket), null, ClientAddress.From(client), listeners);
            return connection;
        }
    }

    [Fact]
    public async Task Accepting_goes_on_after_exceptions_also_of_a_lack_of_memory()
    {
        ManualClock clock = new();
        await using TcpRig rig = new(clock: clock);
        Exception?[] faults = [new OutOfMemoryException(), new InvalidOperationException(), new OutOfMemoryException()];
        foreach (Exception? fault in faults)
        {
            int looks = 0;
            // The first look is the loop's own, the second that of the connection that is opened. Connections that end
            // look, too.
            clock.Looking = () =>
            {
                if (IsAccepting() && Interlocked.Increment(ref looks) == 2) throw fault!;
            };
            long before = rig.Listeners.Table.Counters.Faults;
            using Socket refused = rig.ConnectUnseen();
            Assert.True(TcpRig.IsClosed(refused));
            rig.WaitFor(counters => counters.Faults == before + 1);
            clock.Looking = null;
            using Socket served = rig.Connect();
            Assert.Equal(1, TcpRig.Ask(served, TestResponder.Query(1))[1]);
        }

        Assert.True(rig.Loop.IsAccepting);
        Assert.Equal(faults, rig.Exceptions.All.Select(one => one.Exception));
        Assert.All(rig.Exceptions.All, one => Assert.Equal(TransportLoops.TcpAccept, one.Loop));
    }

    [Fact]
    public async Task A_loop_whose_note_of_an_exception_fails_too_goes_on()
    {
        ManualClock clock = new();
        await using TcpRig rig = new(clock: clock);
        int looks = 0;
        clock.Looking = () =>
        {
            if (Interlocked.Increment(ref looks) <= 4) throw new OutOfMemoryException();
        };
        using Socket refused = rig.ConnectUnseen();
        Assert.True(TcpRig.IsClosed(refused));
        Assert.True(SpinWait.SpinUntil(() => Volatile.Read(ref looks) >= 2, TcpRig.TimeoutMs));
        clock.Looking = null;
        using Socket served = rig.Connect();
        Assert.Equal(1, TcpRig.Ask(served, TestResponder.Query(1))[1]);
    }

    [Fact]
    public async Task A_listening_socket_that_fails_for_thirty_seconds_is_no_accepting()
    {
        await using TcpRig rig = new();
        Assert.True(rig.Loop.IsAccepting);
        foreach (SafeHandle handle in rig.Loop.Handles) handle.Dispose();
        rig.WaitFor(counters => counters.AcceptErrors > 0);
        rig.Clock.Advance(TimeSpan.FromSeconds(29.9));
        long before = rig.Listeners.Table.Counters.AcceptErrors;
        rig.WaitFor(counters => counters.AcceptErrors > before + 1);
        Assert.True(rig.Loop.IsAccepting);
        rig.Clock.Advance(TimeSpan.FromSeconds(0.2));
        before = rig.Listeners.Table.Counters.AcceptErrors;
        rig.WaitFor(counters => counters.AcceptErrors > before + 1);
        Assert.False(rig.Loop.IsAccepting);
        rig.Loop.StopAccepting();
        Assert.True(rig.Loop.IsAccepting);
    }

    [Fact]
    public async Task A_loop_that_stands_still_for_thirty_seconds_is_no_accepting()
    {
        using ManualResetEventSlim goOn = new();
        ManualClock clock = new();
        await using TcpRig rig = new(clock: clock);
        Thread here = Thread.CurrentThread;
        int looks = 0;
        clock.Looking = () =>
        {
            if (Thread.CurrentThread != here && Interlocked.Increment(ref looks) == 2) goOn.Wait(TcpRig.TimeoutMs);
        };
        using Socket client = rig.ConnectUnseen();
        Assert.True(SpinWait.SpinUntil(() => Volatile.Read(ref looks) == 2, TcpRig.TimeoutMs));
        rig.Clock.Advance(TimeSpan.FromSeconds(29.9));
        Assert.True(rig.Loop.IsAccepting);
        rig.Clock.Advance(TimeSpan.FromSeconds(0.2));
        Assert.False(rig.Loop.IsAccepting);
        goOn.Set();
        Assert.True(SpinWait.SpinUntil(() => rig.Loop.IsAccepting, TcpRig.TimeoutMs));
    }

    [Fact]
    public async Task A_sweep_that_fails_is_counted_and_the_next_one_closes()
    {
        ManualClock clock = new();
        await using TcpRig rig = new(clock: clock);
        using Socket client = rig.Connect();
        clock.Looking = () => throw new OutOfMemoryException();
        rig.Clock.Advance(TimeSpan.FromSeconds(9));
        clock.Looking = null;
        Assert.Equal(TransportLoops.TcpTimer, Assert.Single(rig.Exceptions.All).Loop);
        rig.Clock.Advance(TimeSpan.FromSeconds(1.1));
        Assert.True(TcpRig.IsClosed(client));
    }

    /// <summary>Whether the accept loop calls.</summary>
    private static bool IsAccepting() => Environment.StackTrace.Contains(nameof(AcceptLoop), StringComparison.Ordinal);

    /// <summary>A message that is announced as long, of which some thousand octets come.</summary>
    private static Socket SendPart(TcpRig rig, int octets = PartOctets, string? from = null)
    {
        Socket client = rig.Connect(from: from);
        client.Send([0xFF, 0xFF, .. new byte[octets - 2]]);
        return client;
    }

    private sealed class ExhaustedPool : ArrayPool<byte>
    {
        public override byte[] Rent(int minimumLength) => throw new OutOfMemoryException();

        public override void Return(byte[] array, bool clearArray = false) => throw new NotSupportedException();
    }
}
