namespace Dns.Replication.Catalogs;

/// <summary>A produced catalog.</summary>
/// <param name="Name">Its name, at most 200 octets, which leaves room for member ids.</param>
public sealed record CatalogProducerOptions(DomainName Name)
{
    /// <summary>The maximum length of the name in octets.</summary>
    public const int MaxNameOctets = 200;

    /// <summary>The clients that may query the catalog; null = all.</summary>
    public ClientNetworks? AllowQuery { get; init; }

    /// <summary>The policy of transfers and notifications; null = the server's.</summary>
    public ZonePolicy? Policy { get; init; }
}
