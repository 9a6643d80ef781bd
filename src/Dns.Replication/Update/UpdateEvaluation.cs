namespace Dns.Replication.Update;

/// <summary>
/// Evaluates an UPDATE message on a version of its zone: an RCODE and, if something changes, the delta (RFC 2136 §3.2,
/// §3.4). Atomic; a pure function of both.
/// </summary>
internal static class UpdateEvaluation
{
    // Each label of a new name may become a node, and in a signed zone a record with a signature that proves it.
    private const int OctetsOfNewLabel = 512;

    /// <param name="change">The change; none if the RCODE is not NOERROR.</param>
    internal static Rcode Evaluate(Zone zone, UpdateMessage message, UpdateOptions limits, out UpdateChange change)
    {
        change = default;
        Rcode rcode = CheckPrerequisites(zone, message.Prerequisites);
        if (rcode == Rcode.NoError) rcode = message.Prescan;
        if (rcode == Rcode.NoError) change = Change(zone, message.Updates, limits);
        return change.Fault is null ? rcode : Rcode.Refused;
    }

    private static Rcode CheckPrerequisites(Zone zone, IReadOnlyList<UpdateRecord> prerequisites)
    {
        Dictionary<(DomainName, RRType), HashSet<RecordKey>> expected = [];
        foreach (UpdateRecord record in prerequisites)
        {
            if (record.Class == RRClass.IN)
            {
                (DomainName, RRType) rrset = (record.Owner, record.Type);
                if (!expected.TryGetValue(rrset, out HashSet<RecordKey>? keys)) expected.Add(rrset, keys = []);
                keys.Add(new RecordKey(record.Type, record.Rdata));
                continue;
            }
            bool isName = record.Type == RRType.ANY;
            bool exists = TryFind(zone, record.Owner, out ZoneNode node) &&
                (isName ? node.HasData : node.TryFind(record.Type, out _));
            if (record.Class == RRClass.ANY && !exists) return isName ? Rcode.NXDomain : Rcode.NXRRSet;
            if (record.Class == RRClass.NONE && exists) return isName ? Rcode.YXDomain : Rcode.YXRRSet;
        }
        foreach (((DomainName owner, RRType type), HashSet<RecordKey> keys) in expected)
            if (!IsExactly(zone, owner, type, keys)) return Rcode.NXRRSet;
        return Rcode.NoError;
    }

    private static bool IsExactly(Zone zone, DomainName owner, RRType type, HashSet<RecordKey> keys)
    {
        if (!TryFind(zone, owner, out ZoneNode node) || !node.TryFind(type, out RRset rrset) ||
            rrset.Count != keys.Count) return false;
        foreach (ReadOnlySpan<byte> rdata in rrset)
            if (!keys.Contains(new RecordKey(type, rdata))) return false;
        return true;
    }

    private static UpdateChange Change(Zone zone, IReadOnlyList<UpdateRecord> updates, UpdateOptions limits)
    {
        Dictionary<DomainName, UpdatedName> names = [];
        long octets = 0, work = 0;
        int apexLabels = WireName.CountLabels(zone.Apex);
        foreach (UpdateRecord record in updates)
        {
            if (!names.TryGetValue(record.Owner, out UpdatedName? name))
            {
                names.Add(record.Owner, name = new UpdatedName(zone, record.Owner));
                octets += name.OctetsBefore;
                if (name.IsNew) work += OctetsOfNewLabel * (WireName.CountLabels(record.Owner.Octets) - apexLabels);
                if (octets > limits.MaxMessageOctets && names.Count > 1)
                    return new UpdateChange(null, octets + work,
                        new ZoneWriteFault(ZoneWriteFaultKind.RequestTooLarge) { Most = limits.MaxMessageOctets });
            }
            if (record.Class == RRClass.IN) name.Add(record.Type, record.Ttl, record.Rdata);
            else if (record.Class == RRClass.ANY) name.DeleteRRset(record.Type);
            else name.DeleteRecord(record.Type, record.Rdata);
        }
        foreach (UpdatedName name in names.Values)
            if (name.FindTooLarge(limits) is { } reason) return new UpdateChange(null, octets + work, reason);
        DomainName apexName = DomainName.FromOctets(zone.Apex);
        bool knowsApex = names.Remove(apexName, out UpdatedName? apex);
        apex ??= new UpdatedName(zone, apexName);
        ZoneDeltaBuilder delta = new(apexName, zone.Serial);
        bool isChanged = false;
        foreach (UpdatedName name in names.Values) isChanged |= name.WriteTo(delta);
        isChanged |= knowsApex && apex.WriteTo(new ZoneDeltaBuilder(apexName, zone.Serial));
        if (!isChanged) return new UpdateChange(null, octets + work, null);
        if (apex.Serial == zone.Serial) apex.SetSerial(SerialNumber.Next(zone.Serial));
        apex.WriteTo(delta);
        ZoneDelta built = delta.Build();
        return new UpdateChange(built, octets + work + built.MemoryBytes, null);
    }

    private static bool TryFind(Zone zone, DomainName owner, out ZoneNode node)
    {
        LookupName name = default;
        name.Set(owner.Octets);
        return zone.TryFind(in name, 0, out node);
    }
}

/// <summary>The effect of an UPDATE message on a version.</summary>
/// <param name="Delta">What changes; null = nothing.</param>
/// <param name="Octets">The size of the work: octets of the records at the updated names, of those that change, and
/// for the labels of new names.</param>
/// <param name="Fault">Why the change is refused; null = it is not.</param>
internal readonly record struct UpdateChange(ZoneDelta? Delta, long Octets, ZoneWriteFault? Fault);
