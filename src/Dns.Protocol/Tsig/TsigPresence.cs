namespace Dns.Protocol;

/// <summary>Whether a message has a TSIG record.</summary>
public enum TsigPresence : byte
{
    /// <summary>It has none.</summary>
    Absent,

    /// <summary>It has one, in its place and well formed.</summary>
    Present,

    /// <summary>The message, or its TSIG record, is malformed; or the record is not the last: FORMERR (RFC 8945 §5.1).</summary>
    Malformed,
}
