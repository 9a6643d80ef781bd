using System.Net;
using System.Net.Sockets;

namespace Dns.Bench;

/// <summary>One UDP client: a connected socket and its queries in flight. Owned by one thread.</summary>
internal sealed class UdpFlow : IDisposable
{
    private const int SocketBufferBytes = 4 << 20;
    private readonly Socket _socket;

    internal UdpFlow(IPEndPoint server, int ring, int timeoutMs)
    {
        _socket = new Socket(server.AddressFamily, SocketType.Dgram, ProtocolType.Udp)
        {
            ReceiveBufferSize = SocketBufferBytes, ReceiveTimeout = timeoutMs,
        };
        _socket.Connect(server);
        Handle = (int)_socket.SafeHandle.DangerousGetHandle();
        Pending = new PendingQueries(ring);
    }

    internal int Handle { get; }

    internal PendingQueries Pending { get; }

    /// <summary>Sends queries in batches.</summary>
    /// <param name="batch">Where they are laid out.</param>
    /// <param name="queries">What to ask.</param>
    /// <param name="next">Which query is next; moved on.</param>
    /// <param name="count">How many to send.</param>
    /// <param name="sentAt">The moment from which latency counts.</param>
    /// <param name="result">Where they are counted.</param>
    /// <param name="segments">Whether adjacent queries of one length are sent as one message.</param>
    internal void Send(
        LinuxSockets.Batch batch, QuerySet queries, ref int next, int count, long sentAt, LoadResult result,
        bool segments)
    {
        while (count > 0)
        {
            int now = Math.Min(count, batch.Capacity);
            for (int i = 0; i < now; i++)
            {
                ReadOnlySpan<byte> query = queries[next];
                Span<byte> slot = batch.Slot(i);
                query.CopyTo(slot);
                ushort id = Pending.Add(queries, next, sentAt, result);
                slot[0] = (byte)(id >> 8);
                slot[1] = (byte)id;
                batch.SetLength(i, query.Length);
                if (++next == queries.Count) next = 0;
            }
            if (segments) batch.SendSegmented(Handle, now);
            else batch.Send(Handle, now);
            result.Sent += now;
            count -= now;
        }
    }

    public void Dispose() => _socket.Dispose();
}
