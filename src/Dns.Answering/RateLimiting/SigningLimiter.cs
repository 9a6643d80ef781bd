namespace Dns.Answering.RateLimiting;

/// <summary>
/// Limits the cost of queries for new names: signatures that are not cached, with a rate for all clients and one for
/// each client network. A signature over the limit does not fit: TC over UDP, so that a real client retries over TCP,
/// with a separate rate; SERVFAIL over TCP.
/// </summary>
/// <remarks>
/// Thread-safe; lock-free; allocates nothing; memory does not depend on traffic. Rates apply to an eighth of a second,
/// so that a burst of signatures delays a worker by some milliseconds only.
/// </remarks>
public sealed class SigningLimiter
{
    private const int TicksPerSecond = 8, TickMs = 1000 / TicksPerSecond;
    private const int Networks = 4096;
    private const ulong Multiplier = 0x9FB21C651E98DF25;
    private const ulong IPv4Mask = 0xFFFF_FFFF_FFFF_FF00, IPv6Mask = 0xFFFF_FFFF_FFFF_FF00;

    private readonly RateBuckets _all = new(1), _networks = new(Networks);
    private readonly ulong _seed = SystemRandom.UInt64();
    private readonly int _perTick, _perNetwork;
    private uint _tick;
    private long _refused;

    /// <summary>A limiter with full buckets.</summary>
    public SigningLimiter(SigningLimits limits)
    {
        _perTick = Math.Max(1, limits.PerSecond / TicksPerSecond);
        _perNetwork = Math.Max(1, limits.PerNetwork / TicksPerSecond);
    }

    /// <summary>Number of signatures over the limit.</summary>
    public long Refused => Interlocked.Read(ref _refused);

    /// <summary>Sets the time; called by one thread, about ten times a second.</summary>
    /// <param name="uptime">Monotonic time since the start.</param>
    public void Tick(TimeSpan uptime) => Volatile.Write(ref _tick, (uint)((long)uptime.TotalMilliseconds / TickMs));

    internal static ulong NetworkOf(ref ClientAddress client)
    {
        ReadOnlySpan<byte> address = client.Address;
        return client.IsIPv4
            ? BinaryPrimitives.ReadUInt64BigEndian(address[8..]) & IPv4Mask
            : BinaryPrimitives.ReadUInt64BigEndian(address) & IPv6Mask;
    }

    /// <summary>Takes one signature from the limits.</summary>
    /// <param name="cost">The cost of the signature, in multiples of ECDSA P-256.</param>
    internal bool TryTake(ulong network, bool isProven, int cost)
    {
        uint tick = Volatile.Read(ref _tick);
        ulong kind = isProven ? 1UL : 2UL;
        bool passes = true;
        for (; cost > 0 && passes; cost--)
            passes = _networks.TryTake(Mix(Mix(_seed ^ network) ^ kind), _perNetwork, tick, 0, out _)
                && _all.TryTake(Mix(_seed ^ kind), _perTick, tick, 0, out _);
        if (!passes) Interlocked.Increment(ref _refused);
        return passes;
    }

    private static ulong Mix(ulong value)
    {
        ulong high = Math.BigMul(value, Multiplier, out ulong low);
        return high ^ low;
    }
}
