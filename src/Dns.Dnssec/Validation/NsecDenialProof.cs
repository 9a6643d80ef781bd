namespace Dns.Dnssec.Validation;

/// <summary>Proofs by NSEC records (RFC 4035 §5.4, RFC 6840 §4).</summary>
internal sealed class NsecDenialProof(IReadOnlyList<ReceivedRRset> records) : IDenial
{
    private byte[] _owner = [];

    public DenialVerdict ProveNoName(ReadOnlySpan<byte> name)
    {
        // Compact denial: the record at the name denies it, and so every wildcard for it (RFC 9824 §3.1).
        if (FindAt(name) is byte[] own && DenialTypeRules.IsNoName(Types(own))) return DenialVerdict.Proven;
        byte[]? covering = FindCovering(name, out bool isEmptyNonTerminal);
        if (covering is null || isEmptyNonTerminal) return DenialVerdict.NotProven;
        Span<byte> wildcard = stackalloc byte[WireName.MaxOctets];
        int length = WriteWildcard(name, covering, wildcard);
        bool isDenied = length > 0 && FindCovering(wildcard[..length], out bool isEmpty) is not null && !isEmpty;
        return isDenied ? DenialVerdict.Proven : DenialVerdict.NotProven;
    }

    public DenialVerdict ProveNoType(ReadOnlySpan<byte> name, RRType type, out bool isCut)
    {
        isCut = false;
        if (FindAt(name) is byte[] own) return DenialTypeRules.Lacks(Types(own), type, name, out isCut);
        byte[]? covering = FindCovering(name, out bool isEmptyNonTerminal);
        if (covering is null) return DenialVerdict.NotProven;
        if (isEmptyNonTerminal) return DenialVerdict.Proven;
        Span<byte> wildcard = stackalloc byte[WireName.MaxOctets];
        int length = WriteWildcard(name, covering, wildcard);
        if (length == 0) return DenialVerdict.NotProven;
        if (FindAt(wildcard[..length]) is byte[] at)
            return DenialTypeRules.Lacks(Types(at), type, wildcard[..length], out _);
        // A wildcard that is an empty non-terminal has no types (RFC 4592 §2.2.2).
        return FindCovering(wildcard[..length], out bool isEmptyWildcard) is not null && isEmptyWildcard
            ? DenialVerdict.Proven : DenialVerdict.NotProven;
    }

    public DenialVerdict ProveExpansion(ReadOnlySpan<byte> name, int labels) =>
        FindCovering(name, out bool isEmptyNonTerminal) is byte[] covering && !isEmptyNonTerminal
            && LabelsOfEncloser(name, covering) == labels
            ? DenialVerdict.Proven : DenialVerdict.NotProven;

    private byte[]? FindAt(ReadOnlySpan<byte> name)
    {
        foreach (ReceivedRRset record in records)
            if (WireName.EqualsIgnoreCase(record.Owner, name)) return record.Rdata[0];
        return null;
    }

    /// <summary>Finds the record that proves that a name does not exist.</summary>
    private byte[]? FindCovering(ReadOnlySpan<byte> name, out bool isEmptyNonTerminal)
    {
        isEmptyNonTerminal = false;
        foreach (ReceivedRRset record in records)
        {
            if (!NsecFields.TryRead(record.Rdata[0], out NsecFields fields)) continue;
            if (!CanonicalNames.IsBetween(name, record.Owner, fields.Next)) continue;
            // The zone cannot deny names below a delegation or a DNAME (RFC 6840 §4.1).
            if (WireName.IsAtOrBelow(name, record.Owner) && DenialTypeRules.IsEndOfZone(fields.Types)) continue;
            isEmptyNonTerminal = WireName.IsAtOrBelow(fields.Next, name);
            _owner = record.Owner;
            return record.Rdata[0];
        }
        return null;
    }

    // The closest encloser is the longest common ancestor with one of the neighbours.
    private int LabelsOfEncloser(ReadOnlySpan<byte> name, byte[] rdata) =>
        NsecFields.TryRead(rdata, out NsecFields fields)
        ? Math.Max(CommonLabels(name, _owner), CommonLabels(name, fields.Next)) : 0;

    private int WriteWildcard(ReadOnlySpan<byte> name, byte[] rdata, Span<byte> wildcard) =>
        WildcardNames.Write(name, LabelsOfEncloser(name, rdata), wildcard);

    private static ReadOnlySpan<byte> Types(byte[] rdata) =>
        NsecFields.TryRead(rdata, out NsecFields fields) ? fields.Types : default;

    private static int CommonLabels(ReadOnlySpan<byte> left, ReadOnlySpan<byte> right)
    {
        int labels = Math.Min(WireName.CountLabels(left), WireName.CountLabels(right));
        while (labels > 0 && !WireName.EqualsIgnoreCase(WildcardNames.Suffix(left, labels),
            WildcardNames.Suffix(right, labels))) labels--;
        return labels;
    }
}
