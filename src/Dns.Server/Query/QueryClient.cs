using System.Buffers.Binary;
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;

namespace Dns.Server;

/// <summary>A reply and how it came.</summary>
/// <param name="Message">Its octets.</param>
/// <param name="Server">Who sent it.</param>
/// <param name="IsTcp">Whether it came over TCP.</param>
/// <param name="Elapsed">From the query to the reply.</param>
internal sealed record QueryReply(byte[] Message, IPEndPoint Server, bool IsTcp, TimeSpan Elapsed);

/// <summary>Asks one question: over UDP, three times at most, and over TCP when the reply is cut.</summary>
internal static class QueryClient
{
    private const int Tries = 3;

    /// <summary>Asks.</summary>
    /// <exception cref="SocketException">The server cannot be reached.</exception>
    /// <exception cref="TimeoutException">No reply came.</exception>
    /// <exception cref="IOException">The server has no address, or the connection ended before the reply did.</exception>
    public static async Task<QueryReply> AskAsync(QueryRequest request, CancellationToken cancellation)
    {
        IPEndPoint server = new(await FindAsync(request.Server, cancellation), request.Port);
        ushort id = (ushort)RandomNumberGenerator.GetInt32(ushort.MaxValue + 1);
        if (request.IsTcp) return await AskTcpAsync(request, server, id, cancellation);
        QueryReply reply = await AskUdpAsync(request, server, id, cancellation);
        bool isCut = (Protocol.MessageHeader.Flags(reply.Message) & Protocol.MessageHeader.Truncated) != 0;
        return isCut ? await AskTcpAsync(request, server, id, cancellation) : reply;
    }

    private static async Task<IPAddress> FindAsync(string server, CancellationToken cancellation)
    {
        if (IPAddress.TryParse(server, out IPAddress? address)) return address;
        const string unknown = "this machine's resolver finds no address of that name";
        try
        {
            return (await System.Net.Dns.GetHostAddressesAsync(server, cancellation)).FirstOrDefault() ?? throw new IOException(unknown);
        }
        catch (SocketException error)
        {
            throw new IOException(unknown, error);
        }
    }

    private static async Task<QueryReply> AskUdpAsync(
        QueryRequest request, IPEndPoint server, ushort id, CancellationToken cancellation)
    {
        byte[] query = request.ToMessage(id), buffer = new byte[ushort.MaxValue];
        // A connected socket takes replies of this server only, and hears when its port is closed.
        using Socket socket = new(server.AddressFamily, SocketType.Dgram, ProtocolType.Udp);
        await socket.ConnectAsync(server, cancellation);
        for (int tries = 0; tries < Tries; tries++)
        {
            using var deadline = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
            deadline.CancelAfter(request.Timeout);
            long began = Stopwatch.GetTimestamp();
            try
            {
                await socket.SendAsync(query, deadline.Token);
                while (true)
                {
                    int length = await socket.ReceiveAsync(buffer, deadline.Token);
                    if (request.IsAnsweredBy(buffer.AsSpan(0, length), id))
                        return new QueryReply(buffer[..length], server, IsTcp: false, Stopwatch.GetElapsedTime(began));
                }
            }
            catch (OperationCanceledException) when (!cancellation.IsCancellationRequested)
            {
                // A datagram may be lost: ask again.
            }
        }
        throw new TimeoutException($"no reply within {Tries} times {request.Timeout.TotalSeconds:0.#} s");
    }

    private static async Task<QueryReply> AskTcpAsync(
        QueryRequest request, IPEndPoint server, ushort id, CancellationToken cancellation)
    {
        byte[] query = request.ToMessage(id), framed = new byte[query.Length + 2], prefix = new byte[2];
        BinaryPrimitives.WriteUInt16BigEndian(framed, (ushort)query.Length);
        query.CopyTo(framed, 2);
        using var deadline = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        deadline.CancelAfter(request.Timeout);
        try
        {
            using Socket socket = new(server.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
            long began = Stopwatch.GetTimestamp();
            await socket.ConnectAsync(server, deadline.Token);
            await using NetworkStream stream = new(socket);
            await stream.WriteAsync(framed, deadline.Token);
            while (true)
            {
                await stream.ReadExactlyAsync(prefix, deadline.Token);
                byte[] reply = new byte[BinaryPrimitives.ReadUInt16BigEndian(prefix)];
                await stream.ReadExactlyAsync(reply, deadline.Token);
                if (request.IsAnsweredBy(reply, id))
                    return new QueryReply(reply, server, IsTcp: true, Stopwatch.GetElapsedTime(began));
            }
        }
        catch (OperationCanceledException) when (!cancellation.IsCancellationRequested)
        {
            throw new TimeoutException($"no reply over TCP within {request.Timeout.TotalSeconds:0.#} s");
        }
    }
}
