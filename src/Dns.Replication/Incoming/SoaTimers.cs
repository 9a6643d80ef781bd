namespace Dns.Replication.Incoming;

/// <summary>The SOA timers (RFC 1035 §3.3.13) of a secondary zone.</summary>
/// <param name="Refresh">From a successful refresh to the next.</param>
/// <param name="Retry">From a failed refresh to the next.</param>
/// <param name="Expire">From the last successful refresh to expiry.</param>
internal readonly record struct SoaTimers(TimeSpan Refresh, TimeSpan Retry, TimeSpan Expire)
{
    private const uint MaxRefreshSeconds = 28 * 86400;
    private const uint MaxRetrySeconds = 14 * 86400;
    private const uint LeastSeconds = 1;

    // Without an SOA: exponential backoff.
    private const double FirstRetrySeconds = 5;
    private const double LastRetrySeconds = 600;

    /// <summary>The timers of a version.</summary>
    /// <param name="minRefresh">The minimum of refresh and retry.</param>
    public static SoaTimers Of(Zone zone, TimeSpan minRefresh)
    {
        if (!zone.ApexNode.TryFind(RRType.SOA, out RRset soa)) return default;
        ReadOnlySpan<byte> numbers = soa.First[^20..];
        uint refresh = Math.Clamp(BinaryPrimitives.ReadUInt32BigEndian(numbers[4..]), LeastSeconds, MaxRefreshSeconds);
        uint retry = Math.Clamp(BinaryPrimitives.ReadUInt32BigEndian(numbers[8..]), LeastSeconds, MaxRetrySeconds);
        uint expire = BinaryPrimitives.ReadUInt32BigEndian(numbers[12..]);
        TimeSpan refreshTime = Longer(TimeSpan.FromSeconds(refresh), minRefresh);
        TimeSpan retryTime = Longer(TimeSpan.FromSeconds(retry), minRefresh);
        // RFC 1912 §2.2: a zone must not expire before the first retry.
        return new SoaTimers(refreshTime, retryTime, Longer(TimeSpan.FromSeconds(expire), refreshTime + retryTime));
    }

    /// <summary>The delay after consecutive failures without any version.</summary>
    public static TimeSpan RetryWithout(int failures) =>
        TimeSpan.FromSeconds(Math.Min(LastRetrySeconds, FirstRetrySeconds * Math.Pow(2, Math.Min(failures - 1, 16))));

    /// <summary>The expiry limited by a primary's EXPIRE option (RFC 7314 §4) in seconds; null = none.</summary>
    public TimeSpan ExpireAt(uint? expireSeconds) =>
        expireSeconds is { } seconds && seconds < Expire.TotalSeconds ? TimeSpan.FromSeconds(seconds) : Expire;

    /// <summary>Shortens a time by up to a tenth at random, to spread zones.</summary>
    public static TimeSpan Jitter(TimeSpan time, Random random) => time * (1 - random.NextDouble() / 10);

    private static TimeSpan Longer(TimeSpan one, TimeSpan other) => one > other ? one : other;
}
