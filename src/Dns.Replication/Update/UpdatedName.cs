namespace Dns.Replication.Update;

/// <summary>The records of one name while an update is evaluated (RFC 2136 §3.4.2).</summary>
internal sealed class UpdatedName
{
    /// <summary>The position of the serial in the RDATA of an SOA, from its end.</summary>
    internal const int SerialFromEnd = 20;
    private const int WksKeyOctets = 5;

    /// <summary>A compressed owner, type, class, TTL and length.</summary>
    private const int RecordFixedOctets = 12;

    private readonly Dictionary<SetKey, Records> _before = [];
    private readonly Dictionary<SetKey, Records> _now = [];
    private readonly bool _isApex;

    /// <summary>Starts with the records of a version.</summary>
    internal UpdatedName(Zone zone, DomainName owner)
    {
        Owner = owner;
        LookupName name = default;
        name.Set(owner.Octets);
        _isApex = owner.Octets.Length == zone.Apex.Length;
        IsNew = !zone.TryFind(in name, 0, out ZoneNode node);
        if (IsNew) return;
        foreach (RRset rrset in node)
        {
            Records records = new(rrset.Ttl);
            foreach (ReadOnlySpan<byte> rdata in rrset)
                records.Rdata[new RecordKey(rrset.Type, rdata)] = rdata.ToArray();
            SetKey key = SetKey.Of(rrset.Type, rrset.First);
            OctetsBefore += records.Octets;
            _before.Add(key, records);
            _now.Add(key, new Records(records));
        }
    }

    // What makes records of a name one RRset: the type and, for RRSIG, the type that they cover, whose TTL they have
    // (RFC 4034 §3).
    private readonly record struct SetKey(RRType Type, RRType Covered)
    {
        internal static SetKey Of(RRType type, ReadOnlySpan<byte> rdata) =>
            new(type, type == RRType.RRSIG ? (RRType)BinaryPrimitives.ReadUInt16BigEndian(rdata) : 0);
    }

    /// <summary>The records of a type, with one TTL.</summary>
    private sealed class Records(uint ttl)
    {
        // WKS by address and protocol, from the first one that is added on. It may list removed records.
        private Dictionary<RecordKey, List<RecordKey>>? _services;

        internal Records(Records other) : this(other.Ttl) => Rdata = new(other.Rdata);

        internal uint Ttl { get; set; } = ttl;

        internal Dictionary<RecordKey, byte[]> Rdata { get; } = [];

        internal long Octets => Rdata.Values.Sum(rdata => (long)rdata.Length + RecordFixedOctets);

        /// <summary>Removes the WKS that an added one replaces, which is listed from now on.</summary>
        internal void ReplaceService(RecordKey added)
        {
            if (_services is null)
            {
                _services = [];
                foreach (RecordKey key in Rdata.Keys) ServicesLike(key).Add(key);
            }
            List<RecordKey> services = ServicesLike(added);
            foreach (RecordKey key in services) Rdata.Remove(key);
            services.Clear();
            services.Add(added);
        }

        // The hash of a key is seeded, so that addresses cannot be chosen to collide.
        private List<RecordKey> ServicesLike(RecordKey key)
        {
            RecordKey service = new(RRType.WKS, key.Canonical[..WksKeyOctets]);
            if (!_services!.TryGetValue(service, out List<RecordKey>? services))
                _services.Add(service, services = new List<RecordKey>(1));
            return services;
        }
    }

    /// <summary>The name, in the letter case of the message.</summary>
    internal DomainName Owner { get; }

    /// <summary>Whether the version has no node of this name.</summary>
    internal bool IsNew { get; }

    /// <summary>Octets of its records in the version.</summary>
    internal long OctetsBefore { get; }

    /// <summary>Adds a record, by the rules for CNAME, SOA, WKS, DNAME and RESINFO.</summary>
    /// <param name="type">Its type, not a meta-type.</param>
    /// <param name="ttl">Its TTL, which its RRset gets too (RFC 2181 §5.2).</param>
    internal void Add(RRType type, uint ttl, byte[] rdata)
    {
        if (type == RRType.SOA && !IsNewer(rdata) || IsBlockedByAlias(type)) return;
        RecordKey key = new(type, rdata);
        if (type is RRType.SOA or RRType.CNAME or RRType.DNAME or RRType.RESINFO) _now.Remove(new SetKey(type, 0));
        Put(key, ttl, rdata);
    }

    /// <summary>Removes all records of a type, or all with ANY; never SOA and NS at the apex.</summary>
    internal void DeleteRRset(RRType type)
    {
        if (type is not (RRType.ANY or RRType.RRSIG))
        {
            if (!IsKept(type)) _now.Remove(new SetKey(type, 0));
            return;
        }
        foreach (SetKey set in _now.Keys.ToList())
            if ((type == RRType.ANY || set.Type == type) && !IsKept(set.Type)) _now.Remove(set);
    }

    /// <summary>Removes one record; never the SOA, nor the last NS at the apex.</summary>
    internal void DeleteRecord(RRType type, byte[] rdata)
    {
        SetKey set = SetKey.Of(type, rdata);
        if (type == RRType.SOA || !_now.TryGetValue(set, out Records? records)) return;
        if (_isApex && type == RRType.NS && records.Rdata.Count == 1) return;
        if (records.Rdata.Remove(new RecordKey(type, rdata)) && records.Rdata.Count == 0) _now.Remove(set);
    }

    /// <summary>Why the name, or an RRset of it, is enlarged beyond a limit; null if none is.</summary>
    internal ZoneWriteFault? FindTooLarge(UpdateOptions limits)
    {
        long all = 0;
        foreach ((SetKey set, Records now) in _now)
        {
            long octets = now.Octets;
            all += octets;
            Records? before = _before.GetValueOrDefault(set);
            bool isOfKeys = _isApex && set.Type is RRType.DNSKEY or RRType.CDS or RRType.CDNSKEY;
            long most = isOfKeys ? limits.MaxKeyOctets : limits.MaxRRsetOctets;
            if (octets > most && octets > (before?.Octets ?? 0))
                return FaultOf(ZoneWriteFaultKind.RRsetTooLarge, set.Type, most);
            if (now.Rdata.Any(record => record.Value.Length > limits.MaxRdataOctets
                && before?.Rdata.ContainsKey(record.Key) != true))
                return FaultOf(ZoneWriteFaultKind.RdataTooLarge, set.Type, limits.MaxRdataOctets);
            int records = isOfKeys ? limits.MaxKeysOfType : limits.MaxRecordsOfType;
            if (now.Rdata.Count > records && now.Rdata.Count > (before?.Rdata.Count ?? 0))
                return FaultOf(ZoneWriteFaultKind.TooManyRecords, set.Type, records);
        }
        int types = TypesIn(_now), mostTypes = _isApex ? limits.MaxTypesOfApex : limits.MaxTypesOfName;
        if (types > mostTypes && types > TypesIn(_before))
            return FaultOf(ZoneWriteFaultKind.TooManyTypes, 0, mostTypes);
        return all > limits.MaxNameOctets && all > OctetsBefore
            ? FaultOf(ZoneWriteFaultKind.NameTooLarge, 0, limits.MaxNameOctets) : null;
    }

    private ZoneWriteFault FaultOf(ZoneWriteFaultKind kind, RRType type, long most) =>
        new(kind) { Owner = Owner, Type = type, Most = most };

    private static int TypesIn(Dictionary<SetKey, Records> records) =>
        records.Keys.Count(set => set.Type != RRType.RRSIG);

    /// <summary>Writes the differences from the original records into a delta; false if there are none.</summary>
    internal bool WriteTo(ZoneDeltaBuilder delta)
    {
        bool isChanged = false;
        foreach ((SetKey set, Records before) in _before)
        {
            Records? now = _now.GetValueOrDefault(set);
            foreach ((RecordKey key, byte[] rdata) in before.Rdata)
            {
                if (now?.Ttl == before.Ttl && now.Rdata.ContainsKey(key)) continue;
                delta.Remove(Owner.Octets, set.Type, rdata, before.Ttl);
                isChanged = true;
            }
        }
        foreach ((SetKey set, Records now) in _now)
        {
            Records? before = _before.GetValueOrDefault(set);
            foreach ((RecordKey key, byte[] rdata) in now.Rdata)
            {
                if (before?.Ttl == now.Ttl && before.Rdata.ContainsKey(key)) continue;
                delta.Add(Owner.Octets, set.Type, now.Ttl, rdata);
                isChanged = true;
            }
        }
        return isChanged;
    }

    /// <summary>The current serial; at the apex only.</summary>
    internal uint Serial => SerialOf(Soa().Rdata);

    private (uint Ttl, byte[] Rdata) Soa()
    {
        Records soa = _now[new SetKey(RRType.SOA, 0)];
        return (soa.Ttl, soa.Rdata.Values.Single());
    }

    /// <summary>Replaces the serial of the SOA.</summary>
    internal void SetSerial(uint serial)
    {
        (uint ttl, byte[] rdata) = Soa();
        byte[] changed = [.. rdata];
        BinaryPrimitives.WriteUInt32BigEndian(changed.AsSpan(changed.Length - SerialFromEnd), serial);
        _now.Remove(new SetKey(RRType.SOA, 0));
        Put(new RecordKey(RRType.SOA, changed), ttl, changed);
    }

    private static uint SerialOf(ReadOnlySpan<byte> soa) => BinaryPrimitives.ReadUInt32BigEndian(soa[^SerialFromEnd..]);

    /// <summary>Whether an SOA may replace the existing one: at the apex, with a greater serial.</summary>
    private bool IsNewer(byte[] soa) => _isApex && SerialNumber.IsGreater(SerialOf(soa), Serial);

    /// <summary>
    /// A CNAME is not added beside other data, nor other data beside a CNAME (RFC 2136 §3.4.2.2). KEY, SIG and NXT,
    /// which a zone file may have there (RFC 2535), count as other data: Knot DNS rejects a zone with them.
    /// </summary>
    private bool IsBlockedByAlias(RRType type)
    {
        bool isAlias = _now.ContainsKey(new SetKey(RRType.CNAME, 0));
        if (type != RRType.CNAME) return isAlias && !IsOfAlias(type);
        return !isAlias && _now.Keys.Any(other => !IsOfAlias(other.Type));
    }

    private static bool IsOfAlias(RRType type) => type is RRType.RRSIG or RRType.NSEC;

    private bool IsKept(RRType type) => _isApex && type is RRType.SOA or RRType.NS;

    private void Put(RecordKey key, uint ttl, byte[] rdata)
    {
        SetKey set = SetKey.Of(key.Type, rdata);
        if (!_now.TryGetValue(set, out Records? records)) _now.Add(set, records = new Records(ttl));
        records.Ttl = ttl;
        // A WKS replaces the one of the same address and protocol.
        if (key.Type == RRType.WKS) records.ReplaceService(key);
        records.Rdata.TryAdd(key, rdata);
    }
}
