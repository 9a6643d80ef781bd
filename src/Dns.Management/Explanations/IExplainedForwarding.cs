namespace Dns.Management.Explanations;

/// <summary>What a feature says in <c>dnsd why</c> of names that other servers answer. It queries none.</summary>
public interface IExplainedForwarding
{
    /// <summary>Whether another client may have another answer.</summary>
    bool DependsOnClient { get; }

    /// <summary>Copies the cached answer to a question; false if there is none.</summary>
    bool TryCopy(scoped Question question, Span<byte> destination, out RelayedAnswer answer);

    /// <summary>Whether another server would be queried.</summary>
    bool WouldQuery(scoped Question question);

    /// <summary>The step of a name.</summary>
    ExplanationStep Describe(
        DomainName name, scoped ref readonly LookupName lookup, RRType type, ClientAddress client);
}
