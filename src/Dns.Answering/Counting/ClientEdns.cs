namespace Dns.Answering;

/// <summary>What a query says of EDNS (RFC 6891).</summary>
public enum ClientEdns : byte
{
    /// <summary>It has no OPT record, or could not be read.</summary>
    None,

    /// <summary>It has an OPT record without the DO bit.</summary>
    Plain,

    /// <summary>It has an OPT record with the DO bit (RFC 3225).</summary>
    DnssecOk,
}
