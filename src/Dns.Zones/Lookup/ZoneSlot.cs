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

    // Of a zone that is signed here; one field, since a server may have a million slots.
    private volatile SourceVersions? _source;

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

    /// <summary>The clients that may query the zone; null = all. May be replaced while queries are answered.</summary>
    public ClientNetworks? AllowQuery
    {
        get => Volatile.Read(ref field);
        set => Volatile.Write(ref field, value);
    }

    /// <summary>With whom the zone is exchanged; null = as the server says. May be replaced while queries are answered.</summary>
    public ZonePolicy? Policy
    {
        get => Volatile.Read(ref field);
        set
        {
            ZonePolicy? before = field;
            Volatile.Write(ref field, value);
            if (before?.Dnssec != value?.Dnssec || before?.IsUnsignedAtOnce != value?.IsUnsignedAtOnce) MeetSigner();
        }
    }

    /// <summary>
    /// Until when the data may be served, in seconds since 1970; 0 = as long as it is there. What EXPIRE announces to other secondaries
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

    /// <summary>
    /// The version that the source has published last: of a zone that is signed here the unsigned one, of any other
    /// <see cref="Zone"/>. Null where there is none.
    /// </summary>
    public Zone? SourceZone => _source is { } source ? source.Zone : _zone;

    /// <summary>Whether the zone is signed here: what the source publishes is not served, but a signed version of it.</summary>
    public bool IsSignedHere => _source is not null;

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

    /// <summary>
    /// Lets queries from now on be answered from <paramref name="zone"/>, or from the version that <see cref="ZoneRegistry.Signer"/>
    /// makes of it.
    /// </summary>
    /// <param name="zone">The version.</param>
    /// <param name="now">The time; null = not known.</param>
    /// <param name="delta">What makes it of the version before; null = not known.</param>
    /// <exception cref="ArgumentException">The zone has another name than the slot.</exception>
    public void Publish(Zone zone, DateTimeOffset? now = null, ZoneDelta? delta = null)
    {
        ThrowIfOther(zone);
        if (SignerNow is not { } signer)
        {
            ServeUnsigned(zone, now, delta);
            return;
        }
        SourceVersions source = _source ??= new SourceVersions();
        ZoneVersionChange change;
        lock (source)
        {
            if (!ReferenceEquals(source, _source))
            {
                // The signer has let go of the zone just now.
                ServeUnsigned(zone, now, null);
                return;
            }
            change = new ZoneVersionChange(source.Zone, zone, delta);
            source.Zone = zone;
            source.IsFailed = false;
            if (_zone is not null || _state != ZoneState.Loading) EnterServing(now);
        }
        signer.Sign(this, in change, now);
    }

    /// <summary>Lets queries be answered from a signed version of <see cref="SourceZone"/>; called by the signer alone.</summary>
    /// <param name="zone">The signed version.</param>
    /// <param name="now">The time; null = not known.</param>
    /// <param name="delta">What makes it of the signed version before; null = not known.</param>
    /// <returns>False if the zone is no longer signed here, or has no data any more: nothing has changed.</returns>
    /// <exception cref="ArgumentException">The zone has another name than the slot.</exception>
    public bool PublishSigned(Zone zone, DateTimeOffset? now = null, ZoneDelta? delta = null)
    {
        ThrowIfOther(zone);
        if (_source is not { } source) return false;
        lock (source)
        {
            if (source.Zone is null || !ReferenceEquals(source, _source)) return false;
            // What the source has found wrong stays wrong with each new signature.
            string? failure = source.IsFailed ? _failure : null;
            Serve(zone, now, delta, failure);
        }
        return true;
    }

    /// <summary>
    /// Lets queries be answered from what the source has published, and publishes from now on: the zone is not signed here any more.
    /// Called by the signer alone, which does not keep the zone any more.
    /// </summary>
    /// <param name="now">The time; null = not known.</param>
    public void EndSigning(DateTimeOffset? now = null)
    {
        if (_source is not { } source) return;
        lock (source)
        {
            if (!ReferenceEquals(source, _source)) return;
            if (source.Zone is { } zone) Serve(zone, now, null, source.IsFailed ? _failure : null);
            _source = null;
        }
    }

    /// <summary>Records that the latest data cannot be signed, as <see cref="Fail"/>; called by the signer alone.</summary>
    public void FailSigning(string reason, DateTimeOffset? now = null)
    {
        if (_source is not { } source) return;
        lock (source)
        {
            if (source.Zone is null || source.IsFailed) return;
            Stumble(reason, now);
        }
    }

    /// <summary>Records that the latest data cannot be used. A version from before goes on being served.</summary>
    /// <param name="reason">Why, for people.</param>
    /// <param name="now">The time; null = not known.</param>
    public void Fail(string reason, DateTimeOffset? now = null)
    {
        if (_source is not { } source)
        {
            Stumble(reason, now);
            return;
        }
        lock (source)
        {
            source.IsFailed = true;
            Stumble(reason, now);
        }
    }

    /// <summary>Ends the serving of data that is too old; it is let go.</summary>
    /// <param name="reason">Why, for people.</param>
    /// <param name="now">The time; null = not known.</param>
    public void Expire(string reason, DateTimeOffset? now = null)
    {
        if (_source is not { } source)
        {
            LetGo(reason, now);
            return;
        }
        lock (source)
        {
            source.Zone = null;
            LetGo(reason, now);
        }
    }

    /// <summary>Takes over what another slot of the zone has, which is no longer claimed then.</summary>
    /// <param name="other">The other.</param>
    /// <param name="now">The time.</param>
    protected void TakeData(ZoneSlot other, DateTimeOffset now)
    {
        if (other.SourceZone is { } zone) Publish(zone, other.LoadedAt);
        if (other.Failure is { } failure) Fail(failure, now);
    }

    /// <summary>
    /// What was published before the slot was claimed, or before its policy said so, is not served any more until it is signed. The
    /// signer has it with <see cref="MeetSigner"/>.
    /// </summary>
    internal void AwaitSigner()
    {
        if (_source is not null || _zone is not { } zone || SignerNow is null) return;
        _source = new SourceVersions { Zone = zone };
        _zone = null;
        _state = ZoneState.Loading;
    }

    /// <summary>Hands what was published to the signer where there is to be one now, or serves it where there is none any more.</summary>
    internal void MeetSigner()
    {
        if (SignerNow is not { } signer)
        {
            if (_source is null) return;
            Registry?.Signer?.Release(this);
            EndSigning();
            return;
        }
        AwaitSigner();
        if (_source?.Zone is { } zone) signer.Sign(this, new ZoneVersionChange(null, zone, null), null);
    }

    private IZoneSigning? SignerNow =>
        Registry?.Signer is { } signer && (Policy?.Dnssec is not null || signer.Keeps(this)) ? signer : null;

    private void ServeUnsigned(Zone zone, DateTimeOffset? now, ZoneDelta? delta)
    {
        if (_source is not { } source)
        {
            Serve(zone, now, delta);
            return;
        }
        // What was served is no version of the source.
        lock (source)
        {
            _source = null;
            Serve(zone, now, null);
        }
    }

    private void ThrowIfOther(Zone zone)
    {
        if (!WireName.EqualsIgnoreCase(zone.Apex, Name.Octets))
            throw new ArgumentException($"{NameText.ToText(zone.Apex)} is not {Name}", nameof(zone));
    }

    private void Serve(Zone zone, DateTimeOffset? now, ZoneDelta? delta, string? failure = null)
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

    // The source has mended what was wrong, and a signed version is served or soon will be.
    private void EnterServing(DateTimeOffset? now)
    {
        _failure = null;
        Enter(_zone is null ? ZoneState.Loading : ZoneState.Serving, now);
    }

    private void Stumble(string reason, DateTimeOffset? now)
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

    private void LetGo(string reason, DateTimeOffset? now)
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

    /// <summary>What the source of a zone that is signed here has published. Locked: source and signer are different threads.</summary>
    private sealed class SourceVersions
    {
        internal volatile Zone? Zone;

        /// <summary>Whether the failure is of the source, and not of the signer.</summary>
        internal bool IsFailed;
    }
}
