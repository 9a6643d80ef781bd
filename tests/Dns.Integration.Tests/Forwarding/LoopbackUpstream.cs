using System.Buffers.Binary;
using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using Dns.Testing;

namespace Dns.Integration.Tests.Forwarding;

/// <summary>An upstream on a loopback port, over UDP and TCP, that answers as its script says.</summary>
internal sealed class LoopbackUpstream : IAsyncDisposable
{
    private readonly PortLease _port = PortLease.Take();
    private readonly Socket _datagrams = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
    private readonly Socket _listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
    private readonly CancellationTokenSource _stop = new();
    private readonly ConcurrentBag<Task> _tasks = [];

    public LoopbackUpstream(Func<byte[], bool, byte[]?> script)
    {
        Script = script;
        _datagrams.Bind(Address);
        _datagrams.ReceiveBufferSize = 4 << 20;
        _listener.Bind(Address);
        _listener.Listen();
        _tasks.Add(Task.Run(ServeDatagramsAsync));
        _tasks.Add(Task.Run(AcceptAsync));
    }

    /// <summary>Gives the reply to a query; null = none. The second argument says whether it came over TCP.</summary>
    public Func<byte[], bool, byte[]?> Script { get; }

    public IPEndPoint Address => _port.Loopback;

    /// <summary>Where datagrams came from.</summary>
    public ConcurrentQueue<IPEndPoint> Sources { get; } = [];

    /// <summary>TCP connections accepted.</summary>
    public int Connections { get; private set; }

    /// <summary>A reply with addresses, 192.0.2.1 and the following ones.</summary>
    public static byte[] Answer(byte[] query, int flags = 0x8180, int answers = 1)
    {
        byte[] reply =
        [
            .. query[..WireOctets.QuestionEnd(query)],
            .. Enumerable.Range(1, answers)
                .SelectMany(i => new byte[] { 0xC0, 12, 0, 1, 0, 1, 0, 0, 1, 0, 0, 4, 192, 0, 2, (byte)i }),
        ];
        MessageHeader.SetFlags(reply, (ushort)flags);
        MessageHeader.SetCount(reply, 1, (ushort)answers);
        MessageHeader.SetCount(reply, 3, 0);
        return reply;
    }

    /// <summary>A reply that says only that it did not fit.</summary>
    public static byte[] Truncated(byte[] query)
    {
        byte[] reply = Answer(query, 0x8380)[..^16];
        MessageHeader.SetCount(reply, 1, 0);
        return reply;
    }

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        _datagrams.Dispose();
        _listener.Dispose();
        foreach (Task task in _tasks)
            await task.ContinueWith(_ => { }, TaskScheduler.Default);
        _port.Dispose();
    }

    private async Task ServeDatagramsAsync()
    {
        byte[] buffer = new byte[4096];
        while (!_stop.IsCancellationRequested)
        {
            SocketReceiveFromResult result =
                await _datagrams.ReceiveFromAsync(buffer, SocketFlags.None, new IPEndPoint(IPAddress.Any, 0),
                    _stop.Token);
            Sources.Enqueue((IPEndPoint)result.RemoteEndPoint);
            if (Script(buffer[..result.ReceivedBytes], false) is { } reply)
                await _datagrams.SendToAsync(reply, SocketFlags.None, result.RemoteEndPoint, _stop.Token);
        }
    }

    private async Task AcceptAsync()
    {
        while (!_stop.IsCancellationRequested)
        {
            Socket socket = await _listener.AcceptAsync(_stop.Token);
            Connections++;
            _tasks.Add(Task.Run(() => ServeStreamAsync(socket)));
        }
    }

    private async Task ServeStreamAsync(Socket socket)
    {
        await using NetworkStream stream = new(socket, ownsSocket: true);
        byte[] prefix = new byte[2];
        while (!_stop.IsCancellationRequested)
        {
            await stream.ReadExactlyAsync(prefix, _stop.Token);
            byte[] query = new byte[BinaryPrimitives.ReadUInt16BigEndian(prefix)];
            await stream.ReadExactlyAsync(query, _stop.Token);
            if (Script(query, true) is { } reply)
                await stream.WriteAsync((byte[])[(byte)(reply.Length >> 8), (byte)reply.Length, .. reply], _stop.Token);
        }
    }
}
