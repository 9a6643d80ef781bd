using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using Dns.Testing;

namespace Dns.Transport.Tests;

/// <summary>A TCP listener that is running on a clock that stands still.</summary>
internal sealed class TcpRig : IAsyncDisposable
{
    public const int TimeoutMs = 60_000;
    public static readonly TimeSpan Grace = TimeSpan.FromSeconds(5);

    public TcpRig(
        TcpLimits? limits = null, TestResponder? responder = null, string address = "127.0.0.1:0",
        ClientNetworks? proxyFrom = null, ManualClock? clock = null)
    {
        Clock = clock ?? new ManualClock();
        Responder = responder ?? new TestResponder();
        Listeners = new TcpListeners(limits ?? new TcpLimits(), Clock, Pool, proxyFrom) { Exceptions = Exceptions };
        Loop = Listen(Listeners, address);
        Server = Loop.Address.EndPoint;
        Listeners.Start(Responder);
    }

    public ManualClock Clock { get; }

    public ReportedExceptions Exceptions { get; } = new();

    public PoisonedArrayPool Pool { get; } = new();

    public TestResponder Responder { get; }

    public TcpListeners Listeners { get; }

    public AcceptLoop Loop { get; }

    public IPEndPoint Server { get; }

    /// <summary>Binds plain TCP.</summary>
    public static AcceptLoop Listen(TcpListeners listeners, string address = "127.0.0.1:0")
    {
        IPEndPoint endPoint = IPEndPoint.Parse(address);
        return listeners.Add(ListenSocket.BindTcp(endPoint, listeners.Limits), endPoint, layer: null);
    }

    /// <summary>Connects and waits until the server has taken the connection in.</summary>
    public Socket Connect(int receiveBufferBytes = 0, string? from = null)
    {
        long before = Listeners.Table.Counters.Accepted;
        Socket client = ConnectUnseen(receiveBufferBytes, from);
        WaitFor(counters => counters.Accepted > before);
        return client;
    }

    public Socket ConnectUnseen(int receiveBufferBytes = 0, string? from = null)
    {
        Socket client = new(Server.AddressFamily, SocketType.Stream, ProtocolType.Tcp)
        {
            NoDelay = true,
            ReceiveTimeout = TimeoutMs,
            SendTimeout = TimeoutMs,
        };
        if (receiveBufferBytes > 0)
        {
            client.ReceiveBufferSize = receiveBufferBytes;
        }

        if (from is not null)
        {
            client.Bind(new IPEndPoint(IPAddress.Parse(from), 0));
        }

        client.Connect(Server);
        return client;
    }

    /// <summary>Messages, each after its length.</summary>
    public static byte[] Frames(params byte[][] messages)
    {
        using MemoryStream stream = new();
        foreach (byte[] message in messages)
        {
            stream.WriteByte((byte)(message.Length >> 8));
            stream.WriteByte((byte)message.Length);
            stream.Write(message);
        }

        return stream.ToArray();
    }

    public static byte[] ReceiveMessage(Socket client)
    {
        int length = BinaryPrimitives.ReadUInt16BigEndian(ReceiveOctets(client, 2));
        return ReceiveOctets(client, length);
    }

    /// <summary>Whether the server has closed: the end of the stream, or a reset.</summary>
    public static bool IsClosed(Socket client)
    {
        try
        {
            return client.Receive(new byte[1]) == 0;
        }
        catch (SocketException error) when (error.SocketErrorCode == SocketError.ConnectionReset)
        {
            return true;
        }
    }

    public static byte[] Ask(Socket client, byte[] query)
    {
        client.Send(Frames(query));
        return ReceiveMessage(client);
    }

    /// <summary>Asks and waits until the server counts the connection as idle again.</summary>
    public byte[] AskAndSettle(Socket client, byte[] query)
    {
        long before = Listeners.Table.Counters.Received;
        byte[] answer = Ask(client, query);
        WaitFor(counters => counters.Received > before);
        return answer;
    }

    /// <summary>Waits until a count is reached that other threads write.</summary>
    public TcpCounters WaitFor(Func<TcpCounters, bool> reached)
    {
        TcpCounters last = default;
        bool done = SpinWait.SpinUntil(() => reached(last = Listeners.Table.Counters), TimeoutMs);
        Assert.True(done, last.ToString());
        return last;
    }

    public async ValueTask DisposeAsync()
    {
        await Listeners.StopAsync(Grace);
        Assert.Equal(0, Pool.Outstanding);
        Assert.Equal(0, Listeners.Table.Counters.Open);
    }

    public static byte[] ReceiveOctets(Socket client, int count)
    {
        byte[] octets = new byte[count];
        for (int done = 0; done < count;)
        {
            int received = client.Receive(octets.AsSpan(done));
            Assert.NotEqual(0, received);
            done += received;
        }

        return octets;
    }
}
