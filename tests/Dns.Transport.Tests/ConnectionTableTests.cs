using System.Buffers;
using System.Net;
using System.Net.Sockets;
using Dns.Protocol;

namespace Dns.Transport.Tests;

/// <summary>Which connection gives way to a new one.</summary>
public sealed class ConnectionTableTests : IDisposable
{
    private readonly TcpListeners _listeners =
        new(new TcpLimits(), new ManualClock(), ArrayPool<byte>.Shared);
    private readonly List<Socket> _sockets = [];
    private readonly SocketLayer _layer = new();

    public void Dispose() => _sockets.ForEach(socket => socket.Dispose());

    [Theory]
    [InlineData("192.0.2.1", "192.0.2.1")]
    [InlineData("192.0.2.9", "192.0.2.1")]
    [InlineData("203.0.113.5", "198.51.100.1")]
    public void The_client_gives_way_before_its_prefix_and_that_before_the_server(
        string comes, string goes)
    {
        ConnectionTable table = new(new TcpLimits { MaxConnections = 3 });
        Dictionary<IStreamTransport, string> owners = [];
        foreach (string address in new[] { "198.51.100.1", "192.0.2.1", "192.0.2.2" })
        {
            owners.Add(Admit(table, address).Stream, address);
        }

        Assert.True(table.TryAdmit(Connection(comes), out IStreamTransport? victim));
        Assert.Equal(goes, owners[victim!]);
    }

    [Theory]
    [InlineData("2001:db8:0:1ff::1", true)]
    [InlineData("2001:db8:0:200::1", false)]
    public void An_IPv6_prefix_is_56_bits(string address, bool sharesPrefix)
    {
        ConnectionTable table = new(new TcpLimits { MaxConnectionsPerPrefix = 1 });
        Admit(table, "2001:db8:0:100::1");
        Assert.True(table.TryAdmit(Connection(address), out IStreamTransport? victim));
        Assert.Equal(sharesPrefix, victim is not null);
    }

    [Fact]
    public void A_client_at_its_limit_whose_connections_are_all_busy_takes_nobody_s_place()
    {
        ConnectionTable table = new(new TcpLimits { MaxConnectionsPerClient = 5 });
        for (int i = 1; i <= 50; i++) Admit(table, $"198.51.100.{i}");
        TcpConnection neighbour = Admit(table, "192.0.2.2");
        for (int i = 0; i < 5; i++) table.TryMarkBusy(Admit(table, "192.0.2.1"));
        for (int i = 0; i < 50; i++) Assert.False(table.TryAdmit(Connection("192.0.2.1"), out _));
        Assert.Equal((56, 50, 0), (table.Counters.Open, table.Counters.Refused, table.Counters.Evicted));
        Assert.True(neighbour.IsListed);
        Admit(table, "192.0.2.2");
    }

    [Fact]
    public void A_prefix_at_its_limit_makes_room_among_its_own()
    {
        ConnectionTable table = new(new TcpLimits { MaxConnectionsPerPrefix = 2 });
        Admit(table, "198.51.100.1");
        TcpConnection idle = Admit(table, "192.0.2.1");
        table.TryMarkBusy(Admit(table, "192.0.2.2"));
        TcpConnection last = Connection("192.0.2.3");
        Assert.True(table.TryAdmit(last, out IStreamTransport? victim));
        Assert.Same(idle.Stream, victim);
        Assert.True(table.TryMarkBusy(last));
        Assert.False(table.TryAdmit(Connection("192.0.2.4"), out _));
    }

    [Fact]
    public void At_the_limit_of_the_server_anybody_s_idle_connection_gives_way()
    {
        ConnectionTable table = new(new TcpLimits { MaxConnections = 2 });
        TcpConnection idle = Admit(table, "198.51.100.1");
        table.TryMarkBusy(Admit(table, "192.0.2.1"));
        Assert.True(table.TryAdmit(Connection("203.0.113.1"), out IStreamTransport? victim));
        Assert.Same(idle.Stream, victim);
    }

    [Fact]
    public void A_busy_connection_never_gives_way()
    {
        ConnectionTable table = new(new TcpLimits { MaxConnections = 1 });
        TcpConnection busy = Admit(table, "192.0.2.1");
        Assert.True(table.TryMarkBusy(busy));
        Assert.False(table.TryAdmit(Connection("192.0.2.1"), out _));
        Assert.True(table.TryMarkIdle(busy, 1, 1));
        Assert.True(table.TryAdmit(Connection("192.0.2.1"), out IStreamTransport? victim));
        Assert.Same(busy.Stream, victim);
    }

    [Fact]
    public void A_connection_that_gave_way_cannot_become_busy()
    {
        ConnectionTable table = new(new TcpLimits { MaxConnections = 1 });
        TcpConnection first = Admit(table, "192.0.2.1");
        Admit(table, "192.0.2.2");
        Assert.False(table.TryMarkBusy(first));
    }

    [Fact]
    public void What_has_held_memory_for_longest_gives_way_to_a_lack_of_it_and_then_what_was_idle_longest()
    {
        ConnectionTable table = new(new TcpLimits());
        TcpConnection[] all = [.. Enumerable.Range(1, 4).Select(i => Admit(table, $"192.0.2.{i}"))];
        Assert.True(table.TryMarkBusy(all[2]));
        foreach (int i in (int[])[2, 1, 3]) Hold(table, all[i], StreamMemory.SmallBytes + i);
        // Holds a small buffer no more, and has nothing to give.
        Hold(table, all[1], -2);
        List<int> held = [];
        foreach (int i in (int[])[2, 3, 0, 1])
        {
            if (i == 0) Assert.Null(table.TakeLongestHolding(mayBeIdle: false, out _));
            Assert.Same(all[i].Stream, table.TakeLongestHolding(mayBeIdle: i < 2, out int bytes));
            held.Add(bytes);
        }

        Assert.Equal([StreamMemory.SmallBytes + 2, StreamMemory.SmallBytes + 3, 0, StreamMemory.SmallBytes - 1], held);
        Assert.Null(table.TakeLongestHolding(mayBeIdle: true, out _));
        Assert.Equal(4, table.Counters.EvictedForMemory);
        foreach (TcpConnection connection in all) Hold(table, connection, -connection.Held);
    }

    private static void Hold(ConnectionTable table, TcpConnection connection, int octets)
    {
        if (connection.AddHeld(octets)) table.NoteHolding(connection);
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
                    table.TryMarkBusy(any);
                    break;
                case 2 when any is not null:
                    table.TryMarkIdle(any, 0, 0);
                    break;
                case 3 when any is not null:
                    table.Remove(any);
                    all.Remove(any);
                    break;
            }

            all.RemoveAll(connection => !connection.IsListed);
            Assert.Equal(all.Count, table.Counters.Open);
        }

        List<IStreamTransport> idle = [];
        int expected = all.Count(connection => connection.IsIdle);
        while (table.TakeOldestIdle() is IStreamTransport stream)
        {
            idle.Add(stream);
        }

        Assert.Equal(expected, idle.Distinct().Count());
    }

    private TcpConnection Admit(ConnectionTable table, string address)
    {
        TcpConnection connection = Connection(address);
        Assert.True(table.TryAdmit(connection, out _));
        return connection;
    }

    private TcpConnection Connection(string address)
    {
        Socket socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        _sockets.Add(socket);
        TcpConnection connection = new();
        connection.Open(_layer.Open(socket), ClientAddress.From(new IPEndPoint(IPAddress.Parse(address), 1)), _listeners);
        return connection;
    }
}
