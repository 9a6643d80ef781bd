namespace Dns.Import.Shared;

/// <summary>A zone that is served after an import.</summary>
/// <param name="Text">Its name as it is written.</param>
/// <param name="File">Its file; null for a secondary, and for a catalog that is made here.</param>
/// <param name="Clients">The networks that may query it; null = all.</param>
internal sealed record ImportedZone(
    ConfigStatement Statement, DomainName Name, string Text, string? File, List<string>? Clients,
    ImportedReplication Replication);
