namespace Dns.Dnssec.Validation;

/// <summary>A validator's source of messages: servers, a cache, a simulation.</summary>
public interface IMessageSource
{
    /// <summary>Queries with DO=1, and CD=1 if the other side validates.</summary>
    /// <returns>The whole reply; null = none.</returns>
    byte[]? Query(DomainName name, RRType type);

    /// <summary>Why a query had no reply, for a message after its name and type; empty = unknown.</summary>
    string FindCause(DomainName name, RRType type) => "";
}
