namespace Dns.Replication.Incoming;

/// <summary>The activity of a secondary zone.</summary>
internal enum SecondaryActivity : byte
{
    /// <summary>Waiting for its next refresh.</summary>
    Idle,

    /// <summary>Queued for a serial query.</summary>
    WaitsForCheck,

    /// <summary>Querying the serial.</summary>
    Checks,
    WaitsForTransfer,
    Transfers,
}
