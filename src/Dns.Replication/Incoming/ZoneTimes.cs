using System.Buffers.Binary;
using Dns.Protocol;
using Dns.Zones;

namespace Dns.Replication;

/// <summary>The times of an SOA (RFC 1035 §3.3.13) as a secondary keeps them.</summary>
/// <param name="Refresh">From one good refresh to the next.</param>
/// <param name="Retry">From a refresh that failed to the next.</param>
/// <param name="Expire">From the last good refresh to the end of serving the zone.</param>
internal readonly record struct ZoneTimes(TimeSpan Refresh, TimeSpan Retry, TimeSpan Expire)
{
    private const uint MaxRefreshSeconds = 28 * 86400;
    private const uint MaxRetrySeconds = 14 * 86400;
    private const uint LeastSeconds = 1;

    // Without an SOA: soon, and less often as it goes on.
    private const double FirstRetrySeconds = 5;
    private const double LastRetrySeconds = 600;

    /// <summary>Those of a version.</summary>
    /// <param name="zone">The version.</param>
    /// <param name="minRefresh">The least that refresh and retry may be.</param>
    public static ZoneTimes Of(Zone zone, TimeSpan minRefresh)
    {
        if (!zone.ApexNode.TryFind(RRType.SOA, out RRset soa)) return default;
        ReadOnlySpan<byte> numbers = soa.First[^20..];
        uint refresh = Math.Clamp(BinaryPrimitives.ReadUInt32BigEndian(numbers[4..]), LeastSeconds, MaxRefreshSeconds);
        uint retry = Math.Clamp(BinaryPrimitives.ReadUInt32BigEndian(numbers[8..]), LeastSeconds, MaxRetrySeconds);
        uint expire = BinaryPrimitives.ReadUInt32BigEndian(numbers[12..]);
        TimeSpan refreshTime = Longer(TimeSpan.FromSeconds(refresh), minRefresh);
        TimeSpan retryTime = Longer(TimeSpan.FromSeconds(retry), minRefresh);
        // RFC 1912 §2.2: a zone must not expire before it was tried to refresh it.
        return new ZoneTimes(refreshTime, retryTime, Longer(TimeSpan.FromSeconds(expire), refreshTime + retryTime));
    }

    /// <summary>How long to wait after failures in a row without any version.</summary>
    public static TimeSpan RetryWithout(int failures) =>
        TimeSpan.FromSeconds(Math.Min(LastRetrySeconds, FirstRetrySeconds * Math.Pow(2, Math.Min(failures - 1, 16))));

    /// <summary>How long a version may be served when a primary has said how long it would (RFC 7314 §4).</summary>
    /// <param name="expireSeconds">The EXPIRE option; null = it has said nothing.</param>
    public TimeSpan ExpireAt(uint? expireSeconds) =>
        expireSeconds is { } seconds && seconds < Expire.TotalSeconds ? TimeSpan.FromSeconds(seconds) : Expire;

    /// <summary>Up to a tenth less, so that zones that came together do not stay together.</summary>
    public static TimeSpan Jitter(TimeSpan time, Random random) => time * (1 - random.NextDouble() / 10);

    private static TimeSpan Longer(TimeSpan one, TimeSpan other) => one > other ? one : other;
}
