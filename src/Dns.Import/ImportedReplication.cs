namespace Dns.Import;

/// <summary>
/// The replication of an imported zone, each list as written in settings; null = not configured.
/// </summary>
internal sealed record ImportedReplication
{
    /// <summary>The servers that a secondary comes from; null = it is a primary.</summary>
    public List<string>? Primaries { get; init; }

    /// <summary>Who may transfer.</summary>
    public List<string>? AllowTransfer { get; init; }

    /// <summary>Who may notify.</summary>
    public List<string>? AllowNotify { get; init; }

    /// <summary>Who may update what.</summary>
    public List<ImportedUpdateRule>? AllowUpdate { get; init; }

    /// <summary>Who is notified.</summary>
    public List<string>? Notify { get; init; }

    /// <summary>The policy that the zone is signed by; null = none.</summary>
    public string? Dnssec { get; init; }

    /// <summary><c>producer</c> or <c>consumer</c>.</summary>
    public string? Catalog { get; init; }

    /// <summary>The clients that may query zones of a template; null = all. A zone has its own list.</summary>
    public List<string>? Clients { get; init; }

    /// <summary>The template of the members.</summary>
    public string? MemberTemplate { get; init; }

    /// <summary>The catalog that lists the zone.</summary>
    public string? MemberOf { get; init; }

    /// <summary>Its group there.</summary>
    public string? Group { get; init; }
}

/// <summary>An element of AllowUpdate.</summary>
/// <param name="From">Who.</param>
/// <param name="Names">Which names; null = all.</param>
/// <param name="Types">Which types; null = all.</param>
internal sealed record ImportedUpdateRule(string From, IReadOnlyList<string>? Names = null,
    IReadOnlyList<string>? Types = null);
