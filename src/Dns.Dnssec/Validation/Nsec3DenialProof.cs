namespace Dns.Dnssec.Validation;

/// <summary>Proofs by NSEC3 (RFC 5155 §8). The remaining work bounds the hashes (CVE-2023-50868).</summary>
internal sealed class Nsec3DenialProof : IDenial
{
    private readonly List<HashedRecord> _records = [];
    private readonly ValidationWork _work;
    private readonly int _zoneLabels;
    private readonly byte[] _salt = [];
    private readonly int _iterations;

    /// <summary>Proofs by the records of one chain: those with the parameters of the first.</summary>
    internal Nsec3DenialProof(ReadOnlySpan<byte> zone, IReadOnlyList<ReceivedRRset> rrsets, ValidationWork work)
    {
        _work = work;
        _zoneLabels = WireName.CountLabels(zone);
        foreach (ReceivedRRset rrset in rrsets)
        {
            byte[] hash = new byte[Nsec3Hash.LengthOctets];
            if (!HashedOwner.TryRead(rrset.Owner, hash) ||
                rrset.Owner.Length != zone.Length + 1 + HashedOwner.LabelOctets) continue;
            foreach (byte[] rdata in rrset.Rdata)
            {
                if (!Nsec3Fields.TryRead(rdata, out Nsec3Fields fields) || fields.HasUnknownFlags) continue;
                if (_records.Count == 0) (_salt, _iterations) = (fields.Salt.ToArray(), fields.Iterations);
                else if (fields.Iterations != _iterations || !fields.Salt.SequenceEqual(_salt)) continue;
                _records.Add(new HashedRecord(hash, rdata));
            }
        }
    }

    private bool HasTooManyIterations => _iterations > Nsec3Hash.MaxIterations;

    public DenialVerdict ProveNoName(ReadOnlySpan<byte> name)
    {
        if (HasTooManyIterations) return DenialVerdict.Insecure;
        if (!TryFindEncloser(name, out int labels, out HashedRecord? covering) || covering is null)
            return DenialVerdict.NotProven;
        Span<byte> wildcard = stackalloc byte[WireName.MaxOctets];
        int length = WildcardNames.Write(name, labels, wildcard);
        if (length == 0 || FindCovering(wildcard[..length]) is null) return DenialVerdict.NotProven;
        return covering.IsOptOut ? DenialVerdict.Insecure : DenialVerdict.Proven;
    }

    public DenialVerdict ProveNoType(ReadOnlySpan<byte> name, RRType type, out bool isCut)
    {
        isCut = false;
        if (HasTooManyIterations) return DenialVerdict.Insecure;
        if (FindAt(name) is HashedRecord own) return DenialTypeRules.Lacks(own.Types, type, name, out isCut);
        if (!TryFindEncloser(name, out int labels, out HashedRecord? covering) || covering is null)
            return DenialVerdict.NotProven;
        Span<byte> wildcard = stackalloc byte[WireName.MaxOctets];
        int length = WildcardNames.Write(name, labels, wildcard);
        DenialVerdict verdict = length > 0 && FindAt(wildcard[..length]) is HashedRecord at
            ? DenialTypeRules.Lacks(at.Types, type, wildcard[..length], out _) : DenialVerdict.NotProven;
        return covering.IsOptOut ? DenialVerdict.Insecure : verdict;
    }

    public DenialVerdict ProveExpansion(ReadOnlySpan<byte> name, int labels)
    {
        if (HasTooManyIterations) return DenialVerdict.Insecure;
        if (FindCovering(WildcardNames.Suffix(name, labels + 1)) is not HashedRecord covering)
            return DenialVerdict.NotProven;
        return covering.IsOptOut ? DenialVerdict.Insecure : DenialVerdict.Proven;
    }

    /// <summary>Finds the closest provable encloser (RFC 5155 §8.3): the longest ancestor with a record.</summary>
    private bool TryFindEncloser(ReadOnlySpan<byte> name, out int labels, out HashedRecord? covering)
    {
        covering = null;
        for (labels = WireName.CountLabels(name); labels >= _zoneLabels; labels--)
        {
            if (FindAt(WildcardNames.Suffix(name, labels)) is not HashedRecord encloser) continue;
            if (labels == WireName.CountLabels(name) || DenialTypeRules.IsEndOfZone(encloser.Types)) return false;
            covering = FindCovering(WildcardNames.Suffix(name, labels + 1));
            return true;
        }
        return false;
    }

    private HashedRecord? FindAt(ReadOnlySpan<byte> name)
    {
        Span<byte> hash = stackalloc byte[Nsec3Hash.LengthOctets];
        if (!TryHash(name, hash)) return null;
        foreach (HashedRecord record in _records)
            if (hash.SequenceEqual(record.Hash)) return record;
        return null;
    }

    private HashedRecord? FindCovering(ReadOnlySpan<byte> name)
    {
        Span<byte> hash = stackalloc byte[Nsec3Hash.LengthOctets];
        if (!TryHash(name, hash)) return null;
        foreach (HashedRecord record in _records)
            if (record.Covers(hash)) return record;
        return null;
    }

    private bool TryHash(ReadOnlySpan<byte> name, Span<byte> hash)
    {
        if (!_work.TryHash(_iterations)) return false;
        Span<byte> lower = stackalloc byte[WireName.MaxOctets];
        WireName.ToLower(name, lower[..name.Length]);
        Nsec3Hash.Compute(lower[..name.Length], _salt, _iterations, hash);
        return true;
    }

    private sealed class HashedRecord
    {
        private readonly byte[] _next = [];

        internal HashedRecord(byte[] hash, byte[] rdata)
        {
            Hash = hash;
            if (!Nsec3Fields.TryRead(rdata, out Nsec3Fields fields)) return;
            (_next, Types, IsOptOut) = (fields.Next.ToArray(), fields.Types.ToArray(), fields.IsOptOut);
        }

        internal byte[] Hash { get; }

        internal byte[] Types { get; } = [];

        internal bool IsOptOut { get; }

        internal bool Covers(ReadOnlySpan<byte> hash)
        {
            bool isBehind = hash.SequenceCompareTo(Hash) > 0, isBefore = hash.SequenceCompareTo(_next) < 0;
            return Hash.AsSpan().SequenceCompareTo(_next) < 0
                ? isBehind && isBefore : isBehind || isBefore && !hash.SequenceEqual(Hash);
        }
    }
}
