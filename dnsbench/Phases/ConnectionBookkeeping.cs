using System.Buffers;
using System.Net;
using System.Net.Sockets;
using BenchmarkDotNet.Attributes;

namespace Dns.Bench;

/// <summary>Phase 6: the cost of the connection table for a query over TCP: busy, counted, idle again.</summary>
public class ConnectionBookkeeping
{
    private const int Connections = 64;
    private readonly TcpConnection[] _connections = new TcpConnection[Connections];
    private readonly List<Socket> _sockets = [];
    private TcpListeners _listeners = null!;
    private long _now;

    /// <summary>Adds connections of different clients.</summary>
    [GlobalSetup]
    public void SetUp()
    {
        _listeners = new TcpListeners(new TcpLimits(), TimeProvider.System, ArrayPool<byte>.Shared);
        SocketLayer layer = new();
        for (int i = 0; i < Connections; i++)
        {
            Socket socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            _sockets.Add(socket);
            _connections[i] = new TcpConnection();
            ClientAddress client = ClientAddress.From(new IPEndPoint(new IPAddress([192, 0, 2, (byte)i]), 1));
            _connections[i].Open(layer.Open(socket), client, _listeners);
            if (!_listeners.Table.TryAdmit(_connections[i], out _)) throw new InvalidOperationException("not taken in");
        }
    }

    /// <summary>Closes what was opened.</summary>
    [GlobalCleanup]
    public void CleanUp()
    {
        _sockets.ForEach(socket => socket.Dispose());
        _listeners.Dispose();
    }

    /// <summary>A query of each connection in turn.</summary>
    [Benchmark(OperationsPerInvoke = Connections)]
    public void BusyAndIdle()
    {
        _now++;
        foreach (TcpConnection connection in _connections)
        {
            ConnectionTable.TryMarkBusy(connection);
            _listeners.Table.TrySettle(connection, received: 1, sent: 1, idle: true, _now);
        }
    }
}
