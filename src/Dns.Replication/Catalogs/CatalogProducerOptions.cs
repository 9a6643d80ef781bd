using Dns.Protocol;
using Dns.Zones;

namespace Dns.Replication;

/// <summary>A catalog that is made here.</summary>
/// <param name="Name">Its name, at most 200 octets, so that there is room for the ids of its members.</param>
public sealed record CatalogProducerOptions(DomainName Name)
{
    /// <summary>The longest name in octets.</summary>
    public const int MaxNameOctets = 200;

    /// <summary>The clients that the catalog is answered to; null = everybody.</summary>
    public ClientNetworks? AllowQuery { get; init; }

    /// <summary>With whom it is exchanged; null = as the server says.</summary>
    public ZonePolicy? Policy { get; init; }
}
