namespace Dns.Import.Shared;

/// <summary>The replication of an imported zone, lists as written in settings; null = not configured.</summary>
internal sealed record ImportedReplication
{
    /// <summary>The servers that a secondary comes from; null = it is a primary.</summary>
    public List<string>? Primaries { get; init; }

    public string? MinRefresh { get; init; }

    public List<string>? AllowTransfer { get; init; }

    public List<string>? AllowNotify { get; init; }

    public List<ImportedUpdateRule>? AllowUpdate { get; init; }

    public List<string>? Notify { get; init; }

    /// <summary>The policy that the zone is signed by; null = none.</summary>
    public string? Dnssec { get; init; }

    /// <summary><c>producer</c> or <c>consumer</c>.</summary>
    public string? Catalog { get; init; }

    /// <summary>The clients that may query zones of a template; null = all. A zone has its own list.</summary>
    public List<string>? Clients { get; init; }

    public string? MemberTemplate { get; init; }

    public string? MemberOf { get; init; }

    public string? Group { get; init; }
}

/// <summary>An element of AllowUpdate.</summary>
/// <param name="Names">Which names; null = all.</param>
/// <param name="Types">Which types; null = all.</param>
internal sealed record ImportedUpdateRule(string From, IReadOnlyList<string>? Names = null,
    IReadOnlyList<string>? Types = null);
