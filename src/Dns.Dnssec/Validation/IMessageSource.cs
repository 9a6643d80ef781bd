using Dns.Protocol;

namespace Dns.Dnssec;

/// <summary>Where a validator has messages from: servers, a cache, a simulation.</summary>
public interface IMessageSource
{
    /// <summary>Asks with DO=1, and CD=1 where the other side validates.</summary>
    /// <param name="name">The name.</param>
    /// <param name="type">The type.</param>
    /// <returns>The whole reply; null = there is none.</returns>
    byte[]? Ask(DomainName name, RRType type);
}
