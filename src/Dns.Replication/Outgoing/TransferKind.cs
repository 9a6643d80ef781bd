namespace Dns.Replication;

/// <summary>In which form a zone was asked for and given away.</summary>
public enum TransferKind : byte
{
    /// <summary>AXFR: the whole zone (RFC 5936).</summary>
    Whole,

    /// <summary>IXFR: what has changed (RFC 1995).</summary>
    Changes,

    /// <summary>IXFR that was answered with the whole zone (RFC 1995 §4).</summary>
    WholeForChanges,
}
