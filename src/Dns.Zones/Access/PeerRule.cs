namespace Dns.Zones.Access;

/// <summary>An element of an access list such as <c>AllowTransfer</c>: addresses, a key, or both together.</summary>
public sealed class PeerRule
{
    private readonly ClientNetworks? _networks;

    /// <summary>Creates a rule.</summary>
    /// <exception cref="ArgumentException">Both are null: a rule for all clients must list all addresses.</exception>
    public PeerRule(IReadOnlyList<IPNetwork>? networks, DomainName? key)
    {
        if (networks is null && key is null) throw new ArgumentException("a rule has an address or a key");
        _networks = networks is null ? null : new ClientNetworks(networks);
        Networks = networks;
        Key = key;
    }

    /// <summary>The required TSIG key; null = none.</summary>
    public DomainName? Key { get; }

    /// <summary>The addresses; null = any.</summary>
    public IReadOnlyList<IPNetwork>? Networks { get; }

    /// <summary>As in the settings, such as <c>192.0.2.0/24 key:k1.</c>; several networks are in braces.</summary>
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
        network.PrefixLength == network.BaseAddress.GetAddressBytes().Length * 8
            ? network.BaseAddress.ToString() : network.ToString();

    /// <summary>Whether a message matches the rule.</summary>
    /// <param name="key">The verified TSIG key; null = unsigned.</param>
    public bool Admits(ref ClientAddress client, TsigKey? key) =>
        (_networks is null || _networks.Contains(ref client)) &&
            (Key is null || key is not null && Key.Equals(key.Name));
}
