namespace Dns.Replication.Incoming;

/// <summary>The state of a transfer after a message.</summary>
public enum TransferStep : byte
{
    /// <summary>Another message is needed.</summary>
    More,

    /// <summary>Complete and verified.</summary>
    Complete,

    /// <summary>Failed.</summary>
    Failed,
}
