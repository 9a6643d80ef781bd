namespace Dns.Replication;

/// <summary>What a secondary zone does at the moment.</summary>
internal enum SecondaryActivity : byte
{
    /// <summary>It waits for its time.</summary>
    Idle,

    /// <summary>It waits for its turn to ask for the serial.</summary>
    WaitsForCheck,

    /// <summary>A primary is asked for the serial.</summary>
    Checks,

    /// <summary>It waits for its turn to be transferred.</summary>
    WaitsForTransfer,

    /// <summary>It is transferred.</summary>
    Transfers,
}
