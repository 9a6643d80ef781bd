namespace Dns.Configuration.Options;

/// <summary>What a zone is as a catalog zone (RFC 9432): <c>Catalog</c> of a zone.</summary>
public enum CatalogRole : byte
{
    /// <summary>No catalog.</summary>
    None,

    /// <summary>This server makes it of the zones with <c>MemberOf</c>.</summary>
    Producer,

    /// <summary>This server serves the zones that it lists.</summary>
    Consumer,
}
