namespace Dns.Features.Forwarding;

/// <summary>Changes the local names of a forwarder at runtime.</summary>
/// <param name="Use">Receives the forwarded names; null = local names are off.</param>
internal sealed record LocalNamesSwitch(Action<IReadOnlyList<DomainName>?> Use);
