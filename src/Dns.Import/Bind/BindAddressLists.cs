namespace Dns.Import.Bind;

/// <summary>The networks of a list of addresses.</summary>
/// <param name="IsWhole">Whether these are all: excluding an incomplete list would permit more clients.</param>
internal readonly record struct BindNetworks(List<string> Networks, bool IsWhole);

/// <summary>BIND's address lists: named ones, and their meaning as networks. Never permits more than BIND.</summary>
internal sealed class BindAddressLists(ImportDiagnostics diagnostics)
{
    private const int MaxListDepth = 16;
    private readonly Dictionary<string, ConfigStatement> _named = new(StringComparer.OrdinalIgnoreCase);

    /// <summary>Takes a list with a name, <c>acl NAME { … }</c>.</summary>
    public void Add(ConfigStatement acl) => _named[acl.Value!] = acl;

    /// <summary>Whether a list says nothing: it is missing, or <c>{ any; }</c>.</summary>
    public static bool IsAny(ConfigStatement? list) => list?.Members is null or [{ Key: "any" }];

    /// <summary>The clients of a list; null = all, as without one.</summary>
    public List<string>? ClientsOf(ConfigStatement? list) => IsAny(list) ? null : NetworksOf(list!);

    public List<string> NetworksOf(ConfigStatement list) => Resolve(list, 0).Networks;

    /// <summary>Whether a list has clients that its networks lack: elements that are not known, or keys.</summary>
    public bool IsIncomplete(ConfigStatement list) =>
        !Resolve(list, 0).IsWhole || list.Members.Any(member => HasKey(member));

    /// <summary>The networks of a list, and whether they are all that it means.</summary>
    public BindNetworks Resolve(ConfigStatement? list) => IsAny(list)
        ? new BindNetworks([.. ImportedClients.AllNetworks], true) : Resolve(list!, 0);

    /// <summary>The networks of one element of a list that names no other one.</summary>
    public BindNetworks Resolve(ConfigStatement element, ConfigStatement list, bool isExcluded) =>
        ResolveElement(list, element, isExcluded, 0);

    /// <summary>The list that an element stands for: one within the list or a named one; null if neither.</summary>
    public ConfigStatement? Named(ConfigStatement element) =>
        element is { Key: "", Block: not null } ? element : _named.GetValueOrDefault(element.Key);

    /// <summary>Whether an element is a key, or a list that has one.</summary>
    public bool HasKey(ConfigStatement element, int depth = 0) => element.Key.TrimStart('!') == "key"
        || depth < MaxListDepth && (Named(element)?.Members ?? []).Any(member => HasKey(
            member.Key.StartsWith('!') ? WithoutMark(member) : member, depth + 1));

    /// <summary>The first matching element decides: excluded elements are subtracted from all later ones.</summary>
    private BindNetworks Resolve(ConfigStatement list, int depth)
    {
        List<string> networks = [], excluded = [];
        bool isWhole = true;
        foreach (ConfigStatement element in list.Members)
        {
            bool isExcluded = element.Key.StartsWith('!');
            ConfigStatement inner = isExcluded ? WithoutMark(element) : element;
            if (inner.Key == "key")
            {
                // A request with a signature is not answered here at all, so that excluding it changes nothing.
                if (isExcluded) continue;
                diagnostics.Change(element, "", $"{list.Key}: clients are matched by address, not by key");
                continue;
            }
            BindNetworks found = ResolveElement(list, inner, isExcluded, depth);
            if (isExcluded && !found.IsWhole)
            {
                // The rest could permit clients that this excludes.
                diagnostics.Change(element, "", $"{list.Key}: {NameOf(element)} is not translated, nor what follows it",
                    ImportLimit.OfImporter);
                return new BindNetworks(networks, false);
            }
            isWhole &= found.IsWhole;
            if (isExcluded) excluded.AddRange(found.Networks);
            else networks.AddRange(ImportedClients.Except(found.Networks, excluded)!);
        }
        return new BindNetworks(networks, isWhole);
    }

    private BindNetworks ResolveElement(ConfigStatement list, ConfigStatement element, bool isExcluded, int depth)
    {
        switch (element.Key)
        {
            case "any": return new BindNetworks([.. ImportedClients.AllNetworks], true);
            case "none": return new BindNetworks([], true);
            // In BIND it means every address of the machine: too few to exclude, enough to permit.
            case "localhost": return new BindNetworks(["127.0.0.0/8", "::1"], !isExcluded);
        }
        if (depth < MaxListDepth)
        {
            if (element is { Key: "", Block: not null }) return Resolve(element, depth + 1);
            if (_named.TryGetValue(element.Key, out ConfigStatement? named)) return Resolve(named, depth + 1);
        }
        if (TryReadNetwork(element.Key, out _)) return new BindNetworks([Whole(element.Key)], true);
        if (!isExcluded)
            diagnostics.Change(element, "", $"{list.Key}: {NameOf(element)} is not a network, its clients are left out",
                ImportLimit.OfImporter);
        return new BindNetworks([], false);
    }

    /// <summary>An excluded element as if it were not: the mark may stand apart from it, or before a list.</summary>
    public static ConfigStatement WithoutMark(ConfigStatement element)
    {
        string[] words = [.. element.Words];
        words[0] = words[0][1..];
        return element with { Words = words[0].Length > 0 ? words : words[1..] };
    }

    public static string NameOf(ConfigStatement element) =>
        element.Key.Length > 0 ? string.Join(' ', element.Words) : "a list within a list";

    /// <summary>Reads an address or a network.</summary>
    public static bool TryReadNetwork(string text, out IPNetwork network) =>
        // Without match-mapped-addresses no client of IPv4 is in a network of ::ffff:0:0/96 there; here it would be.
        ClientsSetting.TryParse(Whole(text), out network) && !network.BaseAddress.IsIPv4MappedToIPv6;

    /// <summary>A network of IPv4 may be written without the octets that are 0 at its end: <c>10/8</c>.</summary>
    private static string Whole(string network)
    {
        int slash = network.IndexOf('/'), dots = network.Count(character => character == '.');
        bool isShort =
            slash > 0 && dots < 3 && network.All(character => char.IsAsciiDigit(character) || character is '.' or '/');
        return isShort ? network.Insert(slash, string.Concat(Enumerable.Repeat(".0", 3 - dots))) : network;
    }
}
