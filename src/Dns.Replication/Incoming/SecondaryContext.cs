using System.Collections.Concurrent;

namespace Dns.Replication.Incoming;

/// <summary>What the parts of a <see cref="SecondarySource"/> share.</summary>
internal sealed class SecondaryContext(
    SecondaryOptions options, ISecondaryObserver observer, MonotonicClock clock, Random random)
{
    private volatile SecondaryOptions _options = options;

    /// <summary>Protects the scheduling state of all zones.</summary>
    public Lock Gate { get; } = new();

    public ConcurrentDictionary<DomainName, SecondaryZone> Zones { get; } = [];

    public SecondaryOptions Options
    {
        get => _options;
        set => _options = value;
    }

    public ISecondaryObserver Observer => observer;

    public MonotonicClock Clock => clock;

    public DateTimeOffset UtcNow => clock.Provider.GetUtcNow();

    public SecondaryCounters Counters { get; } = new();

    public CancellationTokenSource Stopping { get; } = new();

    /// <summary>Shortens a time by up to a tenth at random, to spread zones.</summary>
    public TimeSpan Jitter(TimeSpan time) => SoaTimers.Jitter(time, random);

    /// <summary>Whether the newest version of a zone is too old to be served.</summary>
    public bool IsTooOld(SecondaryZone zone) => zone.Held is not null && zone.ExpiresDue <= clock.Now;
}
