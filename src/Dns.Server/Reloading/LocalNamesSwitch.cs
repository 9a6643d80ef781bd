using Dns.Protocol;

namespace Dns.Server;

/// <summary>Changes the local names of a forwarder while it runs.</summary>
/// <param name="Use">Takes the names that are forwarded; null = there are no local names.</param>
internal sealed record LocalNamesSwitch(Action<IReadOnlyList<DomainName>?> Use);
