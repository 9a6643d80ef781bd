namespace Dns.Import.Unbound;

/// <summary>
/// Translates Unbound's unbound.conf: addresses, clients, forwarded zones, local zones and data as zone files, and
/// settings with an equivalent.
/// </summary>
/// <param name="zoneFolder">For the files of local zones, relative to the settings; null = no place for them.</param>
internal sealed class UnboundImport(ImportedSettings settings, string? zoneFolder)
{
    /// <summary>One name for all of 172.16/12, and of 100.64/10: their neighbours are resolved as they are.</summary>
    private static readonly string[] PrivateNames =
    [
        .. new[] { "0", "10", "100", "254.169", "172", "2.0.192", "168.192", "100.51.198", "113.0.203",
            "255.255.255.255" }.Select(network => network + ".in-addr.arpa."),
        .. new[] { string.Join('.', Enumerable.Repeat('0', 32)), "d.f", "8.e.f", "9.e.f", "a.e.f", "b.e.f",
            "8.b.d.0.1.0.0.2" }.Select(network => network + ".ip6.arpa."),
    ];

    private readonly ImportDiagnostics _diagnostics = settings.Diagnostics;
    private readonly UnboundAccess _access = new(settings.Diagnostics);
    private List<ConfigStatement> _server = [];

    // The first section with settings of the server, else the file.
    private ConfigStatement _heading = null!;

    // Who may query served zones.
    private List<string> _clients = [];
    private string _directory = "";

    public void Translate(IReadOnlyList<ConfigStatement> sections, string file)
    {
        _directory = Path.GetDirectoryName(Path.GetFullPath(file))!;
        _server = [.. sections.Where(section => section.Key == "server").SelectMany(section => section.Members)];
        _heading = sections.FirstOrDefault(section => section.Key == "server") ?? new(file, 0, [], null);
        if (Find("directory") is { Length: > 0 } directory) _directory = Path.GetFullPath(directory, _directory);
        settings.IncludeFolder = _directory;
        TranslateServer();
        TranslateAccess();
        foreach (ConfigStatement section in sections) TranslateSection(section);
        UnboundLocalZones local = new(settings, zoneFolder);
        local.Translate(_server, _clients);
        if (_server.FindLast(member => member.Key == "unblock-lan-zones") is { Value: "yes" } unblocked)
            ForwardPrivateNames(unblocked);
        if (settings.IsForwardingAll || local.AnswersRoot) return;
        _diagnostics.Block(settings.FirstForward ?? _heading, "",
            "recursion without a forward-zone for \".\": names are forwarded, never resolved from the root; "
            + "set Dns:Forward for \".\"");
    }

    /// <summary>
    /// Names of private networks that are resolved like others there; here a forwarded zone does that. Those of
    /// loopback and of special use stay local.
    /// </summary>
    private void ForwardPrivateNames(ConfigStatement statement)
    {
        foreach (string text in PrivateNames)
        {
            DomainName name = DomainName.Parse(text);
            if (!settings.IsKnown(name) && settings.UpstreamsOf(name) is { } upstreams)
                settings.AddForward(statement, text, upstreams);
        }
    }

    private string? Find(string key) => _server.FindLast(member => member.Key == key)?.Value;

    private void TranslateAccess()
    {
        settings.AllowFrom = [];
        if (_server.Find(member => member.Key == "interface-action") is { } narrowed)
        {
            _diagnostics.Block(narrowed, narrowed.Value ?? "",
                "interface-action: access control by interface: no client is allowed");
            return;
        }
        settings.AllowFrom = _access.Recursion;
        _clients = _access.Local;
        _access.ReportRecursionDesired();
    }

    private void TranslateServer()
    {
        UnboundOptions options = new(settings, _server);
        foreach (ConfigStatement member in _server)
        {
            if (member.Key == "access-control") _access.Add(member);
            else if (member.Key is "interface" or "ip-address") Listen(member);
            else if (!options.TryTranslate(member) && (member.Value is not ("no" or "" or null or "0")
                || UnboundStatements.Server.HasDefault(member.Key)))
                UnboundStatements.Server.Report(_diagnostics, member, "");
        }
        options.TranslateTogether();
        bool isEverywhere = Find("interface-automatic") == "yes";
        if (_server.Exists(member => member.Key is "interface" or "ip-address") && !isEverywhere) return;
        if (Find("do-ip4") != "no")
            settings.AddListen(_heading, isEverywhere ? "0.0.0.0" : "127.0.0.1", Port("port", 53));
        if (Find("do-ip6") != "no") settings.AddListen(_heading, isEverywhere ? "::" : "::1", Port("port", 53));
    }

    private int Port(string key, int otherwise) =>
        ImportedAddress.TryParsePort(Find(key), out int port) ? port : otherwise;

    /// <summary>An address to listen on; the ports of TLS, HTTPS and QUIC serve nothing in the clear.</summary>
    private void Listen(ConfigStatement member)
    {
        string text = member.Value ?? "";
        int at = text.IndexOf('@');
        int port = Port("port", ListenSetting.DefaultPort);
        if (at >= 0 && !ImportedAddress.TryParsePort(text[(at + 1)..], out port))
        {
            _diagnostics.Block(member, text, "not an address to listen on", ImportLimit.OfImporter);
            return;
        }
        bool isEncrypted = port == Port("tls-port", Port("ssl-port", 853)) || port == Port("https-port", 443)
            || port == Port("quic-port", 853)
            || _server.Exists(extra => extra.Key == "tls-additional-port" && extra.Value == $"{port}");
        string address = at < 0 ? text : text[..at];
        bool isIPv6 = address.Contains(':');
        if (Find(isIPv6 ? "do-ip6" : "do-ip4") == "no") return;
        if (isEncrypted) _diagnostics.Block(member, text, "TLS, HTTPS and QUIC are not served");
        else if (port == Port("proxy-protocol-port", -1))
            _diagnostics.Block(member, text, "a proxy: Dns:Proxy:From takes its networks", ImportLimit.OfImporter);
        else settings.AddListen(member, address, port);
    }

    private void TranslateSection(ConfigStatement section)
    {
        string subject = section.Find("name")?.Value is { } name ? $"zone {name}" : "";
        switch (section.Key)
        {
            case "server": break;
            case "forward-zone": Forward(section, subject, "forward"); break;
            case "stub-zone": Forward(section, subject, "stub"); break;
            case "auth-zone": AddAuthZone(section, subject); break;
            case "dnstap": TranslateDnstap(section); break;
            default: UnboundStatements.Sections.Report(_diagnostics, section, section.Find("name")?.Value ?? ""); break;
        }
    }

    /// <summary>A forwarded zone. What goes to its servers over TLS there does not go in the clear here.</summary>
    private void Forward(ConfigStatement section, string subject, string kind)
    {
        List<string> upstreams = [];
        bool isEncrypted =
            (section.Find($"{kind}-tls-upstream") ?? section.Find($"{kind}-ssl-upstream"))?.Value == "yes"
            || Find("tls-upstream") == "yes" || Find("ssl-upstream") == "yes";
        if (isEncrypted)
            _diagnostics.Block(section, subject, "upstreams over TLS: they are not queried without encryption");
        foreach (ConfigStatement member in section.Members)
        {
            if (member.Key == $"{kind}-addr" && !isEncrypted) AddUpstream(member, upstreams);
            else if (member.Key == $"{kind}-host")
                _diagnostics.Block(member, subject, $"{member.Key}: upstreams are addresses; set them in Dns:Forward",
                    ImportLimit.OfImporter);
            else if (member.Key is "name" || member.Key == $"{kind}-addr" || member.Value is "no" or null) continue;
            else if (!member.Key.EndsWith("-tls-upstream", StringComparison.Ordinal) &&
                !member.Key.EndsWith("-ssl-upstream",
                StringComparison.Ordinal))
                _diagnostics.Change(member, subject,
                    $"{member.Key}: all upstreams are queried alike, and their answers cached");
        }
        settings.AddForward(section, section.Find("name")?.Value ?? "", upstreams);
        if (upstreams.Count > 0 && kind == "stub")
            _diagnostics.Change(section, subject,
                "stub-zone: its servers are queried as upstreams (RD=1), their referrals are not followed");
        if (upstreams.Count == 0 && !isEncrypted)
            _diagnostics.Block(section, subject, $"{kind}-zone without the address of a server");
    }

    private void AddUpstream(ConfigStatement member, List<string> upstreams)
    {
        string text = member.Value ?? "";
        // Behind # stands the name for TLS.
        if (!ImportedPeers.TryReadServer(text.Split('#')[0], ListenSetting.DefaultPort, out ImportedAddress upstream))
            _diagnostics.Block(member, text, "not the address of an upstream", ImportLimit.OfImporter);
        else if (!upstreams.Contains(upstream.ToString())) upstreams.Add(upstream.ToString());
    }

    private void AddAuthZone(ConfigStatement section, string subject)
    {
        string? file = section.Find("zonefile")?.Value;
        ConfigStatement[] primaries = [.. section.Members.Where(member => member.Key is "primary" or "master")];
        if (section.Find("url") is { } url && primaries.Length == 0)
            _diagnostics.Block(url, subject, "auth-zone url: zones are transferred, never fetched over HTTP");
        else if (section.Find("for-downstream")?.Value == "no")
            _diagnostics.Change(section, subject,
                "auth-zone for-downstream no: names are not resolved with the data of a zone that is not served");
        else AddServedAuthZone(section, subject, file, primaries);
    }

    private void AddServedAuthZone(ConfigStatement section, string subject, string? file, ConfigStatement[] primaries)
    {
        settings.AddZone(section, section.Find("name")?.Value ?? "",
            file is { Length: > 0 } ? Path.GetFullPath(file, _directory) : null, _clients,
            primaries.Length > 0 ? ReplicationOf(section, primaries, subject) : null);
        foreach (ConfigStatement member in section.Members)
            UnboundStatements.AuthZone.Report(_diagnostics, member, subject);
    }

    /// <summary>The primaries of an auth-zone may also send NOTIFY, and those that it lists.</summary>
    private ImportedReplication ReplicationOf(ConfigStatement section, ConfigStatement[] primaries, string subject)
    {
        List<string> servers = [], notifiers = [];
        foreach (ConfigStatement primary in primaries)
            // Behind # stands the name for TLS.
            if (primary.Value?.Contains('#') == true)
                _diagnostics.Block(primary, subject,
                    $"{primary.Key}: {primary.Value} over TLS: it is not queried without encryption");
            else if (ImportedPeers.TryReadServer(
                primary.Value ?? "", ListenSetting.DefaultPort, out ImportedAddress server))
            {
                servers.Add(ImportedPeers.Server(server, null));
                notifiers.Add(server.Address.ToString());
            }
            else _diagnostics.Block(primary, subject, $"{primary.Key}: {primary.Value} is not the address of a server");
        ConfigStatement[] listed = [.. section.Members.Where(member => member.Key == "allow-notify")];
        foreach (ConfigStatement entry in listed)
            if (ClientsSetting.TryParse(entry.Value ?? "", out IPNetwork network))
                notifiers.Add(ImportedClients.Format(network));
            else _diagnostics.Block(entry, subject, $"allow-notify: {entry.Value} is not a network");
        return new ImportedReplication { Primaries = servers, AllowNotify = listed.Length > 0 ? notifiers : null };
    }

    private void TranslateDnstap(ConfigStatement section)
    {
        if (section.Find("dnstap-enable")?.Value != "yes") return;
        if (section.Find("dnstap-ip")?.Value is { Length: > 0 })
            _diagnostics.Change(section, "dnstap", "dnstap goes to a Unix domain socket or a file");
        else if (section.Find("dnstap-socket-path")?.Value is { Length: > 0 } socket)
            settings.Set(section, "Dnstap:Socket", Path.GetFullPath(socket, _directory));
    }
}
