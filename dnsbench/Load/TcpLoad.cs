using System.Buffers.Binary;
using System.Diagnostics;
using System.Net.Sockets;

namespace Dns.Bench;

/// <summary>
/// Closed load over TCP, on the calling thread: each connection keeps its window of queries in flight.
/// </summary>
internal sealed class TcpLoad : IDisposable
{
    private const int Ring = 4096;
    private const int TcpLevel = 6, SynCount = 7;
    private readonly LoadPlan _plan;
    private readonly LoadResult _result = new();
    private readonly Connection[] _connections;
    private readonly byte[] _outgoing = new byte[64 * 1024];
    private int _next;

    private sealed class Connection
    {
        internal Socket? Socket;
        internal PendingQueries Pending = new(Ring);
        internal readonly byte[] Incoming = new byte[128 * 1024];
        internal int Octets;
        internal int Asked;
    }

    internal TcpLoad(LoadPlan plan)
    {
        if (plan.Rate > 0) throw new UsageException("over TCP there is no rate, only a window");
        _plan = plan with { Window = Math.Min(plan.Window, 256) };
        _connections = [.. Enumerable.Range(0, plan.Sockets).Select(_ => new Connection())];
    }

    /// <summary>Runs to the end of the plan.</summary>
    internal LoadResult Run()
    {
        long began = Stopwatch.GetTimestamp(), now = began;
        long end = began + (long)(_plan.Seconds * Stopwatch.Frequency), progressAt = began + Stopwatch.Frequency;
        while (now < end)
        {
            foreach (Connection connection in _connections) Ask(connection);
            foreach (Connection connection in _connections) now = TakeAnswers(connection);
            if (now < progressAt || _plan.Progress is null) continue;
            progressAt += Stopwatch.Frequency;
            _plan.Progress(_result.Answered);
        }
        foreach (Connection connection in _connections)
            while (connection.Pending.Count > 0) TakeAnswers(connection);
        _result.Seconds = Stopwatch.GetElapsedTime(began, now).TotalSeconds;
        return _result;
    }

    private void Ask(Connection connection)
    {
        if (connection.Socket is null && !TryOpen(connection)) return;
        int free = _plan.Window - connection.Pending.Count;
        if (_plan.ConnectionQueries > 0) free = Math.Min(free, _plan.ConnectionQueries - connection.Asked);
        int octets = 0;
        long now = Stopwatch.GetTimestamp();
        for (int i = 0; i < free; i++)
        {
            ReadOnlySpan<byte> query = _plan.Queries[_next];
            BinaryPrimitives.WriteUInt16BigEndian(_outgoing.AsSpan(octets), (ushort)query.Length);
            query.CopyTo(_outgoing.AsSpan(octets + 2));
            BinaryPrimitives.WriteUInt16BigEndian(_outgoing.AsSpan(octets + 2),
                connection.Pending.Add(_plan.Queries, _next, now, _result));
            octets += 2 + query.Length;
            if (++_next == _plan.Queries.Count) _next = 0;
        }
        connection.Asked += Math.Max(0, free);
        _result.Sent += Math.Max(0, free);
        try
        {
            for (int sent = 0; sent < octets;) sent += connection.Socket!.Send(_outgoing.AsSpan(sent, octets - sent));
        }
        catch (SocketException)
        {
            Close(connection);
        }
    }

    private long TakeAnswers(Connection connection)
    {
        int received = 0;
        try
        {
            if (connection.Socket is { } socket && connection.Pending.Count > 0)
                received = socket.Receive(connection.Incoming.AsSpan(connection.Octets));
        }
        catch (SocketException)
        {
            // A timeout, or a connection closed by the server: no more answers arrive.
            received = 0;
        }
        long now = Stopwatch.GetTimestamp();
        if (received == 0)
        {
            Close(connection);
            return now;
        }
        connection.Octets += received;
        Span<byte> left = connection.Incoming.AsSpan(0, connection.Octets);
        while (left.Length >= 2 && left.Length >= 2 + BinaryPrimitives.ReadUInt16BigEndian(left))
        {
            int length = BinaryPrimitives.ReadUInt16BigEndian(left);
            connection.Pending.Take(left.Slice(2, length), _plan.Queries, now, _result);
            left = left[(2 + length)..];
        }
        left.CopyTo(connection.Incoming);
        connection.Octets = left.Length;
        bool isUsedUp = _plan.ConnectionQueries > 0 && connection.Asked >= _plan.ConnectionQueries;
        if (isUsedUp && connection.Pending.Count == 0) Close(connection);
        return now;
    }

    /// <summary>Connects. A failed connection counts as one lost query.</summary>
    private bool TryOpen(Connection connection)
    {
        Socket socket = new(_plan.Server.AddressFamily, SocketType.Stream, ProtocolType.Tcp)
        {
            NoDelay = true, ReceiveTimeout = _plan.TimeoutMs, SendTimeout = _plan.TimeoutMs,
        };
        try
        {
            // A server that accepts no connection would delay the others for two minutes; with one more attempt three
            // seconds.
            if (OperatingSystem.IsLinux()) socket.SetRawSocketOption(TcpLevel, SynCount, [1, 0, 0, 0]);
            socket.Connect(_plan.Server);
        }
        catch (SocketException)
        {
            socket.Dispose();
            _result.Sent++;
            _result.Lost++;
            return false;
        }
        connection.Socket = socket;
        connection.Asked = connection.Octets = 0;
        return true;
    }

    private void Close(Connection connection)
    {
        connection.Socket?.Dispose();
        connection.Socket = null;
        connection.Pending.GiveUp(long.MaxValue, _result);
    }

    public void Dispose()
    {
        foreach (Connection connection in _connections) connection.Socket?.Dispose();
    }
}
