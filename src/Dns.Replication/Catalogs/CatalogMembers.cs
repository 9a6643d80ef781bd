namespace Dns.Replication.Catalogs;

/// <summary>A member of a consumed catalog.</summary>
public sealed record CatalogClaim(DomainName Catalog, CatalogMember Member);

/// <summary>
/// The members of all consumed catalogs (RFC 9432 §5); each zone belongs to one catalog. A broken or missing catalog
/// changes nothing; members are removed when a version does not list them, or the catalog is no longer consumed.
/// Thread-safe.
/// </summary>
/// <param name="most">The maximum number of members of all catalogs; a version with more is broken.</param>
public sealed class CatalogMembers(ICatalogObserver observer, int most = int.MaxValue)
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

    /// <summary>Whether a zone is a consumed catalog.</summary>
    public bool Has(DomainName catalog)
    {
        lock (_gate) return _catalogs.Contains(catalog);
    }

    /// <summary>Changes the consumed catalogs; members of others are removed. True if members changed.</summary>
    /// <param name="catalogs">Their names; if two list a new zone, the earlier one gets it.</param>
    public bool Use(IReadOnlyList<DomainName> catalogs)
    {
        lock (_gate)
        {
            _catalogs = catalogs;
            foreach (DomainName gone in _contents.Keys.Where(known => !catalogs.Contains(known)).ToArray())
                _contents.Remove(gone);
            return Resolve();
        }
    }

    /// <summary>Processes a version of a catalog; true if members have changed.</summary>
    public bool Take(DomainName catalog, Zone version)
    {
        int left;
        lock (_gate)
            left = most - _contents.Where(other => !other.Key.Equals(catalog)).Sum(other => other.Value.Members.Count);
        CatalogContent? content =
            CatalogContent.Read(version, out CatalogFault? fault, Math.Min(left, CatalogContent.MaxMembers));
        if (content is null) observer.OnBroken(catalog, $"{fault}");
        lock (_gate)
        {
            if (content is null || !_catalogs.Contains(catalog)) return false;
            _contents[catalog] = content;
            return Resolve();
        }
    }

    /// <summary>
    /// Restores the members that catalogs had at the end of an earlier process: a catalog has them until its first
    /// version. Called before that. True if the members of a catalog are left out: it is not consumed any more.
    /// </summary>
    public bool Restore(IReadOnlyDictionary<DomainName, List<CatalogMember>> members)
    {
        lock (_gate)
        {
            foreach ((DomainName catalog, List<CatalogMember> its) in members)
            {
                if (!_catalogs.Contains(catalog)) continue;
                _contents[catalog] = new CatalogContent(its);
                foreach (CatalogMember member in its) _claims[member.Zone] = new CatalogClaim(catalog, member);
            }
            return _contents.Count < members.Count;
        }
    }

    /// <summary>The zones to reset since the last call: their ids have changed (RFC 9432 §5.4).</summary>
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
        // Most zones are listed by one catalog.
        Dictionary<DomainName, List<CatalogClaim>> contested = [];
        foreach (DomainName catalog in _catalogs)
            foreach (CatalogMember member in _contents.GetValueOrDefault(catalog)?.Members ?? [])
            {
                CatalogClaim claim = new(catalog, member);
                if (next.TryAdd(member.Zone, claim)) continue;
                if (!contested.TryGetValue(member.Zone, out List<CatalogClaim>? claims))
                    contested.Add(member.Zone, claims = [next[member.Zone]]);
                claims.Add(claim);
            }
        HashSet<(DomainName, DomainName)> conflicts = [];
        foreach ((DomainName zone, List<CatalogClaim> claims) in contested)
        {
            CatalogClaim winner = next[zone] = WinnerOf(claims);
            foreach (CatalogClaim loser in claims)
                // A change of ownership is not a conflict.
                if (!ReferenceEquals(loser, winner) && !winner.Catalog.Equals(loser.Member.NewOwner))
                    conflicts.Add((loser.Catalog, zone));
        }
        foreach ((DomainName catalog, DomainName zone) in conflicts)
            if (_conflicts.Add((catalog, zone)))
                observer.OnConflict(catalog, zone, $"it is a member of {next[zone].Catalog}");
        _conflicts.IntersectWith(conflicts);
        return Replace(next);
    }

    /// <summary>
    /// The owning catalog keeps the zone, unless it names another that lists it as new owner (RFC 9432 §4.4.1), and so
    /// on; catalogs that name each other change nothing. Without an owner the first is one.
    /// </summary>
    private CatalogClaim WinnerOf(List<CatalogClaim> claims)
    {
        CatalogClaim owner = Of(_claims.GetValueOrDefault(claims[0].Member.Zone)?.Catalog) ?? claims[0];
        CatalogClaim winner = owner;
        for (int steps = 0; Of(winner.Member.NewOwner) is { } named; steps++)
        {
            if (steps == claims.Count) return owner;
            winner = named;
        }
        return winner;

        CatalogClaim? Of(DomainName? catalog) =>
            catalog is null ? null : claims.Find(claim => claim.Catalog.Equals(catalog));
    }

    private bool Replace(Dictionary<DomainName, CatalogClaim> next)
    {
        Dictionary<DomainName, (int Added, int Removed, int Reset)> changes = [];
        bool isOther = false;
        foreach (CatalogClaim claim in next.Values)
        {
            CatalogClaim? before = _claims.GetValueOrDefault(claim.Member.Zone);
            isOther |= before is null || !before.Catalog.Equals(claim.Catalog) ||
                !before.Member.Groups.SequenceEqual(claim.Member.Groups);
            var (added, removed, reset) = changes.GetValueOrDefault(claim.Catalog);
            bool isReset = before is not null && before.Member.Id != claim.Member.Id;
            if (isReset) _resets.Add(claim.Member.Zone);
            if (before is null || isReset)
                changes[claim.Catalog] = (added + (before is null ? 1 : 0), removed, reset + (isReset ? 1 : 0));
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
