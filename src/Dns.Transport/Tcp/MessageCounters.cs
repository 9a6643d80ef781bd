namespace Dns.Transport.Tcp;

/// <summary>Messages received and sent over all connections, sharded by processor.</summary>
internal sealed class MessageCounters
{
    private const int Shards = 16;

    private readonly Shard[] _shards = new Shard[Shards];

    public long Received => Sum(static (in shard) => Volatile.Read(in shard.Received));

    /// <summary>Answers accepted by the system.</summary>
    public long Sent => Sum(static (in shard) => Volatile.Read(in shard.Sent));

    public void Add(int received, int sent)
    {
        ref Shard shard = ref _shards[Thread.GetCurrentProcessorId() & (Shards - 1)];
        if (received != 0) Interlocked.Add(ref shard.Received, received);
        if (sent != 0) Interlocked.Add(ref shard.Sent, sent);
    }

    private long Sum(Reader read)
    {
        long sum = 0;
        foreach (ref readonly Shard shard in _shards.AsSpan()) sum += read(in shard);
        return sum;
    }

    private delegate long Reader(in Shard shard);

    /// <summary>Two cache lines against false sharing, since lines are prefetched in pairs.</summary>
    [StructLayout(LayoutKind.Explicit, Size = 128)]
    private struct Shard
    {
        [FieldOffset(0)]
        public long Received;

        [FieldOffset(8)]
        public long Sent;
    }
}
