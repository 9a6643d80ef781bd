using Dns.Protocol;

namespace Dns.Server;

/// <summary>A zone that is served after an import.</summary>
/// <param name="Place">Where it is configured.</param>
/// <param name="Name">Its name.</param>
/// <param name="Text">Its name as it is written.</param>
/// <param name="File">Its file.</param>
/// <param name="Clients">The networks that may ask for it; null = everybody.</param>
internal sealed record ImportedZone(ConfigStatement Place, DomainName Name, string Text, string File, List<string>? Clients);
