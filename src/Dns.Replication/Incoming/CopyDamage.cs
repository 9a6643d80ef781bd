namespace Dns.Replication.Incoming;

/// <summary>Damage of the copy of a zone, or of the journal behind it; its text is for operators.</summary>
public sealed record CopyDamage
{
    /// <param name="found">What was found instead; null = nothing to name.</param>
    /// <param name="path">The file to name; null = none.</param>
    internal CopyDamage(CopyFault fault, object? found = null, string? path = null) =>
        (Fault, Found, Path) = (fault, found, path);

    internal CopyFault Fault { get; }
    internal object? Found { get; }
    internal string? Path { get; init; }

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

internal enum CopyFault : byte
{
    Foreign, Version, OtherZone, Header, Content, Soa, Members,

    /// <summary>What the journal or the file system says.</summary>
    Other,
}
