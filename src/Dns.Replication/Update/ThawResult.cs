namespace Dns.Replication;

/// <summary>What became of the thawing of a zone.</summary>
public enum ThawResult : byte
{
    /// <summary>Its file is served, and it is updated again.</summary>
    Thawed,

    /// <summary>Its file has errors. Nothing has changed.</summary>
    FileRefused,

    /// <summary>It is neither frozen nor in conflict with its file. Nothing has changed.</summary>
    NotFrozen,
}
