namespace Dns.Testing;

/// <summary>A record of a zone that a test makes.</summary>
/// <param name="Owner">
/// The owner as lower-case text without the final dot, its labels of plain letters, digits and asterisks.
/// </param>
/// <param name="Type">The type.</param>
/// <param name="Ttl">The TTL in seconds.</param>
/// <param name="Rdata">The RDATA.</param>
public sealed record PlainRecord(string Owner, RRType Type, uint Ttl, byte[] Rdata)
{
    /// <summary>The whole record as text, which identifies it.</summary>
    public string Key => $"{Owner} {(ushort)Type} {Ttl} {Convert.ToHexString(Rdata)}";
}
