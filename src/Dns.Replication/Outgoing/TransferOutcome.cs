namespace Dns.Replication.Outgoing;

/// <summary>The outcome of a transfer.</summary>
public enum TransferOutcome : byte
{
    /// <summary>All messages were passed to the connection.</summary>
    Complete,

    /// <summary>The connection ended first: closed by the client, by a timeout, or by a stop.</summary>
    ClosedEarly,

    /// <summary>A record exceeds the maximum message length.</summary>
    RecordTooLarge,
}
