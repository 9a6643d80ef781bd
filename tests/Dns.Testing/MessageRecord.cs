namespace Dns.Testing;

/// <summary>A record as it was read from a message, its names expanded.</summary>
/// <param name="Owner">The owner in the spelling of the message.</param>
/// <param name="Type">The type.</param>
/// <param name="Class">The class, or the field of OPT in its place.</param>
/// <param name="Ttl">The TTL, or the field of OPT in its place.</param>
/// <param name="Rdata">The uncompressed RDATA.</param>
public sealed record MessageRecord(DomainName Owner, RRType Type, RRClass Class, uint Ttl, byte[] Rdata)
{
    /// <summary>The RDATA in presentation form.</summary>
    public string RdataText => Protocol.RecordData.Rdata.Format(Type, Rdata);

    /// <summary><c>OWNER TTL [CLASS] TYPE RDATA</c>; class IN is left out.</summary>
    public override string ToString() =>
        $"{Owner} {Ttl} {(Class == RRClass.IN ? "" : RRClassText.Format(Class) + " ")}{RRTypeText.Format(Type)} {RdataText}".TrimEnd();
}
