namespace Dns.Protocol.Tsig;

/// <summary>Whether a message has a TSIG record.</summary>
public enum TsigPresence : byte
{
    /// <summary>None.</summary>
    Absent,

    /// <summary>A well-formed record in the right place.</summary>
    Present,

    /// <summary>Message or TSIG record are malformed, or the record is not the last: FORMERR (RFC 8945 §5.1).</summary>
    Malformed,
}
