using System.Net;

namespace Dns.Protocol;

/// <summary>One element of a list such as <c>AllowTransfer</c>: an address, a key, or both, and then both must hold.</summary>
public sealed class PeerRule
{
    private readonly ClientNetworks? _networks;

    /// <summary>Makes a rule.</summary>
    /// <param name="networks">The addresses; null = any.</param>
    /// <param name="key">The key that the message must be signed with; null = it need not be signed.</param>
    /// <exception cref="ArgumentException">Neither is given: a rule that everybody fulfils has to name all addresses.</exception>
    public PeerRule(IReadOnlyList<IPNetwork>? networks, DomainName? key)
    {
        if (networks is null && key is null) throw new ArgumentException("a rule has an address or a key");
        _networks = networks is null ? null : new ClientNetworks(networks);
        Key = key;
    }

    /// <summary>The key that the message must be signed with; null = it need not be signed.</summary>
    public DomainName? Key { get; }

    /// <summary>Whether a message fulfils the rule.</summary>
    /// <param name="client">Who sent it.</param>
    /// <param name="key">The key that it is signed with; null if it is not signed.</param>
    public bool Admits(ref ClientAddress client, TsigKey? key) =>
        (_networks is null || _networks.Contains(ref client)) && (Key is null || key is not null && Key.Equals(key.Name));
}
