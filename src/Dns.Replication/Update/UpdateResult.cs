namespace Dns.Replication.Update;

/// <summary>The result of an UPDATE message, for counters.</summary>
public enum UpdateResult
{
    /// <summary>The zone has changed, and the change is on disk.</summary>
    Applied,

    /// <summary>Nothing had to change.</summary>
    Unchanged,

    /// <summary>A prerequisite failed.</summary>
    Prerequisite,

    /// <summary>The client has no permission, the zone is frozen, or the result would not be a valid zone.</summary>
    Refused,

    /// <summary>The signature is wrong, or the zone is not served here.</summary>
    NotAuth,

    /// <summary>The message is malformed, or has a name outside of the zone.</summary>
    Malformed,

    /// <summary>The queue is full.</summary>
    Overloaded,

    /// <summary>The change could not be written to disk, or the zone has no data.</summary>
    Failed,
}
