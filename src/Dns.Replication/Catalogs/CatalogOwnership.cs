namespace Dns.Replication.Catalogs;

/// <summary>
/// Stores the members of consumed catalogs with their owners and ids over restarts, all in one copy of a zone: a number
/// as name for each, with its zone as PTR, its node in the catalog, <c>ID.zones.CATALOG</c>, as NS, and its groups as
/// TXT. With their zones as names, those of a hundred labels would take a hundred nodes each.
/// </summary>
/// <param name="copies">Stores the zone, whose name is the root.</param>
/// <param name="most">The maximum number of members; more are not loaded.</param>
public sealed class CatalogOwnership(IZoneCopies copies, int most = int.MaxValue)
{
    // Bounds the TXT records of a name. A template with another name cannot be restored.
    private const int MaxGroups = 100, MaxGroupOctets = 255;

    /// <summary>Stores the members.</summary>
    /// <exception cref="IOException">They could not be stored.</exception>
    public void Save(IEnumerable<CatalogClaim> claims)
    {
        ZoneBuilder builder = CatalogMaker.Begin(DomainName.Root, serial: 1);
        int number = 0;
        foreach ((DomainName catalog, CatalogMember member) in claims)
        {
            byte[] digits = Encoding.ASCII.GetBytes($"{number++}"), owner = [(byte)digits.Length, .. digits, 0];
            builder.Add(owner, sameOwner: false, RRType.PTR, CatalogMaker.Ttl, member.Zone.Octets);
            builder.Add(owner, sameOwner: true, RRType.NS, CatalogMaker.Ttl, CatalogMaker.NodeOf(catalog, member));
            foreach (string group in member.Groups.Where(IsShort).Take(MaxGroups))
                builder.Add(owner, sameOwner: true, RRType.TXT, CatalogMaker.Ttl, CatalogMaker.TextOf(group));
        }
        copies.Save(new ZoneCopy(builder.Build(), default), []);
    }

    /// <summary>The stored members by catalog; none without a stored version.</summary>
    /// <param name="damage">Why it is not usable; null if it is, or if there is none.</param>
    public IReadOnlyDictionary<DomainName, List<CatalogMember>> Load(out CopyDamage? damage)
    {
        Dictionary<DomainName, List<CatalogMember>> members = [];
        int count = 0;
        if (!copies.TryLoad(DomainName.Root, ZoneLimits.Default, out ZoneCopy? copy, out damage,
            CancellationToken.None))
            return members;
        foreach (ZoneNode node in copy.Zone)
        {
            if (!node.TryFind(RRType.PTR, out RRset zone) || !node.TryFind(RRType.NS, out RRset listed)
                || WireName.CountLabels(listed.First) < 2) continue;
            if (count++ == most)
            {
                damage = new(CopyFault.Members, most);
                return new Dictionary<DomainName, List<CatalogMember>>();
            }
            ReadOnlySpan<byte> name = listed.First;
            string id = CatalogContent.LabelOf(ref name);
            CatalogContent.LabelOf(ref name);
            DomainName catalog = DomainName.FromOctets(name);
            if (!members.TryGetValue(catalog, out List<CatalogMember>? its)) members[catalog] = its = [];
            its.Add(new CatalogMember(id, DomainName.FromOctets(zone.First))
            {
                Groups = CatalogContent.GroupsOf(node),
            });
        }
        return members;
    }

    private static bool IsShort(string group) => Encoding.UTF8.GetByteCount(group) <= MaxGroupOctets;
}
