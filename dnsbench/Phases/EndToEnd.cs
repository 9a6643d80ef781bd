using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using BenchmarkDotNet.Attributes;

namespace Dns.Bench;

/// <summary>Phase 6: one question over UDP and over TCP on loopback, to the real listeners in this process.</summary>
[AllThreads]
public class EndToEnd
{
    private const int TimeoutMs = 5000;
    private readonly byte[] _answer = new byte[4096];
    private byte[] _framed = [];
    private ListenerSet _listeners = null!;
    private Socket _udp = null!;
    private Socket _tcp = null!;

    /// <summary>The receive loop of UDP.</summary>
    [Params(UdpListenerKind.Portable, UdpListenerKind.Batched)]
    public UdpListenerKind Listener { get; set; }

    /// <summary>Starts the listeners and connects.</summary>
    [GlobalSetup]
    public void SetUp()
    {
        TransportOptions options = new()
        {
            Listeners = [new IPEndPoint(IPAddress.Loopback, 0)], Workers = 1, UdpListener = Listener,
        };
        _listeners = ListenerSet.Bind(options, out IReadOnlyList<BindFailure> failures);
        if (failures.Count > 0) throw new InvalidOperationException(failures[0].ToString());
        _listeners.Start(new DirectResponder(SampleMessages.Responder));
        _framed = new byte[SampleMessages.Query.Length + 2];
        BinaryPrimitives.WriteUInt16BigEndian(_framed, (ushort)SampleMessages.Query.Length);
        SampleMessages.Query.CopyTo(_framed, 2);
        IPEndPoint server = _listeners.EndPoints[0];
        _udp = Connect(new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp), server);
        _tcp = Connect(
            new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true }, server);
    }

    private static Socket Connect(Socket socket, IPEndPoint server)
    {
        socket.ReceiveTimeout = TimeoutMs;
        socket.Connect(server);
        return socket;
    }

    /// <summary>Stops them.</summary>
    [GlobalCleanup]
    public void CleanUp()
    {
        _udp.Dispose();
        _tcp.Dispose();
        _listeners.StopAsync(TimeSpan.FromSeconds(1)).GetAwaiter().GetResult();
    }

    /// <summary>A round trip of a datagram.</summary>
    [Benchmark]
    public int Udp()
    {
        _udp.Send(SampleMessages.Query);
        return _udp.Receive(_answer);
    }

    /// <summary>A round trip of a message on an open connection.</summary>
    [Benchmark]
    public int Tcp()
    {
        _tcp.Send(_framed);
        int received = 0;
        while (received < 2 || received < 2 + BinaryPrimitives.ReadUInt16BigEndian(_answer))
        {
            int octets = _tcp.Receive(_answer.AsSpan(received));
            if (octets == 0) throw new EndOfStreamException("the server closed the connection");
            received += octets;
        }
        return received;
    }
}
