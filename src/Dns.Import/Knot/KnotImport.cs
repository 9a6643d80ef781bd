using System.Text.RegularExpressions;

namespace Dns.Import.Knot;

/// <summary>Translates Knot DNS's knot.conf: zones with their files by template, addresses, limits.</summary>
internal sealed partial class KnotImport(ImportedSettings settings)
{
    private const string DefaultStorage = "/var/lib/knot";
    private const string DefaultTemplate = "default";
    private const string QueryList = "mod-queryacl";
    private readonly Dictionary<string, ConfigStatement> _templates = new(StringComparer.Ordinal);
    private readonly Dictionary<string, ConfigStatement> _modules = new(StringComparer.Ordinal);
    private readonly KnotModules _translator = new(settings);
    private readonly KnotPeers _peers = new(settings);
    private readonly KnotPolicies _policies = new(settings);

    public void Translate(IReadOnlyList<ConfigStatement> sections)
    {
        sections = KnotKeywords.Read(sections, settings.Diagnostics);
        foreach (ConfigStatement section in sections)
            if (section.Find("id")?.Value is { } id)
                (section.Key == "template" ? _templates : _modules)[section.Key == "template"
                    ? id : $"{section.Key}/{id}"] = section;
        _peers.Collect(sections);
        _policies.Collect(sections);
        foreach (ConfigStatement section in sections)
        {
            if (section.Key == "server") TranslateServer(section);
            else if (section.Key == "zone") TranslateZone(section);
            else if (section.Key == "remote")
                foreach (ConfigStatement member in section.Members)
                    ReportUnlessOff(KnotStatements.Remote, member, $"remote {section.Find("id")?.Value}");
            else if (!section.Key.StartsWith("mod-", StringComparison.Ordinal))
                KnotStatements.Sections.Report(settings.Diagnostics, section, section.Find("id")?.Value ?? "");
        }
        if (_templates.GetValueOrDefault(DefaultTemplate)?.Find("global-module") is { } global) TranslateModules(global,
            "all zones", isGlobal: true);
    }

    /// <summary>Translates the modules of a list but those that say who may ask, which belong to a zone.</summary>
    private void TranslateModules(ConfigStatement list, string subject, bool isGlobal)
    {
        foreach (string module in list.Words.Skip(1).Where(module => !IsQueryList(module)))
            _translator.Translate(list, module, _modules.GetValueOrDefault(module), subject, isGlobal);
    }

    /// <summary>Adds addresses in the form <c>ADDRESS@PORT</c>.</summary>
    private void Listen(ConfigStatement statement)
    {
        foreach (string word in statement.Words.Skip(1))
        {
            string[] parts = word.Split('@');
            int port = ListenSetting.DefaultPort;
            if (parts.Length > 2 || parts.Length == 2 && !ImportedAddress.TryParsePort(parts[1], out port))
                settings.Diagnostics.Block(statement, word, "not an address to listen on", ImportLimit.OfImporter);
            else settings.AddListen(statement, parts[0], port);
        }
    }

    private void TranslateServer(ConfigStatement server)
    {
        foreach (ConfigStatement member in server.Members)
        {
            switch (member.Key)
            {
                case "listen": Listen(member); break;
                case "nsid" when member.Value?.StartsWith("0x", StringComparison.OrdinalIgnoreCase) == true:
                    settings.SetHex(member, "Identity", member.Value["0x".Length..]);
                    break;
                case "identity" or "nsid": settings.SetText(member, "Identity", member.Value); break;
                case "version": settings.SetText(member, "Version", member.Value); break;
                case "udp-max-payload" or "udp-max-payload-ipv4" or "udp-max-payload-ipv6":
                    settings.SetSmallest(member, "MaxUdpPayload", 512, 65535);
                    break;
                case "udp-workers": settings.SetNumber(member, "Workers", 0, 1024); break;
                case "tcp-max-clients": settings.SetNumber(member, "Tcp:MaxConnections", 1, 1_000_000); break;
                case "tcp-idle-timeout": settings.SetSeconds(member, "Tcp:IdleTimeoutSeconds", 1, 6553); break;
                case "answer-rotation": settings.SetFlag(member, "RotateRRsets"); break;
                default: ReportUnlessOff(KnotStatements.Server, member, ""); break;
            }
        }
    }

    private void TranslateZone(ConfigStatement zone)
    {
        string name = zone.Find("domain")?.Value ?? "";
        string wanted = zone.Find("template")?.Value ?? DefaultTemplate;
        if (!_templates.TryGetValue(wanted, out ConfigStatement? template) && wanted != DefaultTemplate)
            settings.Diagnostics.Block(zone, $"zone {name}", $"no template {wanted}", ImportLimit.OfImporter);
        ConfigStatement? Of(string key) => zone.Find(key) ?? template?.Find(key);
        string subject = $"zone {name}";
        ConfigStatement? ofAll = _templates.GetValueOrDefault(DefaultTemplate)?.Find("global-module");
        ImportedReplication replication = _peers.Translate(Of, subject);
        // Members without a template have the default one.
        if (replication is { Catalog: "consumer", MemberTemplate: null } && _templates.ContainsKey(DefaultTemplate))
            replication = replication with { MemberTemplate = DefaultTemplate };
        // A catalog is for servers, which do not validate it.
        if (replication.Catalog is null) replication = replication with { Dnssec = _policies.PolicyOf(Of, subject) };
        if (replication.MemberTemplate is { } members && _templates.TryGetValue(members, out ConfigStatement? shared))
            AddMemberTemplate(members, shared, ofAll);
        string storage = Of("storage")?.Value ?? DefaultStorage;
        string file = Expand(Of("file")?.Value ?? "%s.zone", name);
        if (file.Contains('%'))
            settings.Diagnostics.Block(Of("file") ?? zone, subject, $"the file {file}", ImportLimit.OfImporter);
        else if (TryReadClients(subject, "the zone is left out", [Of("module"), ofAll], out List<string>? clients))
            settings.AddZone(zone, name, Path.GetFullPath(file, Path.GetFullPath(storage)), clients, replication);
        Report(zone.Members.Concat((template?.Members ?? []).Where(member => zone.Find(member.Key) is null)),
            subject, replication, Of);
    }

    /// <param name="find">The statements of the zone and its template.</param>
    private void Report(IEnumerable<ConfigStatement> members, string subject, ImportedReplication replication,
        Func<string, ConfigStatement?> find)
    {
        foreach (ConfigStatement member in members)
        {
            if (member.Key == "module") TranslateModules(member, subject, isGlobal: false);
            else if (KnotStatements.Times.Has(member.Key))
                ReportTime(member, subject, replication, find("refresh-min-interval"));
            else if (!KnotZoneFiles.TryReport(
                settings.Diagnostics, member, subject, replication, find, _peers.PermitsUpdates(find)))
                ReportUnlessOff(KnotStatements.Zone, member, subject);
        }
    }

    /// <param name="leastRefresh">The minimum of REFRESH, which is that of RETRY too.</param>
    private void ReportTime(ConfigStatement member, string subject, ImportedReplication replication,
        ConfigStatement? leastRefresh)
    {
        bool isLeastRetry = member.Key == "retry-min-interval" && member.Value == leastRefresh?.Value;
        if (replication.Primaries is not null && !isLeastRetry)
            ReportUnlessOff(KnotStatements.Times, member, subject);
    }

    private void AddMemberTemplate(string name, ConfigStatement template, ConfigStatement? ofAll)
    {
        string subject = $"template {name}";
        if (!TryReadClients(subject, "its members answer no client", [template.Find("module"), ofAll],
            out List<string>? clients))
            clients = [];
        ImportedReplication replication = _peers.Translate(template.Find, subject) with { Clients = clients };
        if (replication.Primaries is null)
            settings.Diagnostics.Block(template, subject,
                "members of a catalog are secondaries: they come from its primaries");
        settings.AddTemplate(template, name, replication);
        Report(template.Members, subject, replication, template.Find);
    }

    private void ReportUnlessOff(ImportTable table, ConfigStatement member, string subject)
    {
        if (member.Words.Count > 1
            && (table.HasDefault(member.Key) || member.Value is not ("off" or "none" or "false" or "")))
            table.Report(settings.Diagnostics, member, subject);
    }

    /// <summary>Reads the access list of queries of a zone or template; without one all clients could query.</summary>
    /// <param name="otherwise">What happens when the clients cannot be read.</param>
    /// <param name="clients">The clients; null = all.</param>
    private bool TryReadClients(
        string subject, string otherwise, IEnumerable<ConfigStatement?> modules, out List<string>? clients)
    {
        clients = null;
        foreach (ConfigStatement statement in modules.OfType<ConfigStatement>())
            foreach (string module in statement.Words.Skip(1).Where(IsQueryList))
            {
                List<IPNetwork> networks = [];
                ConfigStatement? list = _modules.GetValueOrDefault(module);
                if (list is null ||
                    !list.Members.All(member => member.Key == "id" || TryReadNetworks(member, networks)))
                {
                    settings.Diagnostics.Block(
                        list ?? statement, subject, $"{module}: who may ask is not translated, and so {otherwise}",
                        ImportLimit.OfImporter);
                    return false;
                }
                clients = ImportedClients.Both(clients, [.. networks.Select(ImportedClients.Format)]);
            }
        return true;
    }

    private static bool TryReadNetworks(ConfigStatement addresses, List<IPNetwork> networks)
    {
        if (addresses.Key != "address") return false;
        foreach (string word in addresses.Words.Skip(1))
        {
            if (!ImportedClients.TryReadNsd(word, out List<IPNetwork> read)) return false;
            networks.AddRange(read);
        }
        return true;
    }

    private static bool IsQueryList(string module) => module.Split('/')[0] == QueryList;

    /// <summary>
    /// The file name of a template: <c>%s</c> is the zone, <c>%c[N]</c> and <c>%c[N-M]</c> its characters from the
    /// left, <c>%l[N]</c> its label from the right; what is not there is nothing. A slash in them is an underscore.
    /// </summary>
    private static string Expand(string file, string zone)
    {
        string name = ZonesSetting.TryParseName(zone, out DomainName? parsed)
            ? parsed.ToString().ToLowerInvariant()[..^1].Replace('/', '_') : zone;
        string[] labels = LabelEnd().Split(name);
        return Formatter().Replace(file, match =>
        {
            if (match.Value == "%s") return name;
            int first = int.Parse(match.Groups["first"].Value, CultureInfo.InvariantCulture);
            if (match.Groups["what"].Value == "l") return first < labels.Length ? labels[^(first + 1)] : "";
            int last = match.Groups["last"] is { Success: true } given
                ? int.Parse(given.Value, CultureInfo.InvariantCulture) : first;
            string text = name + ".";
            return first < text.Length && last >= first ? text[first..Math.Min(last + 1, text.Length)] : "";
        });
    }

    [GeneratedRegex(@"%s|%(?<what>[cl])\[(?<first>[0-9]{1,3})(-(?<last>[0-9]{1,3}))?\]")]
    private static partial Regex Formatter();

    [GeneratedRegex(@"(?<!\\)\.")]
    private static partial Regex LabelEnd();
}
