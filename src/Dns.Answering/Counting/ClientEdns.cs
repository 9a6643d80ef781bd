namespace Dns.Answering.Counting;

/// <summary>The EDNS state of a query (RFC 6891).</summary>
public enum ClientEdns : byte
{
    /// <summary>No OPT record, or not parsed.</summary>
    None,

    /// <summary>OPT without the DO bit.</summary>
    Plain,

    /// <summary>OPT with the DO bit (RFC 3225).</summary>
    DnssecOk,
}
