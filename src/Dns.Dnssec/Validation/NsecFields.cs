namespace Dns.Dnssec.Validation;

/// <summary>The RDATA of an NSEC record (RFC 4034 §4.1). Borrows the octets.</summary>
public readonly ref struct NsecFields
{
    private NsecFields(ReadOnlySpan<byte> next, ReadOnlySpan<byte> types)
    {
        Next = next;
        Types = types;
    }

    /// <summary>The next name.</summary>
    public ReadOnlySpan<byte> Next { get; }

    /// <summary>The types at the owner: <see cref="TypeBits"/>.</summary>
    public ReadOnlySpan<byte> Types { get; }

    /// <summary>Reads RDATA.</summary>
    public static bool TryRead(ReadOnlySpan<byte> rdata, out NsecFields fields)
    {
        bool isGood = Rdata.IsValid(RRType.NSEC, rdata) & WireName.TryMeasure(rdata, out int length);
        fields = isGood ? new NsecFields(rdata[..length], rdata[length..]) : default;
        return isGood;
    }
}
