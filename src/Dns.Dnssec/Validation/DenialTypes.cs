namespace Dns.Dnssec.Validation;

/// <summary>Type bitmaps that NSEC and NSEC3 must have (RFC 4034 §4.1.2, RFC 5155 §7.1). For one thread.</summary>
internal sealed class DenialTypes
{
    private const int WindowOctets = 34;

    private RRType[] _types = new RRType[64];
    private byte[] _bits = new byte[4 * WindowOctets];

    /// <summary>The types of a name, valid until the next call.</summary>
    /// <param name="node">The name; it has all records of the zone, signatures included.</param>
    /// <param name="isHashed">Whether the record is NSEC3, and so not at the name.</param>
    internal ReadOnlySpan<byte> At(ZoneNode node, NodePosition position, bool isHashed)
    {
        int count = 0;
        foreach (RRset rrset in node)
        {
            RRType type = rrset.Type;
            if (position == NodePosition.Cut && type is not (RRType.NS or RRType.DS or RRType.NSEC)) continue;
            if (type == RRType.RRSIG && count > 0 && _types.AsSpan(0, count).Contains(RRType.RRSIG)) continue;
            if (isHashed && type is RRType.NSEC or RRType.NSEC3) continue;
            if (isHashed && type == RRType.RRSIG && node.HasOnlyNsec3) continue;
            if (count == _types.Length) Array.Resize(ref _types, 2 * count);
            _types[count++] = type;
        }
        if (position == NodePosition.Cut && (!isHashed || node.TryFind(RRType.DS, out _)))
        {
            if (count == _types.Length) Array.Resize(ref _types, 2 * count);
            _types[count++] = RRType.RRSIG;
        }
        Span<RRType> types = _types.AsSpan(0, count);
        types.Sort();
        if (_bits.Length < WindowOctets * Math.Min(count, 256)) _bits = new byte[WindowOctets * 256];
        return _bits.AsSpan(0, TypeBits.Write(types, _bits));
    }
}
