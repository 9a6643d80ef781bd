using Dns.Protocol;

namespace Dns.Zones;

/// <summary>
/// Owns the set of zones that is published, and decides whose zone a name is: sources claim names, and of several claims on one
/// name that of the highest <see cref="ZonePrecedence"/> is served. When it is withdrawn, the next one is served at once.
/// </summary>
/// <remarks>Thread-safe. A change takes microseconds; no zone is loaded under its lock. Queries never wait.</remarks>
/// <param name="published">Receives the set.</param>
public sealed partial class ZoneRegistry(PublishedZones published)
{
    private readonly Lock _changing = new();

    // Of names with several claims those that are not served, the next one first. Nearly always empty.
    private readonly Dictionary<DomainName, List<ZoneSlot>> _waiting = [];

    /// <summary>What queries see.</summary>
    public PublishedZones Published => published;

    /// <summary>Signs the zones whose policy says so; null = none is signed here. Set before anything is claimed.</summary>
    public IZoneSigning? Signer { get; set; }

    /// <summary>
    /// Told after each change, by the thread that made it and outside of all locks. Must not throw. Where several threads make changes,
    /// their events may arrive out of order.
    /// </summary>
    public event Action<ZoneRegistryChange>? Changed;

    /// <summary>
    /// Told after each version that is published in a claimed slot, whether or not the claim is served, by the thread that published
    /// it. Must neither throw nor wait. Versions that a slot has when it is claimed come with <see cref="Changed"/>.
    /// </summary>
    public event Action<ZoneSlot, ZoneVersionChange>? VersionPublished;

    /// <summary>
    /// Told just before each such version is published: who finds the version, finds what was kept of it here. Must neither throw nor
    /// wait.
    /// </summary>
    public event Action<ZoneSlot, ZoneVersionChange>? VersionPublishing;

    /// <summary>The claims that wait for others, but for those of <see cref="ZonePrecedence.BuiltIn"/>.</summary>
    public IReadOnlyList<ZoneConflict> Conflicts
    {
        get
        {
            lock (_changing)
                return [.. _waiting.Values.SelectMany(slots => slots).Where(IsTold)
                    .Select(slot => new ZoneConflict(published.Current.FindExact(slot.Name)!, slot))];
        }
    }

    /// <summary>The claim on a name that is served; null if there is none.</summary>
    public ZoneSlot? Find(DomainName zone) => published.Current.FindExact(zone);

    /// <summary>The claim of one source on a name, served or not; null if it has none.</summary>
    public ZoneSlot? Find(DomainName zone, IZoneSource source)
    {
        if (Find(zone) is { } served && ReferenceEquals(served.Source, source)) return served;
        lock (_changing)
        {
            // A change may have come in between.
            if (Find(zone) is { } now && ReferenceEquals(now.Source, source)) return now;
            return _waiting.GetValueOrDefault(zone)?.Find(slot => ReferenceEquals(slot.Source, source));
        }
    }

    /// <summary>All claims of one source at this moment, served or not.</summary>
    public IEnumerable<ZoneSlot> ClaimsOf(IZoneSource source)
    {
        ZoneSlot[] waiting;
        ZoneSet current;
        lock (_changing)
            (waiting, current) = ([.. _waiting.Values.SelectMany(slots => slots)], published.Current);
        return current.Slots.Concat(waiting).Where(slot => ReferenceEquals(slot.Source, source));
    }

    /// <summary>Withdraws claims and makes others, in one step: queries see all of it or nothing.</summary>
    /// <param name="source">Whose claims they are.</param>
    /// <param name="withdrawn">Claims that end; those that had ended before are left out.</param>
    /// <param name="claimed">Slots that were never claimed. A source has one claim on a name.</param>
    /// <exception cref="ArgumentException">The source has a claim on one of the names, and goes on having it.</exception>
    public ZoneRegistryChange Change(IZoneSource source, IEnumerable<ZoneSlot> withdrawn, IEnumerable<ZoneSlot> claimed)
    {
        ZoneRegistryChange change;
        ZoneSlot[] slots = [.. claimed];
        lock (_changing)
        {
            Pending pending = new(this, source, published.Current, _waiting);
            foreach (ZoneSlot slot in withdrawn) pending.Withdraw(slot);
            foreach (ZoneSlot slot in slots) pending.Claim(slot);
            change = pending.Commit();
            if (change.Added.Count + change.Removed.Count > 0)
                published.Publish(published.Current.With(change.Removed, change.Added));
        }
        if (change.Added.Count + change.Removed.Count + change.Conflicts.Count > 0) Changed?.Invoke(change);
        if (Signer is not null)
            foreach (ZoneSlot slot in slots) slot.MeetSigner();
        return change;
    }

    internal void OnPublishing(ZoneSlot slot, in ZoneVersionChange change) => VersionPublishing?.Invoke(slot, change);

    internal void OnPublished(ZoneSlot slot, in ZoneVersionChange change) => VersionPublished?.Invoke(slot, change);

    private static bool IsTold(ZoneSlot loser) => loser.Precedence != ZonePrecedence.BuiltIn;
}
