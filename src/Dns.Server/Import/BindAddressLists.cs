namespace Dns.Server;

/// <summary>BIND's lists of addresses: those with a name, and what one means as networks. Never more than BIND would let in.</summary>
internal sealed class BindAddressLists(ImportNotes notes)
{
    private const int MaxListDepth = 16;
    private readonly Dictionary<string, ConfigStatement> _named = new(StringComparer.Ordinal);

    /// <summary>Takes a list with a name, <c>acl NAME { … }</c>.</summary>
    public void Add(ConfigStatement acl) => _named[acl.Value!] = acl;

    /// <summary>The clients of a list; null = everybody, as without one.</summary>
    public List<string>? ClientsOf(ConfigStatement? list) => list?.Members is null or [{ Key: "any" }] ? null : NetworksOf(list);

    /// <summary>The networks of a list.</summary>
    public List<string> NetworksOf(ConfigStatement list) => NetworksOf(list, 0);

    private List<string> NetworksOf(ConfigStatement list, int depth)
    {
        List<string> networks = [];
        foreach (ConfigStatement element in list.Members)
        {
            if (element.Key == "any") networks.AddRange(["0.0.0.0/0", "::/0"]);
            else if (element.Key == "localhost") networks.AddRange(["127.0.0.0/8", "::1"]);
            else if (element.Key == "none") continue;
            else if (element.Key.StartsWith('!'))
            {
                // What follows could let in whom this keeps out: the first that fits decides.
                notes.Add(element, $"{element.Key} is not translated, nor what follows it");
                break;
            }
            else if (_named.TryGetValue(element.Key, out ConfigStatement? named) && depth < MaxListDepth)
                networks.AddRange(NetworksOf(named, depth + 1));
            else if (ClientsSetting.TryParse(Whole(element.Key), out _)) networks.Add(Whole(element.Key));
            else notes.Add(element, $"{(element.Key.Length > 0 ? element.Key : "a list within a list")} is not a network");
        }
        return networks;
    }

    /// <summary>A network of IPv4 may be written without the octets that are 0 at its end: <c>10/8</c>.</summary>
    private static string Whole(string network)
    {
        int slash = network.IndexOf('/'), dots = network.Count(character => character == '.');
        bool isShort = slash > 0 && dots < 3 && network.All(character => char.IsAsciiDigit(character) || character is '.' or '/');
        return isShort ? network.Insert(slash, string.Concat(Enumerable.Repeat(".0", 3 - dots))) : network;
    }
}
