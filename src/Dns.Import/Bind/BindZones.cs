namespace Dns.Import.Bind;

/// <summary>Translates the zones of named.conf.</summary>
internal sealed class BindZones(
    ImportedSettings settings, BindPeers peers, BindPolicies policies, BindServers serverOptions)
{
    private readonly ImportDiagnostics _diagnostics = settings.Diagnostics;

    /// <summary>The folder that file names are relative to.</summary>
    public string Directory { get; set; } = "";

    /// <summary>The first zone that is served from a file; null = none.</summary>
    public ConfigStatement? FirstPrimary { get; private set; }

    /// <param name="clients">The clients that may query it; null = all.</param>
    /// <param name="members">What the members inherit; null = the zone is no catalog.</param>
    public void Translate(ConfigStatement zone, List<string>? clients, Func<string, ConfigStatement?> find,
        BindScope? members)
    {
        string name = zone.Value ?? "", subject = $"zone {name}";
        if (zone.Words.Count > 2 && !zone.Words[2].Equals("IN", StringComparison.OrdinalIgnoreCase))
        {
            _diagnostics.Change(zone, subject, $"class {zone.Words[2].ToUpperInvariant()}: only IN is served");
            return;
        }
        string kind = zone.Find("type")?.Value ?? "";
        switch (kind)
        {
            case "primary" or "master":
                AddPrimary(zone, name, clients, find, ReplicationOf(name, find, members, isSecondary: false));
                break;
            case "secondary" or "slave":
                settings.AddZone(zone, name, null, clients,
                    ReplicationOf(name, find, members, isSecondary: true) with
                    {
                        MinRefresh = MinRefreshOf(zone, find),
                    });
                if (zone.Find("file") is { } copy)
                    _diagnostics.Remark(copy, subject, "file: its copy is kept in Dns:StateDirectory");
                break;
            case "forward":
                AddForward(zone, name, zone.Find("forwarders"));
                break;
            case "static-stub" or "stub":
                if (AddForward(zone, name,
                    zone.Find("server-addresses") ?? zone.Find("primaries") ?? zone.Find("masters")))
                    _diagnostics.Change(zone, subject,
                        $"type {kind}: its servers are queried as upstreams (RD=1), their referrals are not followed");
                break;
            case "hint":
                _diagnostics.Remark(zone, subject,
                    "hints of the root are not needed: names are forwarded, not resolved here");
                return;
            case "" when zone.Find("in-view")?.Value is { } view:
                _diagnostics.Block(zone, subject, "in-view: a zone has one list of clients", ImportLimit.OfImporter);
                return;
            case "delegation-only":
                _diagnostics.Change(zone, subject, "type delegation-only");
                break;
            default:
                _diagnostics.Block(zone, subject, $"type {kind}: " + (kind is "mirror" or "redirect"
                    ? "zones are served from files, or as secondaries" : "not known"));
                return;
        }
        foreach (ConfigStatement member in zone.Members)
            if (member.Key
                is not ("type" or "file" or "allow-query" or "allow-query-on" or "forwarders" or "server-addresses"
                or "primaries" or "masters" or "in-view" or "allow-transfer" or "also-notify" or "notify"
                or "allow-notify"
                or "allow-update" or "update-policy" or "masterfile-format")
                && (member.Key != "min-refresh-time" || kind is not ("secondary" or "slave")))
                BindStatements.Report(_diagnostics, member, subject);
    }

    /// <summary>MinRefresh of a zone that has its own; null = that of the options.</summary>
    private string? MinRefreshOf(ConfigStatement zone, Func<string, ConfigStatement?> find) =>
        ImportedTimers.MinRefreshOf(settings, zone.Find("min-refresh-time"), find("min-retry-time"),
            $"zone {zone.Value}", usual: "");

    /// <summary>The catalogs that are consumed: the statement that says so of each.</summary>
    public Dictionary<string, ConfigStatement> Catalogs { get; } = new(StringComparer.OrdinalIgnoreCase);

    public bool IsCatalog(string? name) => name is not null && Catalogs.ContainsKey(name.TrimEnd('.'));

    private ImportedReplication ReplicationOf(string name, Func<string, ConfigStatement?> find, BindScope? members,
        bool isSecondary)
    {
        string subject = $"zone {name}";
        ImportedReplication replication =
            peers.Translate(find, subject, isSecondary) with { Dnssec = policies.PolicyOf(find, subject) };
        if (members is null || !Catalogs.TryGetValue(name.TrimEnd('.'), out ConfigStatement? catalog))
            return replication;
        bool hasPrimaries = catalog.Words.Any(word => word is "default-primaries" or "default-masters");
        if (!hasPrimaries && !isSecondary)
        {
            _diagnostics.Block(catalog, subject,
                "catalog-zones: without default-primaries the members of a file come from nowhere");
            return replication;
        }
        ImportedReplication template = peers.Translate(
            key => key is "primaries" && hasPrimaries ? catalog : members.Find(key), $"members of {name}",
            isSecondary: true);
        // Without primaries of their own members come from those of the catalog, which may notify.
        if (!hasPrimaries) template = template with { Primaries = null, AllowNotify = null };
        settings.AddTemplate(catalog, name, template with { Clients = members.Clients });
        return replication with { Dnssec = null, Catalog = "consumer", MemberTemplate = name };
    }

    private void AddPrimary(ConfigStatement zone, string name, List<string>? clients,
        Func<string, ConfigStatement?> find, ImportedReplication replication)
    {
        string? file = zone.Find("file")?.Value;
        FirstPrimary ??= zone;
        string? path = file is null ? null : Path.GetFullPath(file, Directory);
        settings.AddZone(zone, name, path, clients, replication);
        if (path is not null) ReportJournal(zone, name, zone.Find("journal"), path);
        if (find("masterfile-format") is { Value: not "text" } format)
            _diagnostics.Block(format, $"zone {name}",
                "masterfile-format: zone files are text; named-compilezone writes it");
    }

    /// <summary>BIND keeps updates in a journal, and writes them into the file much later.</summary>
    private void ReportJournal(ConfigStatement zone, string name, ConfigStatement? statement, string path)
    {
        string journal = statement?.Value is { } own ? Path.GetFullPath(own, Directory) : path + ".jnl";
        if (File.Exists(journal))
            _diagnostics.Block(statement ?? zone, $"zone {name}: {journal}",
                "its journal may have changes that its file lacks: \"rndc sync -clean ZONE\" writes them into it",
                ImportLimit.None);
    }

    private bool AddForward(ConfigStatement zone, string name, ConfigStatement? servers)
    {
        List<string> upstreams = servers is null ? [] : UpstreamsOf(servers);
        if (servers is null || upstreams.Count == 0)
            _diagnostics.Block(servers ?? zone, $"zone {name}",
                "no servers to ask: names below a forwarded zone are forwarded");
        else settings.AddForward(zone, name, upstreams);
        return upstreams.Count > 0;
    }

    /// <summary>
    /// The servers of a list, with its port and their own. What is asked over TLS there is not asked in the clear here.
    /// </summary>
    public List<string> UpstreamsOf(ConfigStatement list)
    {
        List<string> upstreams = [];
        foreach (ConfigStatement element in list.Members)
        {
            if (element.Following("tls") is not null and not "none" ||
                list.Following("tls") is not null and not "none")
            {
                _diagnostics.Block(element, element.Key,
                    "an upstream over TLS: it is not queried without encryption");
                continue;
            }
            int port = ListenSetting.DefaultPort;
            string? written = element.Following("port") ?? list.Following("port");
            if (written is not null && !ImportedAddress.TryParsePort(written, out port)
                || !ImportedAddress.TryParse(element.Key, port, out ImportedAddress upstream))
            {
                _diagnostics.Block(element, element.Key, "not the address of an upstream", ImportLimit.OfImporter);
                continue;
            }
            if (!upstreams.Contains(upstream.ToString())) upstreams.Add(upstream.ToString());
            if (serverOptions.KeyOf(upstream.Address) is { } key)
                _diagnostics.Block(key, element.Key, "the key of a server: upstreams are queried without keys");
        }
        return upstreams;
    }
}
