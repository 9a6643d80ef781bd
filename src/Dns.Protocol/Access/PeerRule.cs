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
        Networks = networks;
        Key = key;
    }

    /// <summary>The key that the message must be signed with; null = it need not be signed.</summary>
    public DomainName? Key { get; }

    /// <summary>The addresses; null = any.</summary>
    public IReadOnlyList<IPNetwork>? Networks { get; }

    /// <summary>As in the settings, such as <c>192.0.2.0/24 key:k1.</c>; a list of several networks or none in braces.</summary>
    public override string ToString()
    {
        string? from = Networks switch
        {
            null => null,
            [IPNetwork one] => TextOf(one),
            [{ PrefixLength: 0 }, { PrefixLength: 0 }] => "any",
            [] => "none",
            _ => "{" + string.Join(' ', Networks.Select(TextOf)) + "}",
        };
        return Key is null ? from! : from is null ? $"key:{Key}" : $"{from} key:{Key}";
    }

    private static string TextOf(IPNetwork network) =>
        network.PrefixLength == network.BaseAddress.GetAddressBytes().Length * 8 ? network.BaseAddress.ToString() : network.ToString();

    /// <summary>Whether a message fulfils the rule.</summary>
    /// <param name="client">Who sent it.</param>
    /// <param name="key">The key that it is signed with; null if it is not signed.</param>
    public bool Admits(ref ClientAddress client, TsigKey? key) =>
        (_networks is null || _networks.Contains(ref client)) && (Key is null || key is not null && Key.Equals(key.Name));
}
