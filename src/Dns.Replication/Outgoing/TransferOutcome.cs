namespace Dns.Replication;

/// <summary>How a transfer has ended.</summary>
public enum TransferOutcome : byte
{
    /// <summary>All of it was handed to the connection.</summary>
    Complete,

    /// <summary>The connection ended first: the client left, took nothing for too long, or this server stops.</summary>
    ClosedEarly,

    /// <summary>A record fits into no message.</summary>
    RecordTooLarge,
}
