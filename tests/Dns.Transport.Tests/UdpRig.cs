using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;

namespace Dns.Transport.Tests;

/// <summary>A UDP listener that is running, its responder and one client.</summary>
internal sealed class UdpRig : IAsyncDisposable
{
    public const int TimeoutMs = 60_000;
    public static readonly TimeSpan Grace = TimeSpan.FromSeconds(5);

    private readonly byte[] _room = new byte[65535];

    public UdpRig(
        UdpSetup setup, string address = "127.0.0.1:0", TestResponder? responder = null,
        Func<TransportOptions, TransportOptions>? with = null)
    {
        TransportOptions options = new() { Workers = 2, SlotPool = Pool };
        Options = with is null ? options : with(options);
        Responder = responder ?? new TestResponder();
        Setup = setup;
        TransportOptions bindWith = Options;
        Listener = setup.Bind(IPEndPoint.Parse(address), ref bindWith);
        Options = bindWith;
        Listener.Start(new ProxiedDatagrams(Responder, Options.ProxyFrom));
        IPEndPoint bound = Listener.EndPoint;
        bool v4 = bound.AddressFamily == AddressFamily.InterNetwork;
        Server = UdpAdmission.IsWildcard(bound.Address)
            ? setup.AddressOf(v4 ? IPAddress.Loopback : IPAddress.IPv6Loopback, bound.Port)
            : bound;
        Client = NewClient();
    }

    public PoisonedMemoryPool Pool { get; } = new();

    public UdpSetup Setup { get; }

    public TransportOptions Options { get; }

    public TestResponder Responder { get; }

    public IUdpListener Listener { get; }

    public IPEndPoint Server { get; }

    public Socket Client { get; }

    /// <summary>A client connected to the server's address.</summary>
    public static Socket ClientOf(IPEndPoint server)
    {
        Socket client = new(server.AddressFamily, SocketType.Dgram, ProtocolType.Udp)
        {
            ReceiveTimeout = TimeoutMs,
            ReceiveBufferSize = 1 << 20,
        };
        client.Connect(server);
        return client;
    }

    /// <summary>One more client, that hears the server's address only.</summary>
    public Socket NewClient() => NewClientOf(Server);

    /// <summary>A client of another address that the server has, named by the loopback address it stands for.</summary>
    public Socket NewClient(IPAddress loopback) => NewClientOf(Setup.AddressOf(loopback, Server.Port));

    public byte[] Ask(byte[] query) => Ask(Client, query);

    public byte[] Ask(Socket client, byte[] query)
    {
        client.Send(query);
        return Receive(client);
    }

    public byte[] Receive(Socket client)
    {
        try
        {
            return _room[..client.Receive(_room)];
        }
        catch (SocketException error)
        {
            throw new TimeoutException($"{error.Message}; {Listener.Counters}", error);
        }
    }

    public ushort ReceiveId(Socket client) => BinaryPrimitives.ReadUInt16BigEndian(Receive(client));

    /// <summary>Sends a datagram to the server with a source port of one's choice.</summary>
    public void Forge(ushort sourcePort, byte[] payload)
    {
        byte[] datagram = new byte[8 + payload.Length];
        BinaryPrimitives.WriteUInt16BigEndian(datagram, sourcePort);
        BinaryPrimitives.WriteUInt16BigEndian(datagram.AsSpan(2), (ushort)Server.Port);
        BinaryPrimitives.WriteUInt16BigEndian(datagram.AsSpan(4), (ushort)datagram.Length);
        payload.CopyTo(datagram, 8);
        using Socket raw = Setup.Client(() => new(AddressFamily.InterNetwork, SocketType.Raw, ProtocolType.Udp));
        raw.SendTo(datagram, new IPEndPoint(Server.Address, 0));
    }

    /// <summary>Waits until a count is reached that other threads write.</summary>
    public UdpCounters WaitFor(Func<UdpCounters, bool> reached)
    {
        UdpCounters last = default;
        Assert.True(SpinWait.SpinUntil(() => reached(last = Listener.Counters), TimeoutMs), last.ToString());
        return last;
    }

    public async ValueTask DisposeAsync()
    {
        Client.Dispose();
        await Listener.StopAsync(Grace);
    }

    private Socket NewClientOf(IPEndPoint server) => Setup.Client(() => ClientOf(server));
}
