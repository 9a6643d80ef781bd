using Dns.Testing;

namespace Dns.Zones.Tests;

/// <summary>
/// A zone as a set of records, changed directly and built from scratch each time: the oracle of an edited zone.
/// </summary>
internal sealed class PlainZone
{
    private static readonly RRType[] BesideCname =
        [RRType.CNAME, RRType.RRSIG, RRType.NSEC, RRType.NSEC3, RRType.KEY, RRType.SIG, RRType.NXT];

    private readonly Dictionary<(string Owner, RRType Type, string Rdata), GeneratedRecord> _records = [];

    public PlainZone(IEnumerable<GeneratedRecord> records)
    {
        foreach (GeneratedRecord record in records) Put(record);
    }

    private PlainZone(PlainZone other) => _records = new(other._records);

    public IReadOnlyCollection<GeneratedRecord> Records => _records.Values;

    public uint Serial => (uint)Records.First(record => record.Type == RRType.SOA).Rdata[^17];

    public static GeneratedRecord Soa(byte serial) => new(
        GeneratedZone.Apex, RRType.SOA, 3,
        [.. WireOctets.Name("ns.z.test"), .. WireOctets.Name("h.z.test"), 0, 0, 0, serial, .. new byte[16]]);

    public Zone Build() => GeneratedZone.Build(Records);

    /// <summary>The zone after a change; null if the change does not fit.</summary>
    public PlainZone? After(IEnumerable<GeneratedRecord> removed, IEnumerable<GeneratedRecord> added)
    {
        PlainZone next = new(this);
        foreach (GeneratedRecord record in removed)
            if (!next._records.Remove(Key(record))) return null;
        foreach (GeneratedRecord record in added)
        {
            if (next._records.ContainsKey(Key(record))) return null;
            next.Put(record);
        }
        return next.IsAllowed() ? next : null;
    }

    // The set has the lowest TTL at once: the editor does not store the original TTL of a record.
    private void Put(GeneratedRecord record)
    {
        _records[Key(record)] = record;
        GeneratedRecord[] set = [.. Records.Where(other => other.Owner == record.Owner && other.Type == record.Type)];
        uint ttl = set.Min(other => other.Ttl);
        foreach (GeneratedRecord other in set) _records[Key(other)] = other with { Ttl = ttl };
    }

    private bool IsAllowed()
    {
        ILookup<string, GeneratedRecord> names = Records.ToLookup(record => record.Owner);
        if (names[GeneratedZone.Apex].Count(record => record.Type == RRType.SOA) != 1) return false;
        foreach (IGrouping<string, GeneratedRecord> name in names)
        {
            int Count(RRType type) => name.Count(record => record.Type == type);
            bool isApex = name.Key == GeneratedZone.Apex;
            if (!isApex && Count(RRType.SOA) > 0 || isApex && Count(RRType.DS) > 0) return false;
            if (Count(RRType.CNAME) > 1 || Count(RRType.DNAME) > 1) return false;
            if (Count(RRType.CNAME) > 0 && name.Any(record => !BesideCname.Contains(record.Type))) return false;
            if (!isApex && Count(RRType.DNAME) > 0 && Count(RRType.NS) > 0) return false;
            if (Count(RRType.DNAME) > 0 &&
                names.Any(below => below.Key.EndsWith("." + name.Key, StringComparison.Ordinal)
                && below.Any(record => !isApex || record.Type != RRType.RRSIG))) return false;
        }
        return true;
    }

    private static (string, RRType, string) Key(GeneratedRecord record) =>
        (record.Owner, record.Type, Convert.ToHexString(record.Rdata));
}
