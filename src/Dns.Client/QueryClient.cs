using System.Diagnostics;
using System.Net.Sockets;
using System.Security.Cryptography;

namespace Dns.Client;

/// <summary>A reply and how it came.</summary>
/// <param name="Elapsed">From the query to the reply.</param>
public sealed record QueryReply(byte[] Message, IPEndPoint Server, bool IsTcp, TimeSpan Elapsed)
{
    /// <summary>What is wrong with its signature; null if nothing is, or the query was not signed.</summary>
    public string? Fault { get; init; }
}

/// <summary>What a transfer came to.</summary>
/// <param name="Records">Records of their answers.</param>
/// <param name="Octets">Octets of them.</param>
/// <param name="Fault">Why it is not to be believed, or not whole; null if it is.</param>
public sealed record QueryTransfer(QueryReply Last, long Messages, long Records, long Octets, string? Fault);

/// <summary>Asks one question: over UDP, three times at most, and over TCP when the reply is cut.</summary>
public static class QueryClient
{
    private const int Tries = 3;

    /// <exception cref="SocketException">The server cannot be reached.</exception>
    /// <exception cref="TimeoutException">No reply came.</exception>
    /// <exception cref="IOException">The server has no address, or the connection ended before the reply.</exception>
    public static async Task<QueryReply> QueryAsync(QueryRequest request, CancellationToken cancellation)
    {
        IPEndPoint server = new(await FindAsync(request.Server, cancellation), request.Port);
        ushort id = NewId();
        if (request.IsTcp) return await QueryTcpAsync(request, server, id, cancellation);
        QueryReply reply = await QueryUdpAsync(request, server, id, cancellation);
        bool isCut = (MessageHeader.Flags(reply.Message) & MessageHeader.Truncated) != 0;
        return isCut ? await QueryTcpAsync(request, server, id, cancellation) : reply;
    }

    /// <summary>Requests a zone over TCP. Holds at most one message.</summary>
    /// <param name="take">Takes each message before the next one is read.</param>
    /// <exception cref="SocketException">The server cannot be reached.</exception>
    /// <exception cref="TimeoutException">Nothing came for as long as the request waits.</exception>
    /// <exception cref="IOException">The server has no address, or the connection ended early.</exception>
    public static async Task<QueryTransfer> TransferAsync(QueryRequest request, Action<QueryReply> take,
        CancellationToken cancellation)
    {
        IPEndPoint server = new(await FindAsync(request.Server, cancellation), request.Port);
        ushort id = NewId();
        byte[] query = request.ToMessage(id);
        using QuerySignature signature = QuerySignature.Sign(ref query, request.Key);
        using Deadline deadline = new(request.Timeout, cancellation);
        TransferEnd end = new(request.Type == RRType.IXFR, request.FromSerial);
        long began = Stopwatch.GetTimestamp(), messages = 0, octets = 0;
        try
        {
            await using NetworkStream stream = await ConnectAsync(server, query, deadline.Token);
            while (true)
            {
                deadline.Restart();
                byte[] message = await ReadAsync(stream, deadline.Token);
                if (!request.IsAnsweredBy(message, id)) continue;
                QueryReply reply = new(message, server, IsTcp: true, Stopwatch.GetElapsedTime(began))
                    { Fault = signature.Verify(message) };
                take(reply);
                messages++;
                octets += message.Length;
                string? fault = reply.Fault ?? (end.Take(message) ? null : "the transfer is malformed");
                if (fault is null && end.IsReached && signature.IsUnproven) fault = "the last message is not signed";
                if (fault is null && RcodeOf(message) is not Rcode.NoError and var rcode)
                    fault = "the zone is not transferred: " + RcodeText.Format(rcode);
                if (fault is not null || end.IsReached)
                    return new QueryTransfer(reply, messages, end.Records, octets, fault);
            }
        }
        catch (OperationCanceledException) when (!cancellation.IsCancellationRequested)
        {
            string after = Counted.Of(messages, "message");
            throw new TimeoutException($"nothing more within {request.Timeout.TotalSeconds:0.#} s, after {after}");
        }
        catch (EndOfStreamException)
        {
            throw new IOException(
                $"the connection ended before the transfer did, after {Counted.Of(messages, "message")}");
        }
    }

    private static Rcode RcodeOf(byte[] message) =>
        (Rcode)(MessageHeader.Flags(message) & MessageHeader.RcodeMask);

    private static ushort NewId() => (ushort)RandomNumberGenerator.GetInt32(ushort.MaxValue + 1);

    /// <summary>A timeout that can be restarted.</summary>
    private sealed class Deadline : IDisposable
    {
        private readonly CancellationTokenSource _source;
        private readonly TimeSpan _time;

        public Deadline(TimeSpan time, CancellationToken cancellation)
        {
            (_time, _source) = (time, CancellationTokenSource.CreateLinkedTokenSource(cancellation));
            Restart();
        }

        public CancellationToken Token => _source.Token;

        public void Restart() => _source.CancelAfter(_time);

        public void Dispose() => _source.Dispose();
    }

    private static async Task<IPAddress> FindAsync(string server, CancellationToken cancellation)
    {
        if (IPAddress.TryParse(server, out IPAddress? address)) return address;
        const string unknown = "this machine's resolver finds no address of that name";
        try
        {
            return (await System.Net.Dns.GetHostAddressesAsync(server, cancellation)).FirstOrDefault()
                ?? throw new IOException(unknown);
        }
        catch (SocketException error)
        {
            throw new IOException(unknown, error);
        }
    }

    private static async Task<QueryReply> QueryUdpAsync(
        QueryRequest request, IPEndPoint server, ushort id, CancellationToken cancellation)
    {
        byte[] query = request.ToMessage(id), buffer = new byte[ushort.MaxValue];
        using QuerySignature signature = QuerySignature.Sign(ref query, request.Key);
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
                    if (!request.IsAnsweredBy(buffer.AsSpan(0, length), id)) continue;
                    return new QueryReply(buffer[..length], server, IsTcp: false, Stopwatch.GetElapsedTime(began))
                    {
                        Fault = signature.Verify(buffer.AsSpan(0, length)),
                    };
                }
            }
            catch (OperationCanceledException) when (!cancellation.IsCancellationRequested)
            {
                // A datagram may be lost: ask again.
            }
        }
        throw new TimeoutException($"no reply within {Tries} times {request.Timeout.TotalSeconds:0.#} s");
    }

    private static async Task<QueryReply> QueryTcpAsync(
        QueryRequest request, IPEndPoint server, ushort id, CancellationToken cancellation)
    {
        byte[] query = request.ToMessage(id);
        using QuerySignature signature = QuerySignature.Sign(ref query, request.Key);
        using var deadline = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        deadline.CancelAfter(request.Timeout);
        try
        {
            long began = Stopwatch.GetTimestamp();
            await using NetworkStream stream = await ConnectAsync(server, query, deadline.Token);
            while (true)
            {
                byte[] reply = await ReadAsync(stream, deadline.Token);
                if (request.IsAnsweredBy(reply, id))
                    return new QueryReply(reply, server, IsTcp: true, Stopwatch.GetElapsedTime(began))
                        { Fault = signature.Verify(reply) };
            }
        }
        catch (OperationCanceledException) when (!cancellation.IsCancellationRequested)
        {
            throw new TimeoutException($"no reply over TCP within {request.Timeout.TotalSeconds:0.#} s");
        }
    }

    /// <summary>Connects and sends a query.</summary>
    private static async Task<NetworkStream> ConnectAsync(IPEndPoint server, byte[] query,
        CancellationToken cancellation)
    {
        byte[] framed = new byte[query.Length + 2];
        BinaryPrimitives.WriteUInt16BigEndian(framed, (ushort)query.Length);
        query.CopyTo(framed, 2);
        Socket socket = new(server.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        try
        {
            await socket.ConnectAsync(server, cancellation);
            NetworkStream stream = new(socket, ownsSocket: true);
            await stream.WriteAsync(framed, cancellation);
            return stream;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    private static async Task<byte[]> ReadAsync(NetworkStream stream, CancellationToken cancellation)
    {
        byte[] prefix = new byte[2];
        await stream.ReadExactlyAsync(prefix, cancellation);
        byte[] message = new byte[BinaryPrimitives.ReadUInt16BigEndian(prefix)];
        await stream.ReadExactlyAsync(message, cancellation);
        return message;
    }
}
