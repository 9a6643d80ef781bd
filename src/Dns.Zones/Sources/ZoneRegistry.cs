namespace Dns.Zones.Sources;

/// <summary>
/// Owns the published zone set, and resolves conflicts: sources claim names, and of several claims on one name the
/// first by <see cref="ZonePrecedence"/> is served. When it is withdrawn, the next one is served at once.
/// </summary>
/// <remarks>Thread-safe. A change takes microseconds; no zone is loaded under its lock. Queries never wait.</remarks>
/// <param name="published">Receives the set.</param>
public sealed partial class ZoneRegistry(PublishedZones published)
{
    private readonly Lock _changing = new();

    // Unserved claims on names with several claims, the next one first. Nearly always empty.
    private readonly Dictionary<DomainName, List<ZoneSlot>> _waiting = [];

    /// <summary>The set that queries see.</summary>
    public PublishedZones Published => published;

    /// <summary>Signs the zones with a policy; null = none is signed here. Set before the first claim.</summary>
    public IZoneSigning? Signer { get; set; }

    /// <summary>
    /// Raised after each change, by its thread and outside of all locks. Handlers must not throw. Events of concurrent
    /// changes may arrive out of order.
    /// </summary>
    public event Action<ZoneRegistryChange>? Changed;

    /// <summary>
    /// Raised after each publication in a claimed slot, served or not, by the publishing thread. Handlers must neither
    /// throw nor wait. Versions that a slot has when it is claimed are part of <see cref="Changed"/>.
    /// </summary>
    public event Action<ZoneSlot, ZoneVersionChange>? VersionPublished;

    /// <summary>
    /// Raised just before each such publication, so that data stored here is available to readers of the version.
    /// Handlers must neither throw nor wait.
    /// </summary>
    public event Action<ZoneSlot, ZoneVersionChange>? VersionPublishing;

    /// <summary>The claims that wait for others, except those of <see cref="ZonePrecedence.BuiltIn"/>.</summary>
    public IReadOnlyList<ZoneConflict> Conflicts
    {
        get
        {
            lock (_changing)
                return [.. _waiting.Values.SelectMany(slots => slots).Where(IsReported)
                    .Select(slot => new ZoneConflict(published.Current.FindExact(slot.Name)!, slot))];
        }
    }

    /// <summary>The served claim on a name; null if none.</summary>
    public ZoneSlot? Find(DomainName zone) => published.Current.FindExact(zone);

    /// <summary>The claim of one source on a name, served or not; null if it has none.</summary>
    public ZoneSlot? Find(DomainName zone, IZoneSource source)
    {
        if (Find(zone) is { } served && ReferenceEquals(served.Source, source)) return served;
        lock (_changing)
        {
            // A change may have happened in between.
            if (Find(zone) is { } now && ReferenceEquals(now.Source, source)) return now;
            return _waiting.GetValueOrDefault(zone)?.Find(slot => ReferenceEquals(slot.Source, source));
        }
    }

    /// <summary>All current claims of one source, served or not.</summary>
    public IEnumerable<ZoneSlot> ClaimsOf(IZoneSource source)
    {
        ZoneSlot[] waiting;
        ZoneSet current;
        lock (_changing)
            (waiting, current) = ([.. _waiting.Values.SelectMany(slots => slots)], published.Current);
        return current.Slots.Concat(waiting).Where(slot => ReferenceEquals(slot.Source, source));
    }

    /// <summary>
    /// Withdraws claims and makes others, atomically for queries. After an exception no claim has changed, unless a
    /// handler of <see cref="Changed"/> threw it.
    /// </summary>
    /// <param name="withdrawn">Claims to end; already ended ones are ignored.</param>
    /// <param name="claimed">Slots never claimed before. A source has one claim on a name.</param>
    /// <exception cref="ArgumentException">The source keeps a claim on one of the names.</exception>
    public ZoneRegistryChange Change(IZoneSource source, IEnumerable<ZoneSlot> withdrawn, IEnumerable<ZoneSlot> claimed)
    {
        ZoneRegistryChange change;
        ZoneSlot[] slots = [.. claimed];
        lock (_changing)
        {
            Pending pending = new(this, source, published.Current, _waiting);
            foreach (ZoneSlot slot in withdrawn) pending.Withdraw(slot);
            foreach (ZoneSlot slot in slots) pending.Claim(slot);
            change = pending.Describe();
            // What needs memory precedes the first effect.
            ZoneSet? next = change.Added.Count + change.Removed.Count == 0
                ? null : published.Current.With(change.Removed, change.Added);
            pending.Commit(change);
            if (next is not null) published.Publish(next);
        }
        if (change.Added.Count + change.Removed.Count + change.Conflicts.Count > 0) Changed?.Invoke(change);
        if (Signer is not null)
            foreach (ZoneSlot slot in slots) slot.PassToSigner();
        return change;
    }

    internal void OnPublishing(ZoneSlot slot, in ZoneVersionChange change) => VersionPublishing?.Invoke(slot, change);

    internal void OnPublished(ZoneSlot slot, in ZoneVersionChange change) => VersionPublished?.Invoke(slot, change);

    private static bool IsReported(ZoneSlot loser) => loser.Precedence != ZonePrecedence.BuiltIn;
}
