namespace Dns.Import.Bind;

/// <summary>Translates BIND's named.conf: zones with a file, forwarding, addresses, clients and settings.</summary>
internal sealed class BindImport
{
    private readonly ImportedSettings _settings;
    private readonly ImportDiagnostics _diagnostics;
    private readonly BindAddressLists _lists;
    private readonly BindZones _zones;
    private readonly BindPeers _peers;
    private readonly BindServers _servers;
    private readonly BindPolicies _policies;
    private readonly BindOptions _translator;
    private string _directory = "";

    // What holds for the server: the options, and the view when there is only one, which goes before them.
    private List<ConfigStatement> _scopes = [];

    // The first zone that any client may transfer there, and the first that notifies by its NS records.
    private ConfigStatement? _transfersToAny, _notifies;

    // The clients of the last view; null = all.
    private List<string>? _viewClients;

    public BindImport(ImportedSettings settings)
    {
        _settings = settings;
        _diagnostics = settings.Diagnostics;
        _lists = new BindAddressLists(_diagnostics, settings.Machine);
        _servers = new BindServers(_diagnostics);
        _peers = new BindPeers(settings, _lists, _servers);
        _policies = new BindPolicies(settings);
        _zones = new BindZones(settings, _peers, _policies, _servers);
        _translator = new BindOptions(settings, _lists);
    }

    public void Translate(IReadOnlyList<ConfigStatement> statements, string file)
    {
        _directory = Path.GetDirectoryName(Path.GetFullPath(file))!;
        List<ConfigStatement> views = [.. statements.Where(s => s.Key == "view")];
        // Lists and the directory count wherever they stand.
        foreach (ConfigStatement list in statements.Where(s => s is { Key: "acl", Value: not null })) _lists.Add(list);
        _scopes = [.. statements.Where(s => s.Key == "options")];
        if (Find("directory")?.Value is { } directory) _directory = Path.GetFullPath(directory, _directory);
        if (views.Count == 1) _scopes.Add(views[0]);
        _zones.Directory = _directory;
        _settings.IncludeFolder = _directory;
        _peers.Collect(statements);
        _policies.Collect(statements);
        _servers.Enter(statements, views.Count == 1 ? views[0] : null);
        foreach (ConfigStatement catalog in Find("catalog-zones")?.Members ?? [])
            if (catalog is { Key: "zone", Value: { } name }) _zones.Catalogs[name.TrimEnd('.')] = catalog;
        foreach (ConfigStatement statement in statements) TranslateStatement(statement);
        TranslateViews(views, statements);
        if (views.Count <= 1) TranslateRecursion(statements);
        // No zone is made in place of one whose names are only forwarded.
        if (Find("forward") is { Value: "only" } only && _settings.IsForwardingAll)
            _settings.Set(only, "Recursion:LocalNames", false);
        _translator.TranslateLogging(statements, _directory);
        ReportTransfers();
        // Each family by itself is listened to everywhere unless something is said of it.
        foreach ((string key, IPAddress any) in new[] { ("listen-on", IPAddress.Any),
            ("listen-on-v6", IPAddress.IPv6Any) })
            if (Find(key) is null) _settings.AddListen(_scopes.FirstOrDefault() ?? new(file, 0, [], null),
                new ImportedAddress(any, "", Port()));
    }

    private void TranslateRecursion(IReadOnlyList<ConfigStatement> statements)
    {
        ConfigStatement? statement = statements.FirstOrDefault(s => s.Key == "options") ?? _zones.FirstPrimary;
        new BindRecursion(_settings, _lists, Blackhole().Networks).Translate(Find, statement, HintOf(statements));
        // Who is not a client of the only view is not answered at all.
        if (_viewClients is not null) _settings.AllowFrom = ImportedClients.Both(_settings.AllowFrom, _viewClients);
        if (!Blackhole().IsWhole) _settings.AllowFrom = [];
    }

    private ConfigStatement? Find(string key) =>
        _scopes.AsEnumerable().Reverse().Select(scope => scope.Find(key)).FirstOrDefault(found => found is not null);

    private int Port() =>
        ImportedAddress.TryParsePort(Find("port")?.Value, out int port) ? port : ListenSetting.DefaultPort;

    private static ConfigStatement? HintOf(IReadOnlyList<ConfigStatement> statements) => statements
        .Concat(statements.Where(s => s.Key == "view").SelectMany(view => view.Members))
        .FirstOrDefault(s => s is { Key: "zone", Value: "." } && s.Find("type")?.Value == "hint");

    private void TranslateStatement(ConfigStatement statement)
    {
        switch (statement.Key)
        {
            case "acl" or "view" or "logging" or "key" or "primaries" or "masters" or "remote-servers":
                break;
            case "options":
                foreach (ConfigStatement option in statement.Members) TranslateOption(option, "options");
                break;
            case "zone":
                AddZone(statement, null, null);
                break;
            case "server":
                _servers.Report(statement);
                break;
            case "statistics-channels":
                _translator.TranslateStatistics(statement);
                break;
            default:
                if (!BindStatements.Top.Has(statement.Key) && HasZones(statement))
                    _diagnostics.Block(statement, $"{statement.Key} {statement.Value}".TrimEnd(),
                        "not known: its zones are not translated", ImportLimit.OfImporter);
                else BindStatements.Top.Report(_diagnostics, statement, statement.Value ?? "");
                break;
        }
    }

    private static bool HasZones(ConfigStatement statement) =>
        statement.Members.Any(member => member.Key == "zone" || HasZones(member));

    private void TranslateOption(ConfigStatement option, string subject)
    {
        switch (option.Key)
        {
            case "listen-on": TranslateListen(option, IPAddress.Any); break;
            case "listen-on-v6": TranslateListen(option, IPAddress.IPv6Any); break;
            case "forwarders": _settings.AddForward(option, ".", _zones.UpstreamsOf(option)); break;
            default:
                if (!_translator.TryTranslate(option)) BindStatements.Report(_diagnostics, option, subject);
                break;
        }
    }

    private void TranslateListen(ConfigStatement option, IPAddress any)
    {
        // Its queries come encrypted, or with a header before them: served here in the clear, they would be something
        // else.
        bool isTls = option.Words.Contains("tls") && option.Following("tls") != "none";
        bool isProxied = option.Words.Contains("proxy");
        if (isTls || option.Words.Contains("http") || isProxied)
        {
            _diagnostics.Block(option, string.Join(' ', option.Words), isProxied
                ? "a proxy: Dns:Proxy:From takes its networks" : "TLS and HTTPS are not served",
                isProxied ? ImportLimit.OfImporter : ImportLimit.OfServer);
            return;
        }
        int port = Port();
        if (option.Words.Contains("port") && !ImportedAddress.TryParsePort(option.Following("port"), out port))
        {
            _diagnostics.Block(option, option.Key, "not a port", ImportLimit.OfImporter);
            return;
        }
        foreach (ImportedAddress address in _lists.ListenersOf(option, any, port)) _settings.AddListen(option, address);
    }

    /// <summary>
    /// The zones of a view are for its clients: those that its list has, and no view before it. Of a zone in several
    /// views the first is taken. A single view is the server.
    /// </summary>
    private void TranslateViews(List<ConfigStatement> views, IReadOnlyList<ConfigStatement> statements)
    {
        List<string> before = [];
        bool isWhole = true;
        foreach (ConfigStatement view in views)
        {
            string subject = $"view {view.Value}";
            BindNetworks clients = _lists.Resolve(view.Find("match-clients"));
            List<string>? own = ImportedClients.Except(
                _lists.ClientsOf(view.Find("match-clients")), before, _diagnostics, view);
            // Who of those is for a view before this one cannot be said.
            if (!isWhole) own = [];
            if (!isWhole) _diagnostics.Block(view, subject,
                "the clients of a view before it are not known: its zones answer no client", ImportLimit.OfImporter);
            foreach (string key in new[] { "match-destinations", "match-recursive-only" })
                if (view.Find(key) is { } narrow && !BindAddressLists.IsAny(narrow) &&
                    narrow.Value is not ("no" or "false" or "0"))
                {
                    own = [];
                    _diagnostics.Block(narrow, subject, $"{key}: its zones answer no client");
                }
            if (views.Count > 1)
                _diagnostics.Change(view, subject, "views: each zone is served once, to the clients of its view");
            _servers.Enter(statements, view);
            foreach (ConfigStatement inner in view.Members) TranslateInView(inner, view, own, views.Count == 1);
            _viewClients = own;
            before.AddRange(clients.Networks);
            isWhole &= clients.IsWhole;
        }
        if (views.Count > 1) BlockRecursionOfViews(views);
    }

    private void TranslateInView(ConfigStatement inner, ConfigStatement view, List<string>? clients, bool isOnly)
    {
        string subject = $"view {view.Value}";
        if (inner.Key == "zone") AddZone(inner, view, clients);
        else if (inner.Key == "server") _servers.Report(inner);
        else if (inner.Key is "match-clients" or "match-destinations" or "match-recursive-only") return;
        else if (isOnly) TranslateOption(inner, subject);
        else if (inner.Key is "forwarders" or "recursion" or "allow-recursion" or "allow-query-cache") return;
        else BindStatements.Report(_diagnostics, inner, subject);
    }

    /// <summary>There is one set of clients and upstreams here: views with recursion cannot be distinguished.</summary>
    private void BlockRecursionOfViews(List<ConfigStatement> views)
    {
        _settings.AllowFrom = [];
        foreach (ConfigStatement view in views)
        {
            ConfigStatement? recursion = view.Find("recursion") ?? Find("recursion");
            if (BindRecursion.IsNo(recursion)) continue;
            _diagnostics.Block(recursion ?? view, $"view {view.Value}",
                "recursion differs by view: forwarding is allowed for no client");
        }
    }

    private void AddZone(ConfigStatement zone, ConfigStatement? view, List<string>? clients)
    {
        ConfigStatement? Of(string key) => zone.Find(key) ?? view?.Find(key) ?? Find(key);
        ConfigStatement? OfScope(string key) => view?.Find(key) ?? Find(key);
        BindScope? members = _zones.IsCatalog(zone.Value) ? new(ClientsOf(zone, clients, OfScope), OfScope) : null;
        _zones.Translate(zone, ClientsOf(zone, clients, Of), Of, members);
        bool isIn = zone.Words.Count <= 2 || zone.Words[2].Equals("IN", StringComparison.OrdinalIgnoreCase);
        if (!isIn || zone.Find("type")?.Value is not ("primary" or "master" or "secondary" or "slave")) return;
        if (Of("allow-transfer") is null) _transfersToAny ??= zone;
        bool isSecondary = zone.Find("type")?.Value is "secondary" or "slave";
        if (!isSecondary && Of("notify")?.Value is not ("no" or "false" or "0" or "explicit")) _notifies ??= zone;
    }

    /// <summary>Who may query a zone: those of its view in <c>allow-query</c>.</summary>
    private List<string>? ClientsOf(ConfigStatement zone, List<string>? ofView, Func<string, ConfigStatement?> find)
    {
        ConfigStatement? list = find("allow-query");
        List<string>? listed = _lists.ClientsOf(list);
        if (listed is [] && _lists.IsIncomplete(list!))
            _diagnostics.Block(list!, $"zone {zone.Value}", "allow-query: none of its clients is translated",
                ImportLimit.OfImporter);
        List<string>? clients = ImportedClients.Both(ofView, listed);
        if (Blackhole().IsWhole && BindAddressLists.IsAny(find("allow-query-on")))
            return ImportedClients.Except(clients, Blackhole().Networks, _diagnostics, zone);
        _diagnostics.Block((!Blackhole().IsWhole ? Find("blackhole") : find("allow-query-on"))!, $"zone {zone.Value}",
            "its access control is not translated: no client is allowed", ImportLimit.OfImporter);
        return [];
    }

    private BindNetworks Blackhole() =>
        Find("blackhole") is { } list ? _lists.Resolve(list) : new BindNetworks([], true);

    /// <summary>By default BIND permits transfers to all, and sends NOTIFY to the servers in NS records.</summary>
    private void ReportTransfers()
    {
        if (_transfersToAny is not null)
            _diagnostics.Change(_transfersToAny, "",
                "zone transfers, which BIND allows for all clients by default: list the clients in Dns:AllowTransfer");
        if (_notifies is not null)
            _diagnostics.Change(_notifies, "",
                "NOTIFY to the servers of the NS records: Dns:Notify lists servers by address");
    }
}
