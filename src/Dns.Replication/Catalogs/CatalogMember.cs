using Dns.Protocol;

namespace Dns.Replication;

/// <summary>A zone that a catalog lists (RFC 9432 §4.1).</summary>
/// <param name="Id">The label that stands for it, in lower case: another one for the same zone means that its state is to be reset.</param>
/// <param name="Zone">The zone.</param>
public sealed record CatalogMember(string Id, DomainName Zone)
{
    /// <summary>Its groups (RFC 9432 §4.4.2), in their order.</summary>
    public IReadOnlyList<string> Groups { get; init; } = [];

    /// <summary>The catalog that may take the zone over (RFC 9432 §4.4.1); null = none.</summary>
    public DomainName? NewOwner { get; init; }
}
