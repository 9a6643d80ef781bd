namespace Dns.Import.Bind;

/// <summary>The networks of a list of addresses.</summary>
/// <param name="IsWhole">Whether these are all: excluding an incomplete list would permit more clients.</param>
internal readonly record struct BindNetworks(List<string> Networks, bool IsWhole);

/// <summary>BIND's address lists: named ones, and their meaning as networks. Never permits more than BIND.</summary>
/// <param name="machine">The addresses of the machine.</param>
internal sealed class BindAddressLists(ImportDiagnostics diagnostics, IReadOnlyList<ImportedAddress> machine)
{
    public const int MaxListDepth = 16;

    private const int MaxElements = 100_000;

    // The single addresses of a list of those to listen on, with the interface of each; null = a list of clients.
    private Dictionary<IPAddress, string>? _listed;
    private readonly Dictionary<string, ConfigStatement> _named = new(StringComparer.OrdinalIgnoreCase);

    /// <summary>Takes a list with a name, <c>acl NAME { … }</c>.</summary>
    public void Add(ConfigStatement acl) => _named[acl.Value!] = acl;

    /// <summary>Whether a list says nothing: it is missing, or <c>{ any; }</c>.</summary>
    public static bool IsAny(ConfigStatement? list) => list?.Members is null or [{ Key: "any" }];

    /// <summary>The clients of a list; null = all, as without one.</summary>
    public List<string>? ClientsOf(ConfigStatement? list) => IsAny(list) ? null : NetworksOf(list!);

    public List<string> NetworksOf(ConfigStatement list) => ResolveWhole(list).Networks;

    /// <summary>
    /// The addresses to listen on of a list: those of the machine that it permits, of which <c>localhost</c> and
    /// <c>localnets</c> are all. Also single addresses that are not of this machine.
    /// </summary>
    /// <param name="any">The wildcard address of the family.</param>
    public List<ImportedAddress> ListenersOf(ConfigStatement list, IPAddress any, int port)
    {
        Dictionary<IPAddress, string> listed = _listed = [];
        List<string> networks = ResolveWhole(list).Networks;
        _listed = null;
        List<ImportedAddress> listeners = [];
        bool isOfNow = false;
        foreach (string text in networks)
        {
            IPNetwork network = ImportedClients.Parse(text);
            if (network.BaseAddress.AddressFamily != any.AddressFamily) continue;
            if (network.PrefixLength == 0) listeners.Add(new ImportedAddress(any, "", port));
            else if (!text.Contains('/') && listed.TryGetValue(network.BaseAddress, out string? scope))
                listeners.Add(new ImportedAddress(network.BaseAddress, scope, port));
            else
            {
                isOfNow = true;
                listeners.AddRange(machine.Where(own => network.Contains(own.Address))
                    .Select(own => own with { Port = port }));
            }
        }
        if (isOfNow)
            diagnostics.Change(list, "",
                $"{list.Key}: the addresses of this machine that it permits are listed as they are now",
                ImportLimit.OfImporter);
        return listeners;
    }

    /// <summary>Whether a list has clients that its networks lack: elements that are not known, or keys.</summary>
    public bool IsIncomplete(ConfigStatement list) =>
        !ResolveWhole(list).IsWhole || list.Members.Any(member => HasKey(member));

    /// <summary>The networks of a list, and whether they are all that it means.</summary>
    public BindNetworks Resolve(ConfigStatement? list) => IsAny(list)
        ? new BindNetworks([.. ImportedClients.AllNetworks], true) : ResolveWhole(list!);

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

    /// <summary>
    /// Whether a list has too many elements, which is reported: those of a named list count wherever it is named.
    /// </summary>
    /// <param name="named">Finds the list that an element stands for; null = none.</param>
    public bool IsTooLarge(ConfigStatement list, string subject, Func<ConfigStatement, ConfigStatement?> named)
    {
        int left = MaxElements;
        Count(list, 0);
        if (left < 0) diagnostics.Block(list, subject, $"{list.Key}: too large: it is not translated",
            ImportLimit.OfImporter);
        return left < 0;

        void Count(ConfigStatement within, int depth)
        {
            foreach (ConfigStatement element in within.Members)
            {
                if (--left < 0) return;
                if (depth < MaxListDepth && named(element) is { } inner) Count(inner, depth + 1);
            }
        }
    }

    private BindNetworks ResolveWhole(ConfigStatement list) => IsTooLarge(list, "", NamedOrExcluded)
        ? new BindNetworks([], false) : Resolve(list, 0);

    /// <summary>The list that an element stands for, also one that is excluded.</summary>
    public ConfigStatement? NamedOrExcluded(ConfigStatement element) =>
        Named(element.Key.StartsWith('!') ? WithoutMark(element) : element);

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
            else if (ImportedClients.TryExcept(found.Networks, excluded, out List<string>? rest)
                && networks.Count + rest!.Count <= ImportedClients.MaxNetworks) networks.AddRange(rest);
            else
            {
                diagnostics.Block(element, "", $"{list.Key}: too large: {NameOf(element)} is not translated, nor what "
                    + "follows it", ImportLimit.OfImporter);
                return new BindNetworks(networks, false);
            }
        }
        return new BindNetworks(networks, isWhole);
    }

    private BindNetworks ResolveElement(ConfigStatement list, ConfigStatement element, bool isExcluded, int depth)
    {
        switch (element.Key)
        {
            case "any": return new BindNetworks([.. ImportedClients.AllNetworks], true);
            case "none": return new BindNetworks([], true);
            case "localhost" or "localnets" when _listed is not null:
                return new BindNetworks([.. ImportedClients.AllNetworks], true);
            case "localhost": return new BindNetworks(MachineOf(element), true);
        }
        if (depth < MaxListDepth)
        {
            if (element is { Key: "", Block: not null }) return Resolve(element, depth + 1);
            if (_named.TryGetValue(element.Key, out ConfigStatement? named)) return Resolve(named, depth + 1);
        }
        if (TryReadNetwork(element.Key, out IPNetwork network))
        {
            if (ImportedAddress.TryParse(element.Key, 0, out ImportedAddress one)) _listed?[one.Address] = one.Scope;
            return new BindNetworks([ImportedClients.Format(network)], true);
        }
        if (_listed is not null)
            diagnostics.Block(element, NameOf(element), "not an address to listen on", ImportLimit.OfImporter);
        else if (!isExcluded)
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

    /// <summary>The addresses of the machine as networks: loopback, and the others.</summary>
    public List<string> MachineOf(ConfigStatement at)
    {
        string[] others =
            [.. machine.Where(own => !IPAddress.IsLoopback(own.Address)).Select(own => own.Address.ToString())];
        if (others.Length > 0)
            diagnostics.Change(at, "", "localhost: the addresses of this machine are listed as they are now",
                ImportLimit.OfImporter);
        return ["127.0.0.0/8", "::1", .. others.Distinct()];
    }

    /// <summary>Reads an address, which may have a scope, or a network.</summary>
    public static bool TryReadNetwork(string text, out IPNetwork network)
    {
        if (text.Contains('%') && ImportedAddress.TryParse(text, 0, out ImportedAddress scoped))
            text = scoped.Address.ToString();
        // Without match-mapped-addresses no client of IPv4 is in a network of ::ffff:0:0/96 there; here it would be.
        return ClientsSetting.TryParse(Whole(text), out network) && !network.BaseAddress.IsIPv4MappedToIPv6;
    }

    /// <summary>A network of IPv4 may be written without the octets that are 0 at its end: <c>10/8</c>.</summary>
    private static string Whole(string network)
    {
        int slash = network.IndexOf('/'), dots = network.Count(character => character == '.');
        bool isShort =
            slash > 0 && dots < 3 && network.All(character => char.IsAsciiDigit(character) || character is '.' or '/');
        return isShort ? network.Insert(slash, string.Concat(Enumerable.Repeat(".0", 3 - dots))) : network;
    }
}
