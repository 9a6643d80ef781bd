namespace Dns.Answering.RateLimiting;

/// <summary>
/// Response rate limiting (RRL): limits answers of one kind to one network each second, so that forged queries cannot
/// be used for amplification attacks. Only for answers to unproven addresses.
/// </summary>
/// <remarks>Thread-safe; lock-free; allocates nothing for a query; memory does not depend on traffic.</remarks>
public sealed class RateLimiter
{
    private const ulong Multiplier = 0x9FB21C651E98DF25;
    private const ulong MappedIPv4 = 0xFFFF_0000_0000;
    private const int ShardLongs = 16;

    private readonly RateLimitOptions _options;
    private readonly ClientNetworks _exempt;
    private readonly RateBuckets _buckets;
    private readonly ulong _seed;
    private readonly ulong _mask4, _mask6;
    private readonly long[] _counts;
    private uint _second;
    private ulong _lastOver;

    /// <summary>A limiter with full buckets.</summary>
    public RateLimiter(RateLimitOptions options)
        : this(options, new RateBuckets(options.Table), new long[(CounterShard.Count + 1) * ShardLongs],
            SystemRandom.UInt64())
    {
    }

    private RateLimiter(RateLimitOptions options, RateBuckets buckets, long[] counts, ulong seed)
    {
        _options = options;
        _exempt = new ClientNetworks(options.Exempt);
        (_buckets, _counts, _seed) = (buckets, counts, seed);
        _mask4 = MappedIPv4 | uint.MaxValue << (32 - options.IPv4Prefix);
        _mask6 = ulong.MaxValue << (64 - options.IPv6Prefix);
    }

    /// <summary>
    /// A limiter with other options, the same counters, and the same buckets if their number stays, so that a client
    /// over the limit stays over it. A caller uses one limiter for a whole message.
    /// </summary>
    public RateLimiter With(RateLimitOptions options) => new(
        options, options.Table == _options.Table ? _buckets : new RateBuckets(options.Table), _counts, _seed)
    {
        _second = Volatile.Read(ref _second),
        _lastOver = Volatile.Read(ref _lastOver),
    };

    /// <summary>The counters so far.</summary>
    public RateLimitCounters Counters =>
        new(Sum(RateLimitVerdict.Passed), Sum(RateLimitVerdict.Dropped), Sum(RateLimitVerdict.Slipped),
            Sum(RateLimitVerdict.Counted));

    /// <summary>Memory used by the buckets, in bytes.</summary>
    public long MemoryBytes => _buckets.MemoryBytes;

    /// <summary>The network that was over the limit last. Allocates.</summary>
    public System.Net.IPNetwork LastOver
    {
        get
        {
            ulong network = Volatile.Read(ref _lastOver);
            bool isIPv4 = network >> 32 == MappedIPv4 >> 32;
            // The stored network may have a longer prefix from earlier options.
            network &= isIPv4 ? _mask4 : _mask6;
            byte[] octets = new byte[16];
            BinaryPrimitives.WriteUInt64BigEndian(octets, network);
            return isIPv4
                ? new System.Net.IPNetwork(new System.Net.IPAddress(octets.AsSpan(4, 4)), _options.IPv4Prefix)
                : new System.Net.IPNetwork(new System.Net.IPAddress(octets), _options.IPv6Prefix);
        }
    }

    /// <summary>Sets the time; called by one thread, about ten times a second.</summary>
    /// <param name="uptimeSeconds">Monotonic seconds since the start.</param>
    public void Tick(long uptimeSeconds) => Volatile.Write(ref _second, (uint)uptimeSeconds);

    /// <summary>Judges an answer.</summary>
    /// <param name="name">The hash of the name that distinguishes answers of this kind.</param>
    /// <param name="client">The client's address, possibly forged.</param>
    internal RateLimitVerdict Check(AnswerKind kind, ulong name, ref ClientAddress client, int shard)
    {
        bool isError = kind is AnswerKind.Refused or AnswerKind.Failure or AnswerKind.Malformed;
        int rate = isError ? _options.ErrorsPerSecond
            : kind == AnswerKind.NameError ? _options.NxDomainsPerSecond : _options.ResponsesPerSecond;
        if (rate == 0 || _exempt.Contains(ref client)) return RateLimitVerdict.Passed;
        ulong network = NetworkOf(ref client);
        // All errors share one bucket for each network.
        ulong hash = isError ? HashOf(network, 0, AnswerKind.Malformed) : HashOf(network, name, kind);
        bool passes = _buckets.TryTake(hash, rate, Volatile.Read(ref _second), _options.Slip, out bool slips);
        RateLimitVerdict verdict = passes ? RateLimitVerdict.Passed
            : _options.Mode == RateLimitMode.Log ? RateLimitVerdict.Counted
            : slips ? RateLimitVerdict.Slipped : RateLimitVerdict.Dropped;
        if (!passes) Volatile.Write(ref _lastOver, network);
        _counts[ShardLongs * (shard + 1) + (int)verdict]++;
        return verdict;
    }

    /// <summary>Prefetches the bucket that <see cref="Check"/> would stall on if the answer has data.</summary>
    internal void Prefetch(ulong name, ref ClientAddress client) =>
        _buckets.Prefetch(HashOf(NetworkOf(ref client), name, AnswerKind.Positive));

    private ulong HashOf(ulong network, ulong name, AnswerKind kind) => Mix(Mix(_seed ^ network) ^ name + (ulong)kind);

    private ulong NetworkOf(ref ClientAddress client)
    {
        ReadOnlySpan<byte> address = client.Address;
        return client.IsIPv4
            ? BinaryPrimitives.ReadUInt64BigEndian(address[8..]) & _mask4
            : BinaryPrimitives.ReadUInt64BigEndian(address) & _mask6;
    }

    private long Sum(RateLimitVerdict verdict)
    {
        long sum = 0;
        for (int i = 1; i <= CounterShard.Count; i++) sum += Volatile.Read(ref _counts[ShardLongs * i + (int)verdict]);
        return sum;
    }

    private static ulong Mix(ulong value)
    {
        ulong high = Math.BigMul(value, Multiplier, out ulong low);
        return high ^ low;
    }
}
