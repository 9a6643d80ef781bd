namespace Dns.Import.Bind;

/// <summary>Translates the replication of BIND: lists of servers and peers, and update policies.</summary>
/// <param name="serverOptions">The statements of the servers, with the keys of those that have none in a list.</param>
internal sealed class BindPeers(ImportedSettings settings, BindAddressLists lists, BindServers serverOptions)
{
    private const int MaxServers = 1000, MaxRules = 1000;

    /// <summary>The types of a rule without types, which permits all there but SOA, NS and those of DNSSEC.</summary>
    private static readonly string[] CommonTypes =
        ["A", "AAAA", "CAA", "CNAME", "DHCID", "DNAME", "HTTPS", "MX", "NAPTR", "PTR", "SRV", "SSHFP", "SVCB", "TLSA",
            "TXT", "URI"];

    private readonly Dictionary<string, ConfigStatement> _servers = new(StringComparer.OrdinalIgnoreCase);
    private readonly ImportDiagnostics _diagnostics = settings.Diagnostics;

    /// <summary>Takes keys and named lists of servers, wherever they stand.</summary>
    public void Collect(IEnumerable<ConfigStatement> statements)
    {
        foreach (ConfigStatement statement in statements)
        {
            if (statement is { Key: "key", Block: not null })
                settings.AddKey(statement, statement.Value, statement.Find("algorithm")?.Value,
                    statement.Find("secret")?.Value);
            else if (statement
                is { Key: "primaries" or "masters" or "remote-servers", Value: { } name, Block: not null })
                _servers[name] = statement;
            else if (statement.Key == "view") Collect(statement.Members);
        }
    }

    /// <param name="find">Finds a statement in the zone, its view or the options.</param>
    public ImportedReplication Translate(Func<string, ConfigStatement?> find, string subject, bool isSecondary)
    {
        List<string>? primaries = isSecondary ? ServersOf(find("primaries") ?? find("masters"), subject) : null;
        List<string>? notifiers = find("allow-notify") is { } list && isSecondary ? RulesOf(list, subject) : null;
        return new ImportedReplication
        {
            Primaries = primaries,
            AllowTransfer = find("allow-transfer") is { } transfer ? RulesOf(transfer, subject) : null,
            AllowNotify = primaries is null ? null : NotifiersOf(primaries, notifiers),
            Notify = NotifyOf(find("notify"), find("also-notify"), subject),
            AllowUpdate = isSecondary ? null : UpdatesOf(find("allow-update"), find("update-policy"), subject),
        };
    }

    // There the primaries may notify as well, and without a signature even where transfers have a key.
    private static List<string>? NotifiersOf(List<string> primaries, List<string>? others)
    {
        List<PeerAddress> peers = [];
        foreach (string primary in primaries)
            if (PeerAddressesSetting.TryParse(primary, out PeerAddress? peer)) peers.Add(peer);
        if (others is null && peers.TrueForAll(peer => peer.Key is null)) return null;
        return [.. peers.Select(peer => peer.EndPoint.Address.ToString()).Distinct(), .. others ?? []];
    }

    /// <summary>The primaries of a catalog's members.</summary>
    public List<string> ServersOf(ConfigStatement? list, string subject)
    {
        List<string> servers = [];
        if (list is not null && !lists.IsTooLarge(list, subject, element => _servers.GetValueOrDefault(element.Key)))
            AddServers(servers, list, null, null, subject, 0);
        if (servers.Count <= MaxServers) return servers;
        _diagnostics.Block(list!, subject, $"{list!.Key}: more than {MaxServers} servers, the first are taken",
            ImportLimit.OfServer);
        return servers[..MaxServers];
    }

    private void AddServers(List<string> servers, ConfigStatement list, string? key, int? port,
        string subject, int depth)
    {
        port = PortOf(list) ?? port;
        foreach (ConfigStatement element in list.Members)
        {
            string? own = element.Following("key") ?? key;
            int at = PortOf(element) ?? port ?? ListenSetting.DefaultPort;
            if ((element.Following("tls") ?? list.Following("tls")) is not null and not "none")
                _diagnostics.Block(element, subject,
                    $"{list.Key}: {element.Key} over TLS: it is not queried without encryption");
            else if (_servers.TryGetValue(element.Key, out ConfigStatement? named)
                && depth < BindAddressLists.MaxListDepth)
                AddServers(servers, named, own, PortOf(element) ?? port, subject, depth + 1);
            else if (!ImportedPeers.TryReadServer(element.Key, at, out ImportedAddress server))
                _diagnostics.Block(element, subject, $"{list.Key}: {element.Key} is not the address of a server",
                    ImportLimit.OfImporter);
            else if ((own is null ? serverOptions.KeyOf(server.Address) : element with { Words = ["key", own] })
                is not { } keyOfServer)
                servers.Add(ImportedPeers.Server(server, null));
            else if (settings.KeyRule(keyOfServer, keyOfServer.Value ?? "", subject) is { } rule)
                servers.Add(ImportedPeers.Server(server, rule));
        }
    }

    /// <summary>Peers of a list, never more than there: the first matching element decides, as for clients.</summary>
    public List<string> RulesOf(ConfigStatement list, string subject)
    {
        List<string> rules = [];
        if (list.Following("transport") is { } transport && transport != "tcp" || PortOf(list) is not null)
            _diagnostics.Block(list, subject, $"{list.Key}: limited to a port or transport: no client is allowed",
                ImportLimit.OfServer);
        else if (!lists.IsTooLarge(list, subject, lists.NamedOrExcluded)) AddRules(rules, [], list, subject, 0);
        if (rules.Count <= MaxRules) return rules;
        _diagnostics.Block(list, subject,
            $"{list.Key}: more than {MaxRules} rules: no client is allowed", ImportLimit.OfServer);
        return [];
    }

    /// <returns>False where nothing that follows can be translated.</returns>
    private bool AddRules(List<string> rules, List<string> excluded, ConfigStatement list, string subject, int depth)
    {
        foreach (ConfigStatement element in list.Members)
        {
            if (rules.Count > MaxRules) return false;
            bool isExcluded = element.Key.StartsWith('!');
            ConfigStatement inner = isExcluded ? BindAddressLists.WithoutMark(element) : element;
            if (lists.Named(inner) is { } named && !isExcluded
                && depth < BindAddressLists.MaxListDepth)
            {
                if (!AddRules(rules, [.. excluded], named, subject, depth + 1)) return false;
                // What the inner list keeps out is not kept out behind it.
                continue;
            }
            if (inner.Key == "key" && !isExcluded)
            {
                if (settings.KeyRule(inner, inner.Value ?? "", subject) is { } key)
                    rules.AddRange(ImportedPeers.Rules(
                        ImportedClients.Except(null, excluded, _diagnostics, element)
                            ?? [.. ImportedClients.AllNetworks], key));
                continue;
            }
            BindNetworks found = isExcluded && lists.HasKey(inner)
                ? new BindNetworks([], false) : lists.Resolve(inner, list, isExcluded);
            if (isExcluded && !found.IsWhole)
            {
                string name = BindAddressLists.NameOf(element);
                _diagnostics.Block(element, subject, $"{list.Key}: {name} is not translated, nor what follows it",
                    ImportLimit.OfImporter);
                return false;
            }
            if (isExcluded) excluded.AddRange(found.Networks);
            else rules.AddRange(ImportedClients.Except(found.Networks, excluded, _diagnostics, element)!);
        }
        return true;
    }

    private List<string>? NotifyOf(ConfigStatement? notify, ConfigStatement? also, string subject)
    {
        if (notify is not null && BindStatements.FlagOf(notify) is "no") return [];
        return also is null ? null : ServersOf(also, subject);
    }

    private List<ImportedUpdateRule>? UpdatesOf(ConfigStatement? allowed, ConfigStatement? policy, string subject)
    {
        if (policy?.Block is null && policy is not null)
            _diagnostics.Block(policy, subject,
                $"update-policy {policy.Value}: the key that the server makes for itself is not there");
        if (policy?.Block is not { } grants)
            return allowed is null ? null : [.. RulesOf(allowed, subject).Select(rule => new ImportedUpdateRule(rule))];
        List<ImportedUpdateRule> rules = [];
        foreach (ConfigStatement grant in grants)
        {
            if (grant.Key == "grant" && TranslateGrant(grant, subject) is { } rule) rules.Add(rule);
            else if (grant.Key != "grant")
            {
                _diagnostics.Block(grant, subject,
                    $"update-policy: {grant.Key} is not translated, nor what follows it");
                break;
            }
        }
        return rules;
    }

    private ImportedUpdateRule? TranslateGrant(ConfigStatement grant, string subject)
    {
        string kind = grant.Words.ElementAtOrDefault(2) ?? "", name = grant.Words.ElementAtOrDefault(3) ?? "";
        bool hasName = kind != "zonesub";
        string[]? names = kind switch
        {
            "name" or "wildcard" => [name],
            "subdomain" => [name, "*." + name.TrimStart('.')],
            _ => null,
        };
        if (kind is not ("name" or "wildcard" or "subdomain" or "zonesub"))
        {
            _diagnostics.Block(grant, subject, $"update-policy: {kind} is not translated", ImportLimit.OfServer);
            return null;
        }
        if (settings.KeyRule(grant, grant.Value ?? "", subject) is not { } key) return null;
        string[] words = [.. grant.Words.Skip(hasName ? 4 : 3)];
        if (words.Length == 0)
        {
            _diagnostics.Change(grant, subject, "update-policy: without types, the common ones are listed",
                ImportLimit.OfServer);
            words = CommonTypes;
        }
        return ImportedUpdateTypes.TryRead(_diagnostics, grant, subject, words, out string[]? types)
            ? new ImportedUpdateRule(key, names, types) : null;
    }

    private static int? PortOf(ConfigStatement statement) =>
        ushort.TryParse(statement.Following("port"), out ushort port) && port > 0 ? port : null;
}
