using System.Buffers;
using System.Net;

namespace Dns.Transport.Tests;

/// <summary>Which connection is evicted for a new one.</summary>
public sealed class ConnectionTableTests
{
    private readonly TcpListeners _listeners =
        new(new TcpLimits(), new ManualClock(), ArrayPool<byte>.Shared);
    private TcpConnection? _last;

    [Theory]
    [InlineData("192.0.2.1", "192.0.2.1")]
    [InlineData("192.0.2.9", "192.0.2.1")]
    [InlineData("203.0.113.5", "198.51.100.1")]
    public void The_client_gives_way_before_its_prefix_and_that_before_the_server(
        string comes, string goes)
    {
        ConnectionTable table = new(new TcpLimits { MaxConnections = 3 });
        Dictionary<IByteStream, string> owners = [];
        foreach (string address in new[] { "198.51.100.1", "192.0.2.1", "192.0.2.2" })
        {
            owners.Add(Admit(table, address).Stream, address);
        }

        Assert.True(table.TryAdmit(Connection(comes), out IByteStream? victim));
        Assert.Equal(goes, owners[victim!]);
    }

    [Theory]
    [InlineData("2001:db8:0:1ff::1", true)]
    [InlineData("2001:db8:0:200::1", false)]
    public void An_IPv6_prefix_is_56_bits(string address, bool sharesPrefix)
    {
        ConnectionTable table = new(new TcpLimits { MaxConnectionsPerPrefix = 1 });
        Admit(table, "2001:db8:0:100::1");
        Assert.True(table.TryAdmit(Connection(address), out IByteStream? victim));
        Assert.Equal(sharesPrefix, victim is not null);
    }

    [Fact]
    public void A_client_at_its_limit_whose_connections_are_all_busy_takes_nobody_s_place()
    {
        ConnectionTable table = new(new TcpLimits { MaxConnectionsPerClient = 5 });
        for (int i = 1; i <= 50; i++) Admit(table, $"198.51.100.{i}");
        TcpConnection neighbour = Admit(table, "192.0.2.2");
        for (int i = 0; i < 5; i++) ConnectionTable.TryMarkBusy(Admit(table, "192.0.2.1"));
        for (int i = 0; i < 50; i++) Assert.False(table.TryAdmit(Connection("192.0.2.1"), out _));
        Assert.Equal((56, 50, 0), (table.Counters.Open, table.Counters.Refused, table.Counters.Evicted));
        Assert.True(neighbour.Activity.IsListed);
        Admit(table, "192.0.2.2");
    }

    [Fact]
    public void A_prefix_at_its_limit_makes_room_among_its_own()
    {
        ConnectionTable table = new(new TcpLimits { MaxConnectionsPerPrefix = 2 });
        Admit(table, "198.51.100.1");
        TcpConnection idle = Admit(table, "192.0.2.1");
        ConnectionTable.TryMarkBusy(Admit(table, "192.0.2.2"));
        TcpConnection last = Connection("192.0.2.3");
        Assert.True(table.TryAdmit(last, out IByteStream? victim));
        Assert.Same(idle.Stream, victim);
        Assert.True(ConnectionTable.TryMarkBusy(last));
        Assert.False(table.TryAdmit(Connection("192.0.2.4"), out _));
    }

    [Fact]
    public void At_the_limit_of_the_server_anybody_s_idle_connection_gives_way()
    {
        ConnectionTable table = new(new TcpLimits { MaxConnections = 2 });
        TcpConnection idle = Admit(table, "198.51.100.1");
        ConnectionTable.TryMarkBusy(Admit(table, "192.0.2.1"));
        Assert.True(table.TryAdmit(Connection("203.0.113.1"), out IByteStream? victim));
        Assert.Same(idle.Stream, victim);
    }

    [Fact]
    public void A_busy_connection_never_gives_way()
    {
        ConnectionTable table = new(new TcpLimits { MaxConnections = 1 });
        TcpConnection busy = Admit(table, "192.0.2.1");
        Assert.True(ConnectionTable.TryMarkBusy(busy));
        Assert.False(table.TryAdmit(Connection("192.0.2.1"), out _));
        Assert.True(table.TrySettle(busy, 1, 1, idle: true, now: 1));
        Assert.True(table.TryAdmit(Connection("192.0.2.1"), out IByteStream? victim));
        Assert.Same(busy.Stream, victim);
    }

    [Fact]
    public void A_connection_that_gave_way_cannot_become_busy()
    {
        ConnectionTable table = new(new TcpLimits { MaxConnections = 1 });
        TcpConnection first = Admit(table, "192.0.2.1");
        Admit(table, "192.0.2.2");
        Assert.False(ConnectionTable.TryMarkBusy(first));
    }

    [Fact]
    public void Of_a_client_what_has_held_memory_for_longest_gives_way_and_then_what_was_idle_longest()
    {
        ConnectionTable table = new(new TcpLimits());
        TcpConnection[] all = [.. Enumerable.Range(1, 5).Select(i => Admit(table, "192.0.2.1"))];
        Assert.True(ConnectionTable.TryMarkBusy(all[2]));
        Assert.True(ConnectionTable.TryMarkBusy(all[4]));
        foreach (int i in (int[])[2, 1, 3]) Hold(table, all[i], StreamMemory.SmallBytes + i);
        // Holds a small buffer no more, and has nothing to give.
        Hold(table, all[1], -2);
        List<int> held = [];
        foreach (int i in (int[])[2, 3, 0, 1, 4])
        {
            if (i == 0) Assert.Null(table.TakeHeaviest(mayBeSmall: false, out _));
            Assert.Same(all[i].Stream, table.TakeHeaviest(mayBeSmall: i is not (2 or 3), out int bytes));
            held.Add(bytes);
        }

        const int small = StreamMemory.SmallBytes;
        Assert.Equal([small + 2, small + 3, 0, small - 1, 0], held);
        Assert.Null(table.TakeHeaviest(mayBeSmall: true, out _));
        Assert.Equal(5, table.Counters.EvictedForMemory);
        foreach (TcpConnection connection in all) Hold(table, connection, -connection.Held);
    }

    [Fact]
    public void The_prefix_with_most_gives_way_and_of_it_the_client_with_most()
    {
        ConnectionTable table = new(new TcpLimits());
        TcpConnection transfer = Admit(table, "198.51.100.9");
        Hold(table, transfer, 128 * 1024);
        TcpConnection neighbour = Admit(table, "192.0.2.9");
        Hold(table, neighbour, 100 * 1024);
        TcpConnection[] hoard = [.. Enumerable.Range(0, 15).Select(i => Admit(table, $"192.0.2.{1 + i % 2}"))];
        foreach (TcpConnection one in hoard) Hold(table, one, 16 * 1024);
        // 8 of one client and 7 of the other: two, then one; at 6 each the neighbour holds most; then they take turns.
        TcpConnection[] expected = [hoard[0], hoard[2], hoard[1], neighbour, hoard[4], hoard[3], hoard[6]];
        Assert.Equal(expected.Select(one => one.Stream),
            expected.Select(one => table.TakeHeaviest(mayBeSmall: false, out _)));
        Assert.True(transfer.Activity.IsListed);
    }

    [Fact]
    public void Of_prefixes_with_as_much_that_of_the_first_connection_gives_way()
    {
        ConnectionTable table = new(new TcpLimits());
        TcpConnection[] all = [.. Enumerable.Range(1, 9).Select(i => Admit(table, $"192.0.{i}.1"))];
        foreach (TcpConnection one in all.Reverse()) Hold(table, one, 16 * 1024);
        foreach (TcpConnection one in all)
            Assert.Same(one.Stream, table.TakeHeaviest(mayBeSmall: false, out _));
    }

    [Fact]
    public void Small_buffers_of_a_prefix_count_too_and_its_idle_connections_give_way()
    {
        ConnectionTable table = new(new TcpLimits());
        TcpConnection transfer = Admit(table, "198.51.100.9");
        Hold(table, transfer, 128 * 1024);
        const int more = 128 * 1024 / IncomingFrames.SmallBytes + 1;
        TcpConnection[] hoard = [.. Enumerable.Range(0, more).Select(i => Admit(table, $"192.0.2.{i % 4}"))];
        foreach (TcpConnection one in hoard) Hold(table, one, StreamMemory.SmallBytes);
        Assert.Null(table.TakeHeaviest(mayBeSmall: false, out _));
        Assert.Same(hoard[0].Stream, table.TakeHeaviest(mayBeSmall: true, out int held));
        Assert.Equal(StreamMemory.SmallBytes, held);
        Assert.Same(transfer.Stream, table.TakeHeaviest(mayBeSmall: true, out _));
    }

    [Fact]
    public void Who_gives_way_agrees_with_a_search_after_many_random_steps()
    {
        Random random = new(4);
        ConnectionTable table = new(new TcpLimits { MaxConnections = 60, MaxConnectionsPerClient = 8 });
        List<TcpConnection> all = [];
        for (int step = 0; step < 20_000; step++)
        {
            TcpConnection any = all.Count == 0 ? null! : all[random.Next(all.Count)];
            switch (random.Next(5))
            {
                case 0 or 1:
                    TcpConnection connection = Connection($"192.0.{random.Next(9)}.{random.Next(3)}");
                    if (table.TryAdmit(connection, out _)) all.Add(connection);
                    break;
                case 2 or 3 when any is not null:
                    Hold(table, any, random.Next(-any.Held, 64 * 1024 - any.Held));
                    break;
                case 4 when any is not null:
                    table.Remove(any);
                    break;
            }

            all.RemoveAll(connection => !connection.Activity.IsListed);
            if (step % 7 != 0 || all.Count == 0) continue;
            long most = all.GroupBy(one => one.PrefixKey).Max(Weight);
            IByteStream? stream = table.TakeHeaviest(mayBeSmall: true, out _);
            TcpConnection taken = Assert.Single(all, one => one.Stream == stream);
            TcpConnection[] prefix = [.. all.Where(one => one.PrefixKey == taken.PrefixKey)];
            TcpConnection[] client = [.. all.Where(one => one.ClientKey == taken.ClientKey)];
            Assert.Equal((most, prefix.GroupBy(one => one.ClientKey).Max(Weight)), (Weight(prefix), Weight(client)));
            Assert.True(IsLarge(taken) || !client.Any(IsLarge));
            all.Remove(taken);
        }

        static bool IsLarge(TcpConnection one) => one.Held > StreamMemory.SmallBytes;
        static long Weight(IEnumerable<TcpConnection> some) =>
            some.Sum(one => IsLarge(one) ? one.Held : (long)IncomingFrames.SmallBytes);
    }

    private static void Hold(ConnectionTable table, TcpConnection connection, int octets)
    {
        if (connection.AddHeld(octets)) table.NoteHolding(connection);
    }

    [Fact]
    public void A_connection_expires_at_its_deadline_and_not_before()
    {
        ConnectionTable table = new(new TcpLimits());
        TcpConnection connection = Admit(table, "192.0.2.1");
        List<IByteStream> expired = [];
        table.TakeExpired(connection.Deadline - 1, expired);
        Assert.Empty(expired);
        table.TakeExpired(connection.Deadline, expired);
        Assert.Same(connection.Stream, Assert.Single(expired));
    }

    [Fact]
    public void Nothing_is_kept_of_a_client_whose_last_connection_has_ended()
    {
        ConnectionTable table = new(new TcpLimits());
        WeakReference[] groups = GroupsOfOneThatLeft(table);
        GC.Collect();
        GC.WaitForPendingFinalizers();
        GC.Collect();
        Assert.All(groups, group => Assert.False(group.IsAlive));
        GC.KeepAlive(table);
    }

    [System.Runtime.CompilerServices.MethodImpl(System.Runtime.CompilerServices.MethodImplOptions.NoInlining)]
    private WeakReference[] GroupsOfOneThatLeft(ConnectionTable table)
    {
        TcpConnection connection = Admit(table, "192.0.2.1");
        table.Remove(connection);
        _last = null;
        return [new(connection.Groups[(int)GroupLevel.Client]), new(connection.Groups[(int)GroupLevel.Prefix])];
    }

    [Fact]
    public void Counts_agree_after_many_random_steps()
    {
        Random random = new(1);
        ConnectionTable table = new(
            new TcpLimits { MaxConnections = 40, MaxConnectionsPerPrefix = 20, MaxConnectionsPerClient = 8 });
        List<TcpConnection> all = [];
        for (int step = 0; step < 5000; step++)
        {
            TcpConnection any = all.Count == 0 ? null! : all[random.Next(all.Count)];
            switch (random.Next(4))
            {
                case 0:
                    TcpConnection connection = Connection($"192.0.{random.Next(3)}.{random.Next(4)}");
                    table.TryAdmit(connection, out _);
                    all.Add(connection);
                    break;
                case 1 when any is not null:
                    ConnectionTable.TryMarkBusy(any);
                    break;
                case 2 when any is not null:
                    table.TrySettle(any, 0, 0, idle: true, step);
                    break;
                case 3 when any is not null:
                    table.Remove(any);
                    all.Remove(any);
                    break;
            }

            all.RemoveAll(connection => !connection.Activity.IsListed);
            Assert.Equal(all.Count, table.Counters.Open);
        }

        List<IByteStream> idle = [];
        int expected = all.Count(connection => connection.Activity.IsIdle);
        while (table.TakeOldestIdle() is IByteStream stream)
        {
            idle.Add(stream);
        }

        Assert.Equal(expected, idle.Distinct().Count());
    }

    [Fact]
    public void The_connection_gives_way_that_has_been_idle_longest()
    {
        const int Most = 12;
        Random random = new(2);
        ConnectionTable table = new(new TcpLimits { MaxConnections = Most });
        Dictionary<TcpConnection, long> idleSince = [];
        List<TcpConnection> busy = [];
        for (int step = 1; step < 5000; step++)
        {
            if (busy.Count > 0 && random.Next(3) == 0)
            {
                TcpConnection ends = busy[random.Next(busy.Count)];
                busy.Remove(ends);
                Assert.True(table.TrySettle(ends, 0, 0, idle: true, step));
                idleSince[ends] = step;
            }
            else if (idleSince.Count > 0 && random.Next(2) == 0)
            {
                TcpConnection begins = idleSince.Keys.ElementAt(random.Next(idleSince.Count));
                idleSince.Remove(begins);
                busy.Add(begins);
                Assert.True(ConnectionTable.TryMarkBusy(begins));
            }
            else
            {
                TcpConnection comes = Connection($"192.0.2.{random.Next(250)}");
                bool isFull = busy.Count + idleSince.Count == Most;
                // Of the client first, then of the prefix, which all share: here each is of its own age.
                Assert.Equal(!isFull || idleSince.Count > 0, table.TryAdmit(comes, out IByteStream? victim));
                if (isFull && idleSince.Count > 0)
                {
                    TcpConnection? own = idleSince.Where(one => one.Key.ClientKey == comes.ClientKey)
                        .OrderBy(one => one.Value)
                        .Select(one => one.Key).FirstOrDefault();
                    TcpConnection oldest = own ?? idleSince.MinBy(one => one.Value).Key;
                    Assert.Same(oldest.Stream, victim);
                    idleSince.Remove(oldest);
                }
                else
                {
                    Assert.Null(victim);
                }

                // As if it were idle since now, which is later than that of all others.
                if (!comes.Activity.IsListed) continue;
                Assert.True(ConnectionTable.TryMarkBusy(comes));
                Assert.True(table.TrySettle(comes, 0, 0, idle: true, step));
                idleSince[comes] = step;
            }
        }
    }

    [Fact]
    public void A_thousand_that_were_used_in_any_order_cost_the_one_who_comes_next_one_round()
    {
        ConnectionTable table = new(new TcpLimits { MaxConnections = 1000 });
        TcpConnection[] all = [.. Enumerable.Range(0, 1000).Select(i => Admit(table, $"10.0.{i / 250}.{i % 250}"))];
        int[] order = [.. Enumerable.Range(0, 1000)];
        new Random(3).Shuffle(order);
        for (int i = 0; i < order.Length; i++)
        {
            Assert.True(ConnectionTable.TryMarkBusy(all[order[i]]));
            if (i % 2 == 0) Assert.True(table.TrySettle(all[order[i]], 0, 0, idle: true, i));
        }

        // Half of them are busy: the others are evicted, each once, whatever their order.
        for (int i = 0; i < 500; i++)
        {
            Assert.True(table.TryAdmit(Connection("192.0.2.1"), out IByteStream? victim));
            TcpConnection gone = Assert.Single(all, connection => connection.Stream == victim);
            Assert.False(gone.Activity.IsListed);
            Assert.Equal(0, Array.IndexOf(order, Array.IndexOf(all, gone)) % 2);
            ConnectionTable.TryMarkBusy(Assert.IsType<TcpConnection>(_last));
        }

        Assert.False(table.TryAdmit(Connection("192.0.2.1"), out _));
        Assert.Equal((1000, 500, 1), (table.Counters.Open, table.Counters.Evicted, table.Counters.Refused));
    }

    [Fact]
    public void A_connection_that_became_busy_beside_a_flood_stays_until_it_is_idle()
    {
        ConnectionTable table = new(new TcpLimits { MaxConnections = 8, MaxConnectionsPerClient = 8 });
        using CancellationTokenSource over = new();
        int taken = 0, used = 0;
        Thread[] loops =
        [
            .. Enumerable.Range(0, 3).Select(_ => new Thread(() =>
            {
                while (!over.IsCancellationRequested)
                {
                    TcpConnection own = Connection("192.0.2.1");
                    if (!table.TryAdmit(own, out IByteStream? _)) continue;
                    while (!over.IsCancellationRequested && ConnectionTable.TryMarkBusy(own))
                    {
                        for (int i = 0; i < 20; i++)
                            if (!own.Activity.IsListed) Interlocked.Increment(ref taken);
                        Interlocked.Increment(ref used);
                        if (!table.TrySettle(own, 1, 1, idle: true, used)) break;
                    }
                }
            })),
        ];
        foreach (Thread loop in loops) loop.Start();
        for (int i = 0; i < 3000 || (i < 10_000_000 && Volatile.Read(ref used) < 3000); i++) Flood();
        over.Cancel();
        Array.ForEach(loops, loop => loop.Join());

        // Never the oldest, so that those of the loops have to go.
        void Flood()
        {
            TcpConnection comes = Connection("192.0.2.1");
            if (table.TryAdmit(comes, out _) && ConnectionTable.TryMarkBusy(comes))
                table.TrySettle(comes, 0, 0, idle: true, long.MaxValue);
        }

        Assert.Equal(0, taken);
        TcpCounters counters = table.Counters;
        Assert.Equal((8, (long)used, (long)used), (counters.Open, counters.Received, counters.Sent));
        Assert.Equal(counters.Accepted - counters.Evicted, counters.Open);
    }

    [Fact]
    public void A_connection_that_becomes_idle_beside_a_stop_is_taken_by_one_of_the_two()
    {
        for (int i = 0; i < 300; i++)
        {
            ConnectionTable table = new(new TcpLimits());
            TcpConnection connection = Admit(table, "192.0.2.1");
            Assert.True(ConnectionTable.TryMarkBusy(connection));
            List<IByteStream> taken = [];
            using Barrier both = new(2);
            Thread stop = new(() =>
            {
                both.SignalAndWait();
                table.Stop(taken, busyToo: false);
            });
            stop.Start();
            both.SignalAndWait();
            bool goesOn = table.TrySettle(connection, 0, 0, idle: true, now: 1);
            stop.Join();
            Assert.True(!goesOn || taken.Count == 1, $"round {i}");
        }
    }

    private TcpConnection Admit(ConnectionTable table, string address)
    {
        TcpConnection connection = Connection(address);
        Assert.True(table.TryAdmit(connection, out _));
        return connection;
    }

    private TcpConnection Connection(string address)
    {
        TcpConnection connection = new();
        _last = connection;
        connection.Open(
            new NoStream(), null, ClientAddress.From(new IPEndPoint(IPAddress.Parse(address), 1)), _listeners);
        return connection;
    }

    /// <summary>A stream that is never used.</summary>
    private sealed class NoStream : IByteStream
    {
        public ValueTask<bool> OpenAsync() => new(true);

        public ValueTask<int> ReceiveAsync(Memory<byte> room) => new(IByteStream.Failed);

        public ValueTask<int> SendAsync(ReadOnlyMemory<byte> octets) => new(IByteStream.Failed);

        public void Close()
        {
        }
    }
}
