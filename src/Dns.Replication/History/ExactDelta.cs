namespace Dns.Replication.History;

/// <summary>
/// A delta in the form of a transfer: each removed record has its TTL (a secondary may insist on it), and if a change
/// of a record changed the TTL of its RRset, all of its records are removed and added.
/// </summary>
internal ref struct ExactDelta(Zone before, Zone now)
{
    private readonly ZoneDeltaBuilder _builder = new(DomainName.FromOctets(before.Apex), before.Serial);
    private HashSet<(DomainName Owner, RRType Type, RRType Covered)>? _whole;
    private LookupName _name;

    public static ZoneDelta Of(Zone before, Zone now, ZoneDelta delta)
    {
        if (delta.IsExact) return delta;
        ExactDelta exact = new(before, now);
        foreach (RecordList.ListedRecord record in delta.Removed)
            if (!exact.TryTakeWhole(record, out uint ttl, out _))
                exact._builder.Remove(record.Owner, record.Type, record.Rdata, ttl);
        foreach (RecordList.ListedRecord record in delta.Added)
            if (!exact.TryTakeWhole(record, out _, out uint ttl))
                exact._builder.Add(record.Owner, record.Type, ttl, record.Rdata);
        return exact._builder.Build(isExact: true);
    }

    /// <summary>Replaces the whole RRset of a record if its TTL has changed.</summary>
    private bool TryTakeWhole(RecordList.ListedRecord record, out uint old, out uint ttl)
    {
        old = ttl = record.Ttl;
        _name.Set(record.Owner);
        RRType covered =
            record is { Type: RRType.RRSIG, Rdata: [byte high, byte low, ..] } ? (RRType)(high << 8 | low) : default;
        bool wasThere = TryFind(before, record.Type, covered, out RRset rrsetBefore);
        bool isThere = TryFind(now, record.Type, covered, out RRset rrsetNow);
        if (wasThere) old = rrsetBefore.Ttl;
        if (isThere) ttl = rrsetNow.Ttl;
        if (!wasThere || !isThere || old == ttl) return false;
        _whole ??= [];
        if (!_whole.Add((DomainName.FromOctets(_name.Octets), record.Type, covered))) return true;
        foreach (ReadOnlySpan<byte> rdata in rrsetBefore) _builder.Remove(record.Owner, record.Type, rdata, old);
        foreach (ReadOnlySpan<byte> rdata in rrsetNow) _builder.Add(record.Owner, record.Type, ttl, rdata);
        return true;
    }

    private bool TryFind(Zone zone, RRType type, RRType covered, out RRset rrset)
    {
        rrset = default;
        return zone.TryFind(in _name, 0, out ZoneNode node)
            && (type == RRType.RRSIG ? node.TryFindSignatures(covered, out rrset) : node.TryFind(type, out rrset));
    }
}
