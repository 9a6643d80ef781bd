namespace Dns.Zones.Lookup;

/// <summary>
/// The place of one zone in a <see cref="ZoneSet"/>, in which its versions are published; also a source's claim on the
/// zone's name. One thread of the source writes at a time; any number of threads read without a lock. A source may
/// derive a class with its own data.
/// </summary>
public partial class ZoneSlot
{
    private volatile Zone? _zone;
    private volatile ZoneFailure? _failure;
    private volatile ZoneState _state;
    private uint _since, _loadedAt;
    private int _counterSlot;

    // For a zone that is signed here; one field, since a server may have a million slots.
    private volatile SourceVersions? _source;

    /// <summary>Creates a slot without data, in state <see cref="ZoneState.Loading"/>.</summary>
    public ZoneSlot(DomainName name)
    {
        Name = name;
        LabelCount = WireName.CountLabels(name.Octets);
    }

    /// <summary>The zone's name.</summary>
    public DomainName Name { get; }

    /// <summary>The source that claims it; null until then.</summary>
    public IZoneSource? Source { get; internal set; }

    /// <summary>The registry of the claim; null until then.</summary>
    internal ZoneRegistry? Registry { get; set; }

    /// <summary>The precedence among several claims on the name. Constant while it is claimed.</summary>
    public ZonePrecedence Precedence { get; init; } = ZonePrecedence.Other;

    /// <summary>Number of labels in the name, without the root label.</summary>
    internal int LabelCount { get; }

    /// <summary>The clients that may query the zone; null = all. Replaceable at any time.</summary>
    public ClientNetworks? AllowQuery
    {
        get => Volatile.Read(ref field);
        set => Volatile.Write(ref field, value);
    }

    /// <summary>The exchange policy; null = the server's. Replaceable at any time.</summary>
    public ZonePolicy? Policy
    {
        get => Volatile.Read(ref field);
        set
        {
            ZonePolicy? before = field;
            Volatile.Write(ref field, value);
            if (before?.Dnssec != value?.Dnssec || before?.IsUnsignedAtOnce != value?.IsUnsignedAtOnce) PassToSigner();
        }
    }

    /// <summary>Whether a command reads it, which claims it only if it can be served from its file.</summary>
    public virtual bool IsToBeAdded => false;

    /// <summary>The version that is served; null if none, see <see cref="State"/>.</summary>
    public Zone? Zone => _zone;

    /// <summary>The source's last version: of a zone signed here the unsigned one; null if none.</summary>
    public Zone? SourceZone => _source is { } source ? source.Zone : _zone;

    /// <summary>Whether the zone is signed here: a signed version is served instead of the source's.</summary>
    public bool IsSignedHere => _source is not null;

    /// <summary>Why the latest data is unusable, or the zone has expired; null if neither.</summary>
    public ZoneFailure? Failure => _failure;

    /// <summary>Why the source's latest data is unusable; null if it is usable, also where signing fails.</summary>
    public ZoneFailure? SourceFailure => _source is { IsFailed: false } ? null : _failure;

    /// <summary>The state of the zone.</summary>
    public ZoneState State => _state;

    /// <summary>When the state last changed, to the second; null if unknown.</summary>
    public DateTimeOffset? Since => TimeOf(Volatile.Read(ref _since));

    /// <summary>When the served data was published, to the second; null if none or unknown.</summary>
    public DateTimeOffset? LoadedAt => TimeOf(Volatile.Read(ref _loadedAt));

    /// <summary>The counter slot of the zone; 0 = none.</summary>
    public int CounterSlot => _counterSlot;

    /// <summary>Sets <see cref="CounterSlot"/>, unless another thread has changed it.</summary>
    /// <param name="before">The expected old slot.</param>
    public bool TrySetCounterSlot(int slot, int before) =>
        Interlocked.CompareExchange(ref _counterSlot, slot, before) == before;

    /// <summary>Whether a client may query the zone.</summary>
    public bool Admits(ref ClientAddress client) => AllowQuery is not { } allowed || allowed.Contains(ref client);

    /// <summary>Serves a version, or the one that <see cref="ZoneRegistry.Signer"/> makes from it.</summary>
    /// <param name="now">The time; null = unknown.</param>
    /// <param name="delta">The delta from the previous version; null = unknown.</param>
    /// <exception cref="ArgumentException">The zone has another name than the slot.</exception>
    public void Publish(Zone zone, DateTimeOffset? now = null, ZoneDelta? delta = null)
    {
        ThrowIfOther(zone);
        if (SignerOf(zone) is not { } signer)
        {
            ServeUnsigned(zone, now, delta);
            // A policy may have been set meanwhile.
            if (SignerOf(zone) is not null) PassToSigner();
            return;
        }
        SourceVersions source = BeginSigning(_zone);
        ZoneVersionChange change;
        lock (source)
        {
            if (!ReferenceEquals(source, _source))
            {
                // The signer has just released the zone.
                ServeUnsigned(zone, now, null);
                return;
            }
            change = new ZoneVersionChange(source.Zone, zone, delta);
            // What another signer has signed is served until it is signed here.
            bool isUnsigned = ServesSource(source) && (zone.HasSignedSoa || source.Zone is not { HasSignedSoa: true });
            source.Zone = zone;
            source.IsFailed = false;
            if (isUnsigned) Serve(zone, now, delta);
            else if (_zone is not null || _state != ZoneState.Loading) EnterServing(now);
        }
        signer.Sign(this, in change, now);
    }

    /// <summary>Records that the latest data is unusable. A previous version is still served.</summary>
    public void Fail(ZoneFailure reason, DateTimeOffset? now = null)
    {
        if (_source is not { } source)
        {
            EnterFailure(reason, now);
            return;
        }
        lock (source)
        {
            source.IsFailed = true;
            EnterFailure(reason, now);
        }
    }

    /// <summary>Stops serving data that is too old, and releases it.</summary>
    public void Expire(ZoneFailure reason, DateTimeOffset? now = null)
    {
        if (_source is not { } source)
        {
            LetGo(reason, now);
            return;
        }
        lock (source)
        {
            (source.Zone, source.Signed) = (null, null);
            LetGo(reason, now);
        }
    }

    /// <summary>Takes over the data of another slot of the zone, whose claim has ended.</summary>
    protected void CopyDataFrom(ZoneSlot other, DateTimeOffset now)
    {
        if (Registry is null && other is { IsSignedHere: true, Zone: { } signed, SourceZone: { } unsigned })
        {
            BeginSigning(unsigned);
            Serve(signed, other.LoadedAt, null);
        }
        else if (other.SourceZone is { } zone) Publish(zone, other.LoadedAt);
        if (other.SourceFailure is { } failure) Fail(failure, now);
    }

    private void ThrowIfOther(Zone zone)
    {
        if (!WireName.EqualsIgnoreCase(zone.Apex, Name.Octets))
            throw new ArgumentException($"{NameText.ToText(zone.Apex)} is not {Name}", nameof(zone));
    }

    private void Serve(Zone zone, DateTimeOffset? now, ZoneDelta? delta, ZoneFailure? failure = null)
    {
        Zone? before = _zone;
        ZoneVersionChange change = new(before, zone, delta);
        if (!ReferenceEquals(before, zone)) Registry?.OnPublishing(this, in change);
        _zone = zone;
        _failure = failure;
        Volatile.Write(ref _loadedAt, SecondsOf(now));
        Enter(failure is null ? ZoneState.Serving : ZoneState.Stale, now);
        if (!ReferenceEquals(before, zone)) Registry?.OnPublished(this, in change);
    }

    // The source has fixed its error, and a signed version is or will be served.
    private void EnterServing(DateTimeOffset? now)
    {
        _failure = null;
        Enter(_zone is null ? ZoneState.Loading : ZoneState.Serving, now);
    }

    private void EnterFailure(ZoneFailure reason, DateTimeOffset? now)
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

    private void LetGo(ZoneFailure reason, DateTimeOffset? now)
    {
        // First, so that a reader without data sees the reason.
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

    // Seconds since 1970 in four octets last until 2106; 0 = unknown.
    private static uint SecondsOf(DateTimeOffset? time) =>
        (uint)Math.Clamp(time?.ToUnixTimeSeconds() ?? 0, 0, uint.MaxValue);

    private static DateTimeOffset? TimeOf(uint seconds) =>
        seconds == 0 ? null : DateTimeOffset.FromUnixTimeSeconds(seconds);
}
