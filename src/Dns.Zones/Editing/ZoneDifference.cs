namespace Dns.Zones.Editing;

/// <summary>Compares two versions of a zone record by record.</summary>
internal sealed class ZoneDifference
{
    private readonly Zone _old;
    private readonly Zone _now;
    private readonly long _most;
    private readonly ZoneDeltaBuilder _builder;
    private readonly RecordRun _run = new();
    private readonly HashSet<int> _there;

    // A field, to avoid copies of 1.4 KB.
    private LookupName _name;
    private long _count;

    internal ZoneDifference(Zone old, Zone now, long most)
    {
        (_old, _now, _most) = (old, now, most);
        _builder = new ZoneDeltaBuilder(DomainName.FromOctets(old.Apex), old.Serial);
        _there = new HashSet<int>(new RdataOctets(_run));
    }

    internal ZoneDelta Delta => _builder.Build();

    /// <summary>Compares all names. False if there are too many differences.</summary>
    internal bool TryFind()
    {
        int known = 0;
        foreach (ZoneNode node in _now)
        {
            _name.Set(node.Name);
            if (_old.TryFind(in _name, 0, out ZoneNode before))
            {
                known++;
                Compare(before, node);
            }
            else PutAll(node);
            if (_count > _most) return false;
        }
        // In most cases every old name has been met.
        return known == _old.NameCount || TryFindGone();
    }

    private bool TryFindGone()
    {
        foreach (ZoneNode node in _old)
        {
            _name.Set(node.Name);
            if (!_now.TryFind(in _name, 0, out _)) TakeAll(node);
            if (_count > _most) return false;
        }
        return true;
    }

    private void Compare(ZoneNode before, ZoneNode node)
    {
        if (before.IsEqualTo(node)) return;
        Span<byte> owner = stackalloc byte[WireName.MaxOctets], old = stackalloc byte[WireName.MaxOctets];
        owner = owner[..node.CopyOwner(owner)];
        old = old[..before.CopyOwner(old)];
        // The apex keeps the letter case of its first version.
        if (!owner.SequenceEqual(old) && node.HasData && before.HasData && owner.Length > _now.Apex.Length)
        {
            TakeAll(before);
            PutAll(node);
            return;
        }
        foreach (RRset rrset in before)
            if (!TryFindSame(node, rrset, out RRset other) || other.Ttl != rrset.Ttl) TakeRecords(old, rrset);
            else CompareRecords(owner, rrset, other);
        foreach (RRset rrset in node)
            if (!TryFindSame(before, rrset, out RRset other) || other.Ttl != rrset.Ttl) PutRecords(owner, rrset);
    }

    private void CompareRecords(ReadOnlySpan<byte> owner, RRset old, RRset now)
    {
        if (old.Records.SequenceEqual(now.Records)) return;
        _run.Clear();
        _there.Clear();
        foreach (ReadOnlySpan<byte> rdata in old) _there.Add(Take(now.Type, rdata));
        int oldCount = _run.Count;
        foreach (ReadOnlySpan<byte> rdata in now)
        {
            if (_there.Remove(Take(now.Type, rdata))) continue;
            _builder.Add(owner, now.Type, now.Ttl, rdata);
            _count++;
        }
        for (int i = 0; i < oldCount; i++)
        {
            if (!_there.Contains(i)) continue;
            _builder.Remove(owner, old.Type, _run.Rdata(i), old.Ttl);
            _count++;
        }
    }

    private int Take(RRType type, ReadOnlySpan<byte> rdata)
    {
        _run.Add(type, 0, rdata);
        return _run.Count - 1;
    }

    private void TakeAll(ZoneNode node)
    {
        foreach (RRset rrset in node) TakeRecords(node.Name, rrset);
    }

    private void PutAll(ZoneNode node)
    {
        Span<byte> owner = stackalloc byte[WireName.MaxOctets];
        owner = owner[..node.CopyOwner(owner)];
        foreach (RRset rrset in node) PutRecords(owner, rrset);
    }

    private void TakeRecords(ReadOnlySpan<byte> owner, RRset rrset)
    {
        foreach (ReadOnlySpan<byte> rdata in rrset) _builder.Remove(owner, rrset.Type, rdata, rrset.Ttl);
        _count += rrset.Count;
    }

    private void PutRecords(ReadOnlySpan<byte> owner, RRset rrset)
    {
        foreach (ReadOnlySpan<byte> rdata in rrset) _builder.Add(owner, rrset.Type, rrset.Ttl, rdata);
        _count += rrset.Count;
    }

    private static bool TryFindSame(ZoneNode node, RRset rrset, out RRset same)
    {
        if (rrset.Type != RRType.RRSIG || rrset.First.Length < 2) return node.TryFind(rrset.Type, out same);
        return node.TryFindSignatures((RRType)(rrset.First[0] << 8 | rrset.First[1]), out same);
    }

    private sealed class RdataOctets(RecordRun run) : IEqualityComparer<int>
    {
        public bool Equals(int left, int right) => run.Rdata(left).SequenceEqual(run.Rdata(right));

        public int GetHashCode(int index) => (int)NameHash.OfOctets(run.Rdata(index));
    }
}
