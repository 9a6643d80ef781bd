namespace Dns.Replication;

/// <summary>What became of an UPDATE message; what is counted.</summary>
public enum UpdateResult
{
    /// <summary>The zone has changed, and the change is on disk.</summary>
    Applied,

    /// <summary>Nothing had to change.</summary>
    Unchanged,

    /// <summary>A prerequisite does not hold.</summary>
    Prerequisite,

    /// <summary>The sender may not, the zone is frozen, or what it would become is no zone.</summary>
    Refused,

    /// <summary>The signature is wrong, or the zone is not served here.</summary>
    NotAuth,

    /// <summary>The message is malformed, or names something out of the zone.</summary>
    Malformed,

    /// <summary>More updates wait than may.</summary>
    Overloaded,

    /// <summary>The change could not be written to disk, or there is no data of the zone.</summary>
    Failed,
}
