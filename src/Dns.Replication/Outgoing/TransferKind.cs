namespace Dns.Replication.Outgoing;

/// <summary>The kind of an outgoing transfer.</summary>
public enum TransferKind : byte
{
    /// <summary>AXFR: the whole zone (RFC 5936).</summary>
    Whole,

    /// <summary>IXFR: deltas (RFC 1995).</summary>
    Changes,

    /// <summary>IXFR answered with the whole zone (RFC 1995 §4).</summary>
    WholeForChanges,
}
