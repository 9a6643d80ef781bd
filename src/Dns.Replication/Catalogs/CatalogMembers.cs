using Dns.Protocol;
using Dns.Zones;

namespace Dns.Replication;

/// <summary>A zone that a consumed catalog has here.</summary>
/// <param name="Catalog">The catalog.</param>
/// <param name="Member">How it is listed.</param>
public sealed record CatalogClaim(DomainName Catalog, CatalogMember Member);

/// <summary>
/// The members of all consumed catalogs (RFC 9432 §5): each zone is that of one catalog. A broken version changes nothing, and neither does
/// a catalog that is not there; members go when a version does not list them, or the catalog is no longer consumed. Thread-safe.
/// </summary>
/// <param name="observer">Told about changes and conflicts.</param>
/// <param name="most">The most members of one catalog.</param>
public sealed class CatalogMembers(ICatalogObserver observer, int most = CatalogContent.MaxMembers)
{
    private readonly Lock _gate = new();
    private readonly Dictionary<DomainName, CatalogContent> _contents = [];
    private readonly HashSet<(DomainName Catalog, DomainName Zone)> _conflicts = [];
    private IReadOnlyList<DomainName> _catalogs = [];
    private Dictionary<DomainName, CatalogClaim> _claims = [];
    private readonly HashSet<DomainName> _resets = [];

    /// <summary>The members, in no order.</summary>
    public IReadOnlyCollection<CatalogClaim> Claims
    {
        get
        {
            lock (_gate) return _claims.Values;
        }
    }

    /// <summary>How a zone is listed by the catalog that has it; null if none lists it.</summary>
    public CatalogClaim? Find(DomainName zone)
    {
        lock (_gate) return _claims.GetValueOrDefault(zone);
    }

    /// <summary>Whether a zone is a catalog that is consumed.</summary>
    public bool Has(DomainName catalog)
    {
        lock (_gate) return _catalogs.Contains(catalog);
    }

    /// <summary>Consumes these catalogs from now on, and no others: the members of others go.</summary>
    /// <param name="catalogs">Their names; of two that list a zone first, the earlier one has it.</param>
    /// <returns>Whether members have gone.</returns>
    public bool Use(IReadOnlyList<DomainName> catalogs)
    {
        lock (_gate)
        {
            _catalogs = catalogs;
            foreach (DomainName gone in _contents.Keys.Where(known => !catalogs.Contains(known)).ToArray()) _contents.Remove(gone);
            return Resolve();
        }
    }

    /// <summary>Takes a version of a catalog.</summary>
    /// <returns>Whether members have changed.</returns>
    public bool Take(DomainName catalog, Zone version)
    {
        CatalogContent? content = CatalogContent.Read(version, out string? problem, most);
        if (content is null) observer.OnBroken(catalog, problem!);
        lock (_gate)
        {
            if (content is null || !_catalogs.Contains(catalog)) return false;
            _contents[catalog] = content;
            return Resolve();
        }
    }

    /// <summary>The zones whose state is to be reset since this was asked last: their ids have changed (RFC 9432 §5.4).</summary>
    public IReadOnlyList<DomainName> TakeResets()
    {
        lock (_gate)
        {
            DomainName[] resets = [.. _resets];
            _resets.Clear();
            return resets;
        }
    }

    private bool Resolve()
    {
        Dictionary<DomainName, CatalogClaim> next = [];
        HashSet<(DomainName, DomainName)> conflicts = [];
        foreach (DomainName catalog in _catalogs)
            foreach (CatalogMember member in _contents.GetValueOrDefault(catalog)?.Members ?? [])
            {
                CatalogClaim claim = new(catalog, member);
                if (next.TryAdd(member.Zone, claim)) continue;
                CatalogClaim owner = next[member.Zone];
                CatalogClaim winner = WinnerOf(owner, claim);
                CatalogClaim loser = ReferenceEquals(winner, owner) ? claim : owner;
                next[member.Zone] = winner;
                // Who hands a zone over is not in conflict with the one that takes it.
                if (!winner.Catalog.Equals(loser.Member.NewOwner)) conflicts.Add((loser.Catalog, member.Zone));
            }
        foreach ((DomainName catalog, DomainName zone) in conflicts)
            if (_conflicts.Add((catalog, zone))) observer.OnConflict(catalog, zone, $"it is a member of {next[zone].Catalog}");
        _conflicts.IntersectWith(conflicts);
        return Replace(next);
    }

    /// <summary>The catalog that has the zone keeps it, unless it names the other one as new owner (RFC 9432 §4.4.1).</summary>
    private CatalogClaim WinnerOf(CatalogClaim first, CatalogClaim second)
    {
        if (second.Catalog.Equals(first.Member.NewOwner)) return second;
        if (first.Catalog.Equals(second.Member.NewOwner)) return first;
        return _claims.GetValueOrDefault(first.Member.Zone) is { } now && now.Catalog.Equals(second.Catalog) ? second : first;
    }

    private bool Replace(Dictionary<DomainName, CatalogClaim> next)
    {
        Dictionary<DomainName, (int Added, int Removed, int Reset)> changes = [];
        bool isOther = false;
        foreach (CatalogClaim claim in next.Values)
        {
            CatalogClaim? before = _claims.GetValueOrDefault(claim.Member.Zone);
            isOther |= before is null || !before.Catalog.Equals(claim.Catalog) || !before.Member.Groups.SequenceEqual(claim.Member.Groups);
            var (added, removed, reset) = changes.GetValueOrDefault(claim.Catalog);
            bool isReset = before is not null && before.Member.Id != claim.Member.Id;
            if (isReset) _resets.Add(claim.Member.Zone);
            if (before is null || isReset) changes[claim.Catalog] = (added + (before is null ? 1 : 0), removed, reset + (isReset ? 1 : 0));
        }
        foreach (CatalogClaim claim in _claims.Values)
        {
            if (next.ContainsKey(claim.Member.Zone)) continue;
            _resets.Remove(claim.Member.Zone);
            var (added, removed, reset) = changes.GetValueOrDefault(claim.Catalog);
            changes[claim.Catalog] = (added, removed + 1, reset);
        }
        _claims = next;
        foreach (var (catalog, (added, removed, reset)) in changes) observer.OnMembers(catalog, added, removed, reset);
        return isOther || changes.Count > 0;
    }
}
