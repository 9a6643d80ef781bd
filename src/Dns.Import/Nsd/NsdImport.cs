namespace Dns.Import.Nsd;

/// <summary>Translates NSD's nsd.conf: zones with a file of their own or of a pattern, addresses, limits.</summary>
internal sealed class NsdImport(ImportedSettings settings)
{
    private const int MaxPatterns = 16, DefaultTlsPort = 853;
    private readonly Dictionary<string, ConfigStatement> _patterns = new(StringComparer.Ordinal);
    private readonly NsdPeers _peers = new(settings);

    public void Translate(IReadOnlyList<ConfigStatement> sections, string file)
    {
        string directory = Path.GetDirectoryName(Path.GetFullPath(file))!;
        int port = ListenSetting.DefaultPort, tlsPort = 0;
        foreach (ConfigStatement section in sections)
        {
            if (section.Key == "key")
                settings.AddKey(section, section.Find("name")?.Value, AlgorithmOf(section),
                    section.Find("secret")?.Value);
            if (section.Key == "pattern" && section.Find("name")?.Value is { } name) _patterns[name] = section;
            if (section.Key != "server") continue;
            if (section.Find("zonesdir")?.Value is { Length: > 0 } zones)
                directory = Path.GetFullPath(zones, directory);
            if (section.Find("port") is { } set &&
                !int.TryParse(set.Value, NumberStyles.None, CultureInfo.InvariantCulture, out port))
                settings.Diagnostics.Change(set, "", "port: not a number", ImportLimit.OfImporter);
            if (section.Find("tls-service-key") is not null)
                tlsPort = int.TryParse(section.Find("tls-port")?.Value, out int given) ? given : DefaultTlsPort;
        }
        settings.IncludeFolder = directory;
        foreach (ConfigStatement section in sections)
        {
            if (section.Key == "server") TranslateServer(section, port, tlsPort);
            else if (section.Key == "zone") TranslateZone(section, directory);
            else if (section.Key != "pattern") NsdStatements.Sections.Report(settings.Diagnostics, section,
                section.Find("name")?.Value ?? "");
        }
        TranslateRateLimit(sections);
        if (settings.IsListening) return;
        ConfigStatement heading = sections.FirstOrDefault(section => section.Key == "server") ?? new(file, 0, [], null);
        if (!Is(sections, "do-ip4", "no") && !Is(sections, "ip6-only", "yes"))
            settings.AddListen(heading, "0.0.0.0", port);
        if (!Is(sections, "do-ip6", "no") && !Is(sections, "ip4-only", "yes")) settings.AddListen(heading, "::", port);
    }

    /// <summary>An address with options behind it: which workers serve it, and what its sockets are bound to.</summary>
    private void Listen(ConfigStatement member, int port)
    {
        string text = member.Value ?? "";
        string[] parts = text.Split('@');
        if (parts.Length > 2 || parts.Length == 2 && !ImportedAddress.TryParsePort(parts[1], out port))
            settings.Diagnostics.Block(member, text, "not an address to listen on", ImportLimit.OfImporter);
        else settings.AddListen(member, parts[0], port);
        foreach (string option in member.Words.Skip(2).Select(word => word.Split('=')[0]))
            if (option == "servers")
                settings.Diagnostics.Remark(member, text, "servers: all workers serve all addresses",
                    ImportLimit.OfServer);
            else if (option is "bindtodevice" or "setfib")
                NsdStatements.Server.Report(settings.Diagnostics, member with { Words = [option] }, text);
    }

    /// <summary>The algorithm of a key, which may be without its prefix <c>hmac-</c>.</summary>
    private static string AlgorithmOf(ConfigStatement key)
    {
        const string prefix = "hmac-";
        string name = key.Find("algorithm")?.Value ?? "sha256";
        return name.StartsWith(prefix, StringComparison.OrdinalIgnoreCase) ? name : prefix + name;
    }

    private static bool Is(IReadOnlyList<ConfigStatement> sections, string key, string value) => sections
        .Where(section => section.Key == "server").Select(section => section.Find(key)).OfType<ConfigStatement>()
        .LastOrDefault()?.Value == value;

    private void TranslateServer(ConfigStatement server, int port, int tlsPort)
    {
        foreach (ConfigStatement member in server.Members)
        {
            switch (member.Key)
            {
                // What is served encrypted there is not served in the clear here.
                case "ip-address" or "interface" when tlsPort > 0 && member.Value?.EndsWith($"@{tlsPort}",
                    StringComparison.Ordinal) == true:
                    settings.Diagnostics.Block(member, member.Value, "TLS is not served");
                    break;
                case "ip-address" or "interface": Listen(member, port); break;
                case "identity" when server.Find("hide-identity")?.Value == "yes": break;
                case "version" when server.Find("hide-version")?.Value == "yes": break;
                case "identity": settings.SetText(member, "Identity", member.Value); break;
                case "nsid" when member.Value?.StartsWith("ascii_", StringComparison.Ordinal) == true:
                    settings.SetText(member, "Identity", member.Value["ascii_".Length..]);
                    break;
                case "nsid": settings.SetHex(member, "Identity", member.Value ?? ""); break;
                case "version": settings.SetText(member, "Version", member.Value); break;
                case "ipv4-edns-size" or "ipv6-edns-size": settings.SetSmallest(member, "MaxUdpPayload", 512, 65535);
                break;
                case "server-count": settings.SetNumber(member, "Workers", 0, 1024); break;
                case "tcp-count": settings.SetNumber(member, "Tcp:MaxConnections", 1, 1_000_000); break;
                case "tcp-timeout": settings.SetNumber(member, "Tcp:IdleTimeoutSeconds", 1, 6553); break;
                case "receive-buffer-size": settings.SetNumber(member, "Udp:ReceiveBufferBytes", 0, 1 << 30); break;
                case "cookie-secret": settings.AddSecret(member); break;
                case "answer-cookie": settings.SetFlag(member, "Cookies:Enabled"); break;
                case "refuse-any": settings.SetFlag(member, "MinimalAny"); break;
                case "round-robin": settings.SetFlag(member, "RotateRRsets"); break;
                default: NsdStatements.Server.Report(settings.Diagnostics, member, ""); break;
            }
        }
    }

    /// <summary>Translates the rate limit, if any: of each network and kind of answer there; 0 is no limit.</summary>
    private void TranslateRateLimit(IReadOnlyList<ConfigStatement> sections)
    {
        const int defaultRate = 200;
        ConfigStatement? Of(string key) =>
            sections.Where(section => section.Key == "server").Select(section => section.Find(key))
            .LastOrDefault(found => found is not null);
        ConfigStatement? rate = Of("rrl-ratelimit");
        ConfigStatement? any = rate ?? Of("rrl-slip") ?? Of("rrl-size") ?? Of("rrl-ipv4-prefix-length");
        if (any is null || rate?.Value == "0") return;
        settings.Set(any, "RateLimit:Mode", "on");
        foreach (string kind in new[] { "Responses", "Errors", "NxDomains" })
        {
            settings.Set(any, $"RateLimit:{kind}PerSecond", defaultRate);
            if (rate is not null) settings.SetNumber(rate, $"RateLimit:{kind}PerSecond", 0,
                RateLimitOptions.MaxPerSecond);
        }
        if (Of("rrl-slip") is { } slip)
            settings.SetNumber(slip, "RateLimit:Slip", 0, RateLimitOptions.MaxSlip);
        if (Of("rrl-ipv4-prefix-length") is { } four) settings.SetNumber(four, "RateLimit:IPv4Prefix", 8, 32);
        if (Of("rrl-ipv6-prefix-length") is { } six) settings.SetNumber(six, "RateLimit:IPv6Prefix", 16, 64);
        if (Of("rrl-size") is { } size) settings.SetNumber(size, "RateLimit:Table", 1000, 10_000_000);
    }

    private void TranslateZone(ConfigStatement zone, string directory)
    {
        string name = zone.Find("name")?.Value ?? "";
        string subject = $"zone {name}";
        List<ConfigStatement> members = MembersOf(zone, subject);
        ImportedReplication replication = _peers.Translate(members, subject);
        if (replication.MemberTemplate is { } template && _patterns.TryGetValue(template, out ConfigStatement? shared))
            AddMemberTemplate(shared, template);
        ConfigStatement? file = members.Find(member => member is { Key: "zonefile", Value.Length: > 0 });
        if (replication.Primaries is not null && file is not null)
            settings.Diagnostics.Remark(file, subject, "zonefile: its copy is kept in Dns:StateDirectory");
        string? path = file is null ? null : Path.GetFullPath(Expand(file.Value!, name), directory);
        settings.AddZone(zone, name, path, ClientsOf(members), replication);
        Report(members, subject, replication);
    }

    private void Report(List<ConfigStatement> members, string subject, ImportedReplication replication)
    {
        foreach (ConfigStatement member in members)
            if (!NsdStatements.Secondary.Has(member.Key))
                NsdStatements.Zone.Report(settings.Diagnostics, member, subject);
            else if (replication.Primaries is not null && !IsLeastRetry(member, members))
                NsdStatements.Secondary.Report(settings.Diagnostics, member, subject);
    }

    /// <summary>Whether a minimum of RETRY is that of REFRESH, as here.</summary>
    private static bool IsLeastRetry(ConfigStatement member, List<ConfigStatement> members) =>
        member.Key == "min-retry-time"
            && members.Find(other => other.Key == "min-refresh-time")?.Value == member.Value;

    private void AddMemberTemplate(ConfigStatement pattern, string name)
    {
        string subject = $"pattern {name}";
        List<ConfigStatement> members = MembersOf(pattern, subject);
        ImportedReplication replication = _peers.Translate(members, subject) with { Clients = ClientsOf(members) };
        settings.AddTemplate(pattern, name, replication);
        Report(members, subject, replication);
    }

    private List<ConfigStatement> MembersOf(ConfigStatement zone, string subject)
    {
        List<ConfigStatement> members = [.. zone.Members];
        // What a zone says itself goes before what its patterns say.
        for (int i = 0, patterns = 0; i < members.Count; i++)
        {
            if (members[i].Key != "include-pattern") continue;
            if (members[i].Value is { } wanted && _patterns.TryGetValue(wanted, out ConfigStatement? pattern)
                && patterns++ < MaxPatterns)
                members.AddRange(pattern.Members.Where(member => member.Key != "name"));
            else
                settings.Diagnostics.Block(members[i], subject, $"no pattern {members[i].Value}",
                    ImportLimit.OfImporter);
        }
        return members;
    }

    /// <summary>The clients that may query: all, unless some are listed. Blocked clients are always excluded.</summary>
    private List<string>? ClientsOf(List<ConfigStatement> members)
    {
        List<ConfigStatement> lists = members.FindAll(member => member.Key == "allow-query");
        if (lists.Count == 0) return null;
        List<string> clients = [];
        List<IPNetwork> blocked = [];
        foreach (ConfigStatement list in lists)
        {
            if (!ImportedClients.TryReadNsd(list.Value ?? "", out List<IPNetwork> networks))
            {
                // Whom it blocks is not known.
                networks.Clear();
                if (list.Words is [_, _, "BLOCKED"])
                    networks.AddRange([IPNetwork.Parse("0.0.0.0/0"), IPNetwork.Parse("::/0")]);
                settings.Diagnostics.Change(list, "", "allow-query: not a network", ImportLimit.OfImporter);
            }
            if (list.Words is [_, _, "BLOCKED"]) blocked.AddRange(networks);
            else if (list.Words is [_, _, "NOKEY"]) clients.AddRange(networks.Select(ImportedClients.Format));
            else settings.Diagnostics.Change(list, list.Value ?? "",
                "allow-query: clients are matched by address, not by key");
        }
        return ImportedClients.Except(
            clients, [.. blocked.Select(ImportedClients.Format)], settings.Diagnostics, lists[0]);
    }

    /// <summary>
    /// The file name of a pattern: <c>%s</c> is the zone as it is written, <c>%1</c> to <c>%3</c> its first characters,
    /// <c>%z</c>, <c>%y</c> and <c>%x</c> its labels from the last, in lower case; what is not there is a dot.
    /// </summary>
    private static string Expand(string file, string zone)
    {
        string[] labels = zone.ToLowerInvariant().Split('.', StringSplitOptions.RemoveEmptyEntries);
        string expanded = file.Replace("%s", zone);
        for (int i = 0; i < 3; i++)
        {
            expanded = expanded.Replace($"%{i + 1}", i < zone.Length ? zone[i].ToString() : ".");
            expanded = expanded.Replace($"%{"zyx"[i]}", i < labels.Length ? labels[^(i + 1)] : ".");
        }
        return expanded;
    }
}
