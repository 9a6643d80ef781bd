namespace Dns.Replication;

/// <summary>Where a transfer stands after a message.</summary>
public enum TransferStep : byte
{
    /// <summary>Another message is needed.</summary>
    More,

    /// <summary>It is complete and proven: the zone, the differences, or that there is nothing newer.</summary>
    Complete,

    /// <summary>It is of no use.</summary>
    Failed,
}
