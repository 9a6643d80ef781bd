namespace Dns.Replication.Update;

/// <summary>The result of thawing a zone.</summary>
public enum ThawResult : byte
{
    /// <summary>Its file is served, and updates are permitted.</summary>
    Thawed,

    /// <summary>Its file has errors. Nothing has changed.</summary>
    FileRefused,

    /// <summary>It is neither frozen nor in conflict with its file. Nothing has changed.</summary>
    NotFrozen,
}
