using Dns.Protocol;

namespace Dns.Zones;

/// <summary>
/// The fixed place of one zone in a <see cref="ZoneSet"/>, in which its versions are published one after the other; and the claim
/// that a source has on the zone's name. Writers are the source, one thread at a time; any number of threads read without a lock.
/// A source may keep what it has to know of the zone in a class of its own.
/// </summary>
public class ZoneSlot
{
    private volatile Zone? _zone;
    private volatile string? _failure;
    private volatile ZoneState _state;
    private uint _since, _loadedAt;
    private int _counterSlot;
    private long _expiresAt;

    /// <summary>A slot without data, in state <see cref="ZoneState.Loading"/>.</summary>
    public ZoneSlot(DomainName name)
    {
        Name = name;
        LabelCount = WireName.CountLabels(name.Octets);
    }

    /// <summary>The zone's name.</summary>
    public DomainName Name { get; }

    /// <summary>Who has put the zone here; null until it is claimed.</summary>
    public IZoneSource? Source { get; internal set; }

    /// <summary>Where it is claimed; null until then.</summary>
    internal ZoneRegistry? Registry { get; set; }

    /// <summary>Which of several claims on the name is served. Stays as long as it is claimed.</summary>
    public ZonePrecedence Precedence { get; init; } = ZonePrecedence.Other;

    /// <summary>Number of labels in the name, the root label not counted.</summary>
    internal int LabelCount { get; }

    /// <summary>The clients that the zone is answered to; null = everybody. May be replaced while queries are answered.</summary>
    public ClientNetworks? AllowQuery
    {
        get => Volatile.Read(ref field);
        set => Volatile.Write(ref field, value);
    }

    /// <summary>With whom the zone is exchanged; null = as the server says. May be replaced while queries are answered.</summary>
    public ZonePolicy? Policy
    {
        get => Volatile.Read(ref field);
        set => Volatile.Write(ref field, value);
    }

    /// <summary>
    /// Until when the data may be served, in seconds since 1970; 0 = as long as it is there. What EXPIRE tells other secondaries
    /// (RFC 7314 §3.2). May be replaced while queries are answered.
    /// </summary>
    public long ExpiresAt
    {
        get => Volatile.Read(ref _expiresAt);
        set => Volatile.Write(ref _expiresAt, value);
    }

    /// <summary>How a zone does that is copied from other servers; null for any other.</summary>
    public virtual ZoneReplica? Replica => null;

    /// <summary>The version that queries are answered from; null where there is none: see <see cref="State"/>.</summary>
    public Zone? Zone => _zone;

    /// <summary>Why the latest data could not be used, or the zone has expired; null while all is well.</summary>
    public string? Failure => _failure;

    /// <summary>Whether there is data, and if not, why.</summary>
    public ZoneState State => _state;

    /// <summary>When the state became what it is, to the second; null if nothing said so.</summary>
    public DateTimeOffset? Since => TimeOf(Volatile.Read(ref _since));

    /// <summary>When the data that is served was published, to the second; null if there is none, or nothing said so.</summary>
    public DateTimeOffset? LoadedAt => TimeOf(Volatile.Read(ref _loadedAt));

    /// <summary>Where queries for the zone are counted; 0 until something counts them.</summary>
    public int CounterSlot => _counterSlot;

    /// <summary>Sets <see cref="CounterSlot"/>, unless another thread has changed it meanwhile.</summary>
    /// <param name="slot">The new slot.</param>
    /// <param name="before">The slot that it replaces.</param>
    public bool TrySetCounterSlot(int slot, int before) =>
        Interlocked.CompareExchange(ref _counterSlot, slot, before) == before;

    /// <summary>Whether a client may ask for what is in the zone.</summary>
    public bool Admits(ref ClientAddress client) => AllowQuery is not { } allowed || allowed.Contains(ref client);

    /// <summary>Lets queries from now on be answered from <paramref name="zone"/>.</summary>
    /// <param name="zone">The version.</param>
    /// <param name="now">The time; null = not known.</param>
    /// <param name="delta">What makes it of the version before; null = not known.</param>
    /// <exception cref="ArgumentException">The zone has another name than the slot.</exception>
    public void Publish(Zone zone, DateTimeOffset? now = null, ZoneDelta? delta = null)
    {
        if (!WireName.EqualsIgnoreCase(zone.Apex, Name.Octets))
            throw new ArgumentException($"{NameText.ToText(zone.Apex)} is not {Name}", nameof(zone));
        Zone? before = _zone;
        ZoneVersionChange change = new(before, zone, delta);
        if (!ReferenceEquals(before, zone)) Registry?.OnPublishing(this, in change);
        _zone = zone;
        _failure = null;
        Volatile.Write(ref _loadedAt, SecondsOf(now));
        Enter(ZoneState.Serving, now);
        if (!ReferenceEquals(before, zone)) Registry?.OnPublished(this, in change);
    }

    /// <summary>Records that the latest data cannot be used. A version from before goes on being served.</summary>
    /// <param name="reason">Why, for people.</param>
    /// <param name="now">The time; null = not known.</param>
    public void Fail(string reason, DateTimeOffset? now = null)
    {
        _failure = reason;
        Enter(
            _state switch
            {
                ZoneState.Serving or ZoneState.Stale => ZoneState.Stale,
                ZoneState.Expired => ZoneState.Expired,
                _ => ZoneState.Failed,
            },
            now);
    }

    /// <summary>Ends the serving of data that is too old; it is let go.</summary>
    /// <param name="reason">Why, for people.</param>
    /// <param name="now">The time; null = not known.</param>
    public void Expire(string reason, DateTimeOffset? now = null)
    {
        // First: who finds no data sees why.
        _failure = reason;
        Enter(ZoneState.Expired, now);
        _zone = null;
        Volatile.Write(ref _loadedAt, 0);
    }

    private void Enter(ZoneState state, DateTimeOffset? now)
    {
        if (state == _state) return;
        _state = state;
        Volatile.Write(ref _since, SecondsOf(now));
    }

    // Seconds since 1970 as four octets last until 2106; 0 is not known.
    private static uint SecondsOf(DateTimeOffset? time) => (uint)Math.Clamp(time?.ToUnixTimeSeconds() ?? 0, 0, uint.MaxValue);

    private static DateTimeOffset? TimeOf(uint seconds) => seconds == 0 ? null : DateTimeOffset.FromUnixTimeSeconds(seconds);
}
