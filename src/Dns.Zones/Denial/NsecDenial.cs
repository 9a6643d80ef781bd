namespace Dns.Zones.Denial;

/// <summary>Denial by NSEC records (RFC 4034 §4): each names the next name of the zone in canonical order.</summary>
internal sealed class NsecDenial : ZoneDenial
{
    private readonly DenialIndex<CanonicalDenialKey> _index;
    private readonly int _apexOctets;

    // The record before the wildcard below the apex, which is the closest encloser of most names that do not exist.
    private uint _apexWildcardReference;

    private NsecDenial(DenialIndex<CanonicalDenialKey> index, int apexOctets) =>
        (_index, _apexOctets) = (index, apexOctets);

    public override Nsec3Parameters? Parameters => null;

    public override int Count => _index.Count;

    internal override long MemoryBytes => _index.MemoryBytes;

    /// <summary>The chain of a version; null if its apex has no NSEC record.</summary>
    internal static new NsecDenial? Find(Zone zone)
    {
        if (!zone.ApexNode.TryFind(RRType.NSEC, out _)) return null;
        uint[] references = new uint[zone.NameCount];
        int count = 0;
        ZoneCursor cursor = default;
        while (zone.TryNext(ref cursor, out uint reference))
            if (new ZoneNode(ZoneMemory.Node(zone.Segments, reference)).TryFind(RRType.NSEC, out _))
                references[count++] = reference;
        Array.Resize(ref references, count);
        if (!CanonicalSort.IsSorted(zone.Segments, zone.Apex.Length, references))
            CanonicalSort.Sort(zone.Segments, zone.Apex.Length, references);
        int apexOctets = zone.Apex.Length;
        var index = DenialIndex<CanonicalDenialKey>.Build(zone.Segments, apexOctets, references);
        NsecDenial denial = new(index, apexOctets);
        denial._apexWildcardReference = denial.AtOrBeforeWildcard(zone.Segments, zone.Apex);
        return denial;
    }

    // The record before a name covers it, as does the one before the wildcard: often they are the same.
    public override void ProveNameError(
        Zone zone, scoped ref readonly LookupName name, int encloserSkip, int apexSkip, ref DenialProof proof)
    {
        proof.Add(FindAtOrBefore(zone, name.Octets));
        bool isApex = name.Suffix(encloserSkip).Length == _apexOctets;
        proof.Add(isApex ? _apexWildcardReference : AtOrBeforeWildcard(zone.Segments, name.Suffix(encloserSkip)));
    }

    // An empty non-terminal has no record: the one before it names a name below it.
    public override void ProveNoData(
        Zone zone, scoped ref readonly LookupName name, int skip, int apexSkip, ref DenialProof proof)
    {
        uint own = zone.Find(in name, skip);
        bool hasRecord = own != 0 && Has(new ZoneNode(ZoneMemory.Node(zone.Segments, own)));
        proof.Add(hasRecord ? own : FindAtOrBefore(zone, name.Suffix(skip)));
    }

    public override void ProveExpansion(Zone zone, scoped ref readonly LookupName name, int encloserSkip,
        ref DenialProof proof) =>
        proof.Add(FindAtOrBefore(zone, name.Octets));

    public override void ProveWildcardNoData(
        Zone zone, scoped ref readonly LookupName name, int encloserSkip, int apexSkip, ref DenialProof proof) =>
        ProveNameError(zone, in name, encloserSkip, apexSkip, ref proof);

    internal override uint[] ToArray() => _index.ToArray();

    internal override int CopyNext(ZoneNode node, Span<byte> next)
    {
        if (!node.TryFind(RRType.NSEC, out RRset rrset) || !WireName.TryMeasure(rrset.First, out int length)) return 0;
        WireName.ToLower(rrset.First[..length], next[..length]);
        return length;
    }

    internal override bool IsMissing(Zone zone, scoped ref readonly LookupName name, ZoneNode node, int apexSkip) =>
        node.HasData && !Has(node);

    internal override ZoneDenial BeginEdit() => new NsecDenial(_index.BeginEdit(), _apexOctets);

    internal override void EndEdit(byte[][] segments, ReadOnlySpan<byte> apex)
    {
        _index.EndEdit();
        _apexWildcardReference = AtOrBeforeWildcard(segments, apex);
    }

    internal override bool Has(ZoneNode node) => node.TryFind(RRType.NSEC, out _);

    internal override void Add(byte[][] segments, uint reference) => _index.Add(segments, reference);

    internal override void Remove(byte[][] segments, uint reference) => _index.Remove(segments, reference);

    internal override void Replace(byte[][] segments, uint replacement) => _index.Replace(segments, replacement);

    /// <summary>The node of a lower-case name or the one before it; 0 if empty.</summary>
    internal uint FindAtOrBefore(Zone zone, scoped ReadOnlySpan<byte> name) => FindAtOrBefore(zone.Segments, name);

    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    private uint FindAtOrBefore(byte[][] segments, scoped ReadOnlySpan<byte> name)
    {
        Span<byte> key = stackalloc byte[CanonicalKey.MaxOctets];
        return _index.FindAtOrBefore(segments, key[..CanonicalKey.Write(name, _apexOctets, key)]);
    }

    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    private uint AtOrBeforeWildcard(byte[][] segments, scoped ReadOnlySpan<byte> encloser)
    {
        Span<byte> wildcard = stackalloc byte[WireName.MaxOctets + 2];
        return FindAtOrBefore(segments, wildcard[..WriteWildcard(encloser, wildcard)]);
    }
}
