namespace Dns.Protocol.RecordData;

/// <summary>Traits of a type's RDATA as a whole.</summary>
[Flags]
internal enum RdataTraits : byte
{
    /// <summary>Nothing special.</summary>
    None = 0,
    /// <summary>Compressed names are accepted on receipt, from clients too (RFC 3597 §4).</summary>
    MayArriveCompressed = 1,
    /// <summary>An answer may compress the names: the types of RFC 1035 (RFC 3597 §4).</summary>
    MayLeaveCompressed = 2 | MayArriveCompressed,
    /// <summary>Names are lowered in canonical form (RFC 4034 §6.2, RFC 6840 §5.1).</summary>
    LowersNames = 4,
    /// <summary>The last name of the row is the target for additional-section processing.</summary>
    HasTarget = 8,
}

/// <summary>The row of one type: its fields in order, and its traits.</summary>
internal sealed class RdataLayout(RdataTraits traits, params RdataField[] fields)
{
    /// <summary>The fields, in wire and in text order.</summary>
    public readonly RdataField[] Fields = fields;

    public readonly RdataTraits Traits = traits;

    /// <summary>Whether a field is a name.</summary>
    public readonly bool HasName = Array.IndexOf(fields, RdataField.Name) >= 0;

    public bool Has(RdataTraits traits) => (Traits & traits) == traits;
}
