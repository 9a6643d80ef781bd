using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using Dns.Testing;

namespace Dns.Integration.Tests;

/// <summary>Asks over plain sockets, independent of the program's own client.</summary>
internal static class Client
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(3);

    /// <summary>Queries over UDP, again every second without a reply.</summary>
    public static Task<Reply> AskUdpAsync(IPEndPoint server, string question) =>
        AskUdpAsync(server, QueryMessage.For(question));

    /// <summary>Queries over UDP, again every second without a reply.</summary>
    public static async Task<Reply> AskUdpAsync(IPEndPoint server, QueryMessage message, bool isForeign = false)
    {
        byte[] query = message.ToOctets();
        using UdpClient client = new(server.AddressFamily);
        client.Connect(server);
        for (int tries = 0; ; tries++)
        {
            await client.SendAsync(query);
            using CancellationTokenSource deadline = new(TimeSpan.FromSeconds(1));
            try
            {
                return Reply.Read((await client.ReceiveAsync(deadline.Token)).Buffer, isForeign);
            }
            catch (OperationCanceledException) when (tries < 180)
            {
                // A busy machine may need another second.
            }
        }
    }

    /// <summary>Queries over UDP once, for tests that count: on loopback nothing is lost that has room.</summary>
    public static async Task<Reply> AskUdpOnceAsync(IPEndPoint server, string question)
    {
        using UdpClient client = new(server.AddressFamily);
        client.Connect(server);
        await client.SendAsync(QueryMessage.For(question).ToOctets());
        using CancellationTokenSource deadline = new(Patience);
        return Reply.Read((await client.ReceiveAsync(deadline.Token)).Buffer);
    }

    /// <summary>Opens a connection.</summary>
    public static async Task<NetworkStream> ConnectAsync(IPEndPoint server)
    {
        Socket socket = new(server.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { ReceiveTimeout = 180_000 };
        await socket.ConnectAsync(server).WaitAsync(Patience);
        return new NetworkStream(socket, ownsSocket: true);
    }

    public static async Task SendAsync(Stream stream, string question)
    {
        byte[] query = QueryMessage.For(question).ToOctets();
        byte[] framed = [(byte)(query.Length >> 8), (byte)query.Length, .. query];
        await stream.WriteAsync(framed).AsTask().WaitAsync(Patience);
    }

    public static async Task<Reply> ReceiveAsync(Stream stream, bool isForeign = false)
    {
        byte[] prefix = new byte[2];
        await stream.ReadExactlyAsync(prefix).AsTask().WaitAsync(Patience);
        byte[] reply = new byte[BinaryPrimitives.ReadUInt16BigEndian(prefix)];
        await stream.ReadExactlyAsync(reply).AsTask().WaitAsync(Patience);
        return Reply.Read(reply, isForeign);
    }

    public static async Task<Reply> AskTcpAsync(IPEndPoint server, string question)
    {
        await using NetworkStream stream = await ConnectAsync(server);
        await SendAsync(stream, question);
        return await ReceiveAsync(stream);
    }
}
