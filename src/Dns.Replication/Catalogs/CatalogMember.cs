namespace Dns.Replication.Catalogs;

/// <summary>A member of a catalog (RFC 9432 §4.1).</summary>
/// <param name="Id">Its label, in lower case. Another one for the same zone resets the zone's state.</param>
public sealed record CatalogMember(string Id, DomainName Zone)
{
    /// <summary>Its groups (RFC 9432 §4.4.2), in order.</summary>
    public IReadOnlyList<string> Groups { get; init; } = [];

    /// <summary>The catalog that may take over the zone (RFC 9432 §4.4.1); null = none.</summary>
    public DomainName? NewOwner { get; init; }
}
