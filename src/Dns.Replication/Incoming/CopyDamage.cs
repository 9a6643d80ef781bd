namespace Dns.Replication.Incoming;

/// <summary>What is wrong with the copy of a zone, or with the journal behind it.</summary>
public enum CopyFault : byte
{
    /// <summary>The file is no copy.</summary>
    Foreign,

    /// <summary>It has another version of the format: the one found.</summary>
    Version,

    /// <summary>It is of another zone: the name that was expected.</summary>
    OtherZone,

    /// <summary>Its header is damaged.</summary>
    Header,

    /// <summary>A block is damaged: its offset.</summary>
    Content,

    /// <summary>Its SOA is not that of its header.</summary>
    Soa,

    /// <summary>Its journal or the file system fails: what that says.</summary>
    Other,

    /// <summary>It has more members of catalogs than there is memory for: the maximum.</summary>
    Members,
}

/// <summary>Damage of a stored copy; its text is for operators.</summary>
/// <param name="Found">What the fault says was found; null = nothing.</param>
/// <param name="Path">The file to name; null = none.</param>
public sealed record CopyDamage(CopyFault Fault, object? Found = null, string? Path = null)
{
    /// <inheritdoc/>
    public override string ToString() => (Path is null ? "" : $"{Path}: ") + Fault switch
    {
        CopyFault.Foreign => "it is no copy of a zone",
        CopyFault.Version => $"found version {Found} of the format, expected {ZoneCopyFormat.Version}",
        CopyFault.OtherZone => $"it is the copy of another zone than {Found}",
        CopyFault.Header => "its header is damaged",
        CopyFault.Content => $"it is damaged at octet {Found}",
        CopyFault.Soa => "its SOA is not that of its header",
        CopyFault.Members => $"more than {Found:N0} members are stored, for which there is not enough memory",
        _ => $"{Found}",
    };
}
