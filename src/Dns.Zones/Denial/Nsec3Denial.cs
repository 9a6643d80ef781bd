namespace Dns.Zones.Denial;

/// <summary>
/// Denial by NSEC3 records (RFC 5155): each names the next hash of a name of the zone. Of several chains in a zone, the
/// one with an NSEC3PARAM record is used; records of others are ignored.
/// </summary>
internal sealed class Nsec3Denial : ZoneDenial
{
    private const byte OptOut = 1;

    private readonly DenialIndex<HashedDenialKey> _index;
    private readonly Nsec3Parameters _parameters;
    private readonly int _apexOctets;

    // The record of the apex, 0 if none, and the one before the wildcard below it: for most nonexistent names the
    // closest encloser is the apex.
    private uint _apexLink, _apexWildcardReference;

    private Nsec3Denial(DenialIndex<HashedDenialKey> index, Nsec3Parameters parameters, int apexOctets) =>
        (_index, _parameters, _apexOctets) = (index, parameters, apexOctets);

    public override Nsec3Parameters Parameters => _parameters;

    public override int Count => _index.Count;

    internal override long MemoryBytes => _index.MemoryBytes;

    /// <summary>The parameters of the chain to answer from: the first supported one; null if none.</summary>
    internal static Nsec3Parameters? FindParameters(ZoneNode apex)
    {
        if (!apex.TryFind(RRType.NSEC3PARAM, out RRset rrset)) return null;
        foreach (ReadOnlySpan<byte> rdata in rrset)
            if (Nsec3Parameters.Read(rdata) is { IsServed: true } parameters) return parameters;
        return null;
    }

    /// <summary>The chain of a version; null without a supported one.</summary>
    internal static new Nsec3Denial? Find(Zone zone)
    {
        if (FindParameters(zone.ApexNode) is not { } parameters) return null;
        int apexOctets = zone.Apex.Length, count = 0;
        uint[] references = new uint[zone.NameCount];
        ulong[] prefixes = new ulong[zone.NameCount];
        Span<byte> hash = stackalloc byte[Nsec3Hash.LengthOctets];
        ZoneCursor cursor = default;
        while (zone.TryNext(ref cursor, out uint reference))
        {
            ZoneNode node = new(ZoneMemory.Node(zone.Segments, reference));
            if (!Has(node, parameters) || !Nsec3Owner.TryRead(node.Name, apexOctets, hash)) continue;
            (references[count], prefixes[count++]) = (reference, Nsec3Hash.Prefix(hash));
        }
        if (count == 0) return null;
        Array.Sort(prefixes, references, 0, count);
        SortEqual(zone, prefixes.AsSpan(0, count), references.AsSpan(0, count));
        var index = DenialIndex<HashedDenialKey>.Build(zone.Segments, apexOctets, references.AsSpan(0, count));
        Nsec3Denial denial = new(index, parameters, apexOctets);
        denial.FindApex(zone.Segments, zone.Apex);
        return denial;
    }

    // Hashes with eight equal octets do not occur by chance, but a zone may be constructed with them.
    private static void SortEqual(Zone zone, ReadOnlySpan<ulong> prefixes, Span<uint> references)
    {
        for (int start = 0; start < prefixes.Length;)
        {
            int end = start + 1;
            while (end < prefixes.Length && prefixes[end] == prefixes[start]) end++;
            if (end > start + 1)
            {
                uint[] same = references[start..end].ToArray();
                CanonicalSort.Sort(zone.Segments, zone.Apex.Length, same);
                same.CopyTo(references[start..]);
            }
            start = end;
        }
    }

    public override void ProveNameError(
        Zone zone, scoped ref readonly LookupName name, int encloserSkip, int apexSkip, ref DenialProof proof)
    {
        encloserSkip = ProveCloser(zone, in name, encloserSkip, apexSkip, ref proof);
        AddWildcard(zone, name.Suffix(encloserSkip), ref proof);
    }

    // A name left out of the chain, a delegation without DS or an empty non-terminal above such, is in an opt-out span.
    public override void ProveNoData(Zone zone, scoped ref readonly LookupName name, int skip, int apexSkip,
        ref DenialProof proof)
    {
        uint reference = Find(zone, name.Suffix(skip), ref proof, out bool isThere);
        if (isThere) proof.Add(reference);
        if (isThere || skip == apexSkip) return;
        int encloserSkip = ProveEncloser(zone, in name, skip + 1, apexSkip, ref proof);
        if (encloserSkip == skip + 1) proof.Add(reference);
        else AddNextCloser(zone, name.Suffix(encloserSkip - 1), ref proof);
    }

    public override void ProveExpansion(Zone zone, scoped ref readonly LookupName name, int encloserSkip,
        ref DenialProof proof) => AddNextCloser(zone, name.Suffix(encloserSkip - 1), ref proof);

    public override void ProveWildcardNoData(
        Zone zone, scoped ref readonly LookupName name, int encloserSkip, int apexSkip, ref DenialProof proof)
    {
        // The wildcard of an encloser that was left out of the chain was left out too.
        if (ProveCloser(zone, in name, encloserSkip, apexSkip, ref proof) == encloserSkip)
            AddWildcard(zone, name.Suffix(encloserSkip), ref proof);
    }

    internal override uint[] ToArray() => _index.ToArray();

    public override bool TryFindHash(
        Zone zone, scoped ReadOnlySpan<byte> hash, scoped Span<byte> owner, scoped Span<byte> next)
    {
        uint reference = _index.FindAtOrBefore(zone.Segments, hash);
        if (reference == 0) return false;
        ZoneNode node = new(ZoneMemory.Node(zone.Segments, reference));
        return Nsec3Owner.TryRead(node.Name, _apexOctets, owner) && TryCopyNext(node, next);
    }

    internal override int CopyNext(ZoneNode node, Span<byte> next)
    {
        Span<byte> hash = stackalloc byte[Nsec3Hash.LengthOctets];
        if (!TryCopyNext(node, hash)) return 0;
        Nsec3Owner.Write(hash, next);
        ReadOnlySpan<byte> apex = node.Name[(1 + Nsec3Owner.LabelOctets)..];
        apex.CopyTo(next[(1 + Nsec3Owner.LabelOctets)..]);
        return node.Name.Length;
    }

    // In an opt-out span, delegations without DS and empty non-terminals above them only may be missing (RFC 5155 §6).
    internal override bool IsMissing(Zone zone, scoped ref readonly LookupName name, ZoneNode node, int apexSkip)
    {
        ZoneNode before = new(ZoneMemory.Node(zone.Segments, AtOrBefore(zone.Segments, name.Octets, out bool isThere)));
        if (isThere) return false;
        bool mayBeLeftOut = !node.HasData || (node.IsCut && !node.TryFind(RRType.DS, out _));
        return !mayBeLeftOut || !TryFindRecord(before, out ReadOnlySpan<byte> rdata) || (rdata[1] & OptOut) == 0;
    }

    internal override ZoneDenial BeginEdit() => new Nsec3Denial(_index.BeginEdit(), _parameters, _apexOctets);

    internal override void EndEdit(byte[][] segments, ReadOnlySpan<byte> apex)
    {
        _index.EndEdit();
        FindApex(segments, apex);
    }

    internal override bool Has(ZoneNode node)
    {
        Span<byte> hash = stackalloc byte[Nsec3Hash.LengthOctets];
        return Has(node, _parameters) && Nsec3Owner.TryRead(node.Name, _apexOctets, hash);
    }

    internal override void Add(byte[][] segments, uint reference) => _index.Add(segments, reference);

    internal override void Remove(byte[][] segments, uint reference) => _index.Remove(segments, reference);

    internal override void Replace(byte[][] segments, uint replacement) => _index.Replace(segments, replacement);

    /// <summary>The node of a hash or the one before it; 0 if empty.</summary>
    internal uint FindAtOrBefore(Zone zone, scoped ReadOnlySpan<byte> hash) =>
        _index.FindAtOrBefore(zone.Segments, hash);

    private bool TryCopyNext(ZoneNode node, scoped Span<byte> next)
    {
        if (!TryFindRecord(node, out ReadOnlySpan<byte> rdata)) return false;
        ReadOnlySpan<byte> hash = rdata[_parameters.LengthOctets..];
        if (hash.Length <= Nsec3Hash.LengthOctets || hash[0] != Nsec3Hash.LengthOctets) return false;
        hash.Slice(1, Nsec3Hash.LengthOctets).CopyTo(next);
        return true;
    }

    private static bool Has(ZoneNode node, Nsec3Parameters parameters) => TryFindRecord(node, parameters, out _);

    private bool TryFindRecord(ZoneNode node, out ReadOnlySpan<byte> record) =>
        TryFindRecord(node, _parameters, out record);

    private static bool TryFindRecord(ZoneNode node, Nsec3Parameters parameters, out ReadOnlySpan<byte> record)
    {
        record = default;
        if (!node.TryFind(RRType.NSEC3, out RRset rrset)) return false;
        foreach (ReadOnlySpan<byte> rdata in rrset)
        {
            if (!parameters.IsOf(rdata)) continue;
            record = rdata;
            return true;
        }
        return false;
    }

    /// <summary>Adds the record of the chain's closest encloser and the one covering the next closer name.</summary>
    /// <returns>How many labels precede that encloser.</returns>
    private int ProveCloser(Zone zone, scoped ref readonly LookupName name, int skip, int apexSkip,
        ref DenialProof proof)
    {
        skip = ProveEncloser(zone, in name, skip, apexSkip, ref proof);
        AddNextCloser(zone, name.Suffix(skip - 1), ref proof);
        return skip;
    }

    /// <summary>Adds the record of the longest name at or above another that the chain has.</summary>
    /// <remarks>
    /// Above a name of the chain all names to the apex are there too (RFC 5155 §7.1), so that halving finds it: a
    /// delegation without DS may be a hundred labels deep, and each hash cost a hundred iterations.
    /// </remarks>
    /// <returns>How many labels precede that name; at most as many as precede the apex.</returns>
    private int ProveEncloser(Zone zone, scoped ref readonly LookupName name, int skip, int apexSkip,
        ref DenialProof proof)
    {
        (int least, int there, uint found) = (skip, apexSkip, _apexLink);
        // Mostly the first one is there.
        for (int at = least; least < there; at = least + (there - least) / 2)
        {
            uint reference = Find(zone, name.Suffix(at), ref proof, out bool isThere);
            if (isThere) (there, found) = (at, reference);
            else least = at + 1;
        }
        proof.Add(found);
        return there;
    }

    private void AddNextCloser(Zone zone, scoped ReadOnlySpan<byte> name, ref DenialProof proof) =>
        proof.Add(Find(zone, name, ref proof, out _));

    private void AddWildcard(Zone zone, scoped ReadOnlySpan<byte> encloser, ref DenialProof proof)
    {
        if (encloser.Length != _apexOctets || _apexWildcardReference == 0) proof.Hashes++;
        proof.Add(AtOrBeforeWildcard(zone.Segments, encloser));
    }

    private uint Find(Zone zone, scoped ReadOnlySpan<byte> name, ref DenialProof proof, out bool isThere)
    {
        proof.Hashes++;
        return AtOrBefore(zone.Segments, name, out isThere);
    }

    private void FindApex(byte[][] segments, ReadOnlySpan<byte> apex)
    {
        if (Count == 0) return;
        uint reference = AtOrBefore(segments, apex, out bool isThere);
        _apexLink = isThere ? reference : 0;
        _apexWildcardReference = AtOrBeforeWildcard(segments, apex);
    }

    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    private uint AtOrBefore(byte[][] segments, scoped ReadOnlySpan<byte> name, out bool isThere)
    {
        Span<byte> hash = stackalloc byte[Nsec3Hash.LengthOctets], found = stackalloc byte[Nsec3Hash.LengthOctets];
        _parameters.Hash(name, hash);
        uint reference = _index.FindAtOrBefore(segments, hash);
        ZoneNode node = new(ZoneMemory.Node(segments, reference));
        // The first digit excludes most others at once.
        isThere = Nsec3Owner.BeginsAs(node.Name, hash[0])
            && Nsec3Owner.TryRead(node.Name, _apexOctets, found) && found.SequenceEqual(hash);
        return reference;
    }

    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    private uint AtOrBeforeWildcard(byte[][] segments, scoped ReadOnlySpan<byte> encloser)
    {
        if (encloser.Length == _apexOctets && _apexWildcardReference != 0) return _apexWildcardReference;
        Span<byte> wildcard = stackalloc byte[WireName.MaxOctets + 2];
        return AtOrBefore(segments, wildcard[..WriteWildcard(encloser, wildcard)], out _);
    }
}
