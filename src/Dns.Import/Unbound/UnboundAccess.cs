namespace Dns.Import.Unbound;

/// <summary>Unbound's <c>access-control</c>: the longest matching network decides; without one, refused.</summary>
internal sealed class UnboundAccess(ImportDiagnostics diagnostics)
{
    private readonly List<(IPNetwork Network, bool IsAllowed, bool IsLocal)> _entries =
        [(IPNetwork.Parse("127.0.0.0/8"), true, true), (IPNetwork.Parse("::1/128"), true, true)];

    // The first entry of each of these actions.
    private ConfigStatement? _allows, _setsRecursionDesired;

    private ConfigStatement _last = new("", 0, [], null);

    /// <summary>Networks that may query forwarded names.</summary>
    public List<string> Recursion => Networks(entry => entry.IsAllowed);

    /// <summary>Networks that may query served zones.</summary>
    public List<string> Local => Networks(entry => entry.IsLocal);

    public void Add(ConfigStatement entry)
    {
        _last = entry;
        string action = entry.Words.ElementAtOrDefault(2) ?? "";
        bool isLocal = action is "refuse_non_local" or "deny_non_local",
            isAllowed = action is "allow" or "allow_snoop" or "allow_setrd";
        bool isKnown = isLocal || isAllowed || action is "deny" or "refuse" or "allow_cookie";
        if (!ImportedClients.TryReadNsd(entry.Value ?? "", out List<IPNetwork> networks) || !isKnown)
        {
            // Whom it keeps out is not known.
            networks = [IPNetwork.Parse("0.0.0.0/0"), IPNetwork.Parse("::/0")];
            _entries.Clear();
            (isLocal, isAllowed) = (false, false);
            diagnostics.Block(entry, entry.Value ?? "", "access-control: the entries up to this one allow no client",
                ImportLimit.OfImporter);
        }
        if (action == "allow") _allows ??= entry;
        if (action == "allow_setrd") _setsRecursionDesired ??= entry;
        if (action == "allow_cookie")
            diagnostics.Change(entry, entry.Value ?? "",
                "access-control allow_cookie: its clients are left out, cookies are not required here");
        if (action is "deny" or "deny_non_local")
            diagnostics.Change(entry, entry.Value ?? "", "access-control deny: its clients get REFUSED, not silence");
        foreach (IPNetwork network in networks)
        {
            // The later one of two for the same network holds.
            _entries.RemoveAll(other => other.Network.Equals(network));
            _entries.Add((network, isAllowed, isAllowed || isLocal));
        }
    }

    /// <summary>Reports once what becomes of queries without RD.</summary>
    public void ReportRecursionDesired()
    {
        if (_allows is not null)
            diagnostics.Change(_allows, "access-control allow",
                "queries without RD (RD=0) are answered from the cache, Unbound refuses them except with allow_snoop");
        if (_setsRecursionDesired is not null)
            diagnostics.Change(_setsRecursionDesired, "access-control allow_setrd",
                "queries without RD (RD=0) are answered from the cache only, no upstream is queried");
    }

    private List<string> Networks(Func<(IPNetwork Network, bool IsAllowed, bool IsLocal), bool> isLetIn)
    {
        List<string> networks = [];
        foreach (var entry in _entries.OrderBy(entry => entry.Network.PrefixLength))
        {
            string network = ImportedClients.Format(entry.Network);
            // A network within one that is there already adds nothing.
            if (!isLetIn(entry)) networks = ImportedClients.Except(networks, [network], diagnostics, _last)!;
            else if (ImportedClients.Except([network], networks, diagnostics, _last)!.Count > 0) networks.Add(network);
        }
        return networks;
    }
}
