namespace Dns.Configuration.SettingTypes;

/// <summary>Every setting of <c>Dns</c>: a new one is a property of the options, a row here, and the schema.</summary>
internal static class SettingsTable
{
    public static SectionRule Dns { get; } = new("Dns",
        new ListRule("Listen", "a list of addresses such as [\"127.0.0.1:5335\", \"[::1]:5335\"]", ListenSetting.Apply),
        new TextRule("Identity", (o, v) => o.Identity = v) { IsLive = true },
        new TextRule("Version", (o, v) => o.Version = v) { IsLive = true },
        new NumberRule("MaxUdpPayload", 512, 65535, "octets", (o, v) => o.MaxUdpPayload = v) { IsLive = true },
        new NumberRule("Workers", 0, 1024, "threads", (o, v) => o.Workers = v),
        new FlagRule("RotateRRsets", (o, v) => o.RotateRRsets = v) { IsLive = true },
        new FlagRule("MinimalAny", (o, v) => o.MinimalAny = v) { IsLive = true },
        new NumberRule("MaxRecordsPerType", 1, ZoneLimits.Most, "records", (o, v) => o.MaxRecordsPerType = v),
        new NumberRule("MaxTypesPerName", 1, ZoneLimits.Most, "types", (o, v) => o.MaxTypesPerName = v),
        new ListRule("Zones", "a list of zones such as [{ \"Name\": \"example.com\", \"File\": \"example.com.zone\" }]",
            ZonesSetting.Apply) { IsLive = true },
        new ValueRule("Templates", TemplatesSetting.Apply) { IsLive = true },
        new ValueRule("DnssecPolicies", DnssecPoliciesSetting.Apply) { IsLive = true },
        new ListRule("TsigKeys", TsigKeysSetting.Expected, TsigKeysSetting.Apply) { IsLive = true, IsSecret = true },
        new ListRule("AllowTransfer", PeerListSetting.Expected, (node, path, binder) =>
            binder.Options.AllowTransfer = PeerListSetting.Read(node, path, binder)) { IsLive = true },
        new ListRule("AllowUpdate", UpdateRulesSetting.Expected, (node, path, binder) =>
            binder.Options.AllowUpdate = UpdateRulesSetting.Read(node, path, binder)) { IsLive = true },
        new ListRule("AllowNotify", PeerListSetting.Expected, (node, path, binder) =>
            binder.Options.AllowNotify = PeerListSetting.Read(node, path, binder)) { IsLive = true },
        new ListRule("Notify", PeerAddressesSetting.Expected, (node, path, binder) =>
            binder.Options.Notify = PeerAddressesSetting.Read(node, path, binder)) { IsLive = true },
        new DurationRule("MinRefresh", ZoneSettingsTable.MostMinRefresh, (o, v) => o.MinRefresh = v) { IsLive = true },
        new SectionRule("Transfer",
            new SizeRule("MaxOctets", 1L << 16, 1L << 44, (o, v) => o.Transfer = o.Transfer with { MaxOctets = v },
                "a transfer"),
            new NumberRule("MaxRecords", 1, int.MaxValue, "records",
                (o, v) => o.Transfer = o.Transfer with { MaxRecords = v }),
            new NumberRule("MaxSeconds", 1, 604_800, "seconds",
                (o, v) => o.Transfer = o.Transfer with { MaxSeconds = v }),
            new NumberRule("MaxIncoming", 1, 10_000, "transfers",
                (o, v) => o.Transfer = o.Transfer with { MaxIncoming = v }),
            new NumberRule("MaxOutgoing", 1, 10_000, "transfers",
                (o, v) => o.Transfer = o.Transfer with { MaxOutgoing = v }))
        {
            IsLive = true,
        },
        new DirectoryRule("StateDirectory", (o, v) => o.StateDirectory = v),
        new SectionRule("Control",
            new SocketPathRule("Socket", (o, v) => o.Control.Socket = v) { IsOfControl = true }),
        new SectionRule("Reload",
            new FlagRule("Watch", (o, v) => o.Reload.Watch = v),
            new NumberRule("PollSeconds", 0, 86_400, "seconds", (o, v) => o.Reload.PollSeconds = v)),
        new SectionRule("Udp",
            new ChoiceRule("Listener", ["auto", "batched", "portable"],
                (o, v) => o.Udp.Listener = Enum.Parse<UdpListenerKind>(v, ignoreCase: true)),
            new NumberRule("ReceiveBufferBytes", 0, 1 << 30, "bytes", (o, v) => o.Udp.ReceiveBufferBytes = v)),
        new SectionRule("Tcp",
            new NumberRule("MaxConnections", 1, 1_000_000, "connections",
                (o, v) => o.Tcp = o.Tcp with { MaxConnections = v }),
            new NumberRule("MaxConnectionsPerClient", 1, 1_000_000, "connections",
                (o, v) => o.Tcp = o.Tcp with { MaxConnectionsPerClient = v }),
            new NumberRule("MaxConnectionsPerPrefix", 1, 1_000_000, "connections",
                (o, v) => o.Tcp = o.Tcp with { MaxConnectionsPerPrefix = v }),
            new NumberRule("IdleTimeoutSeconds", 1, 6553, "seconds",
                (o, v) => o.Tcp = o.Tcp with { IdleTimeout = TimeSpan.FromSeconds(v) }),
            new NumberRule("ReceiveTimeoutSeconds", 1, 3600, "seconds",
                (o, v) => o.Tcp = o.Tcp with { ReceiveTimeout = TimeSpan.FromSeconds(v) }),
            new NumberRule("SendTimeoutSeconds", 1, 3600, "seconds",
                (o, v) => o.Tcp = o.Tcp with { SendTimeout = TimeSpan.FromSeconds(v) })) { IsLive = true },
        new SectionRule("Cookies",
            new FlagRule("Enabled", (o, v) => o.Cookies.Enabled = v),
            new ListRule("Secrets", CookieSecretsSetting.Expected, CookieSecretsSetting.Apply) { IsSecret = true },
            new DurationRule("Rotate", TimeSpan.FromDays(365), (o, v) => o.Cookies.Rotate = v)) { IsLive = true },
        new SectionRule("RateLimit",
            new ChoiceRule("Mode", ["off", "log", "on"],
                (o, v) => o.RateLimit = o.RateLimit with { Mode = Enum.Parse<RateLimitMode>(v, ignoreCase: true) }),
            new NumberRule("ResponsesPerSecond", 0, RateLimitOptions.MaxPerSecond, "answers",
                (o, v) => o.RateLimit = o.RateLimit with { ResponsesPerSecond = v }),
            new NumberRule("ErrorsPerSecond", 0, RateLimitOptions.MaxPerSecond, "answers",
                (o, v) => o.RateLimit = o.RateLimit with { ErrorsPerSecond = v }),
            new NumberRule("NxDomainsPerSecond", 0, RateLimitOptions.MaxPerSecond, "answers",
                (o, v) => o.RateLimit = o.RateLimit with { NxDomainsPerSecond = v }),
            new NumberRule("Slip", 0, RateLimitOptions.MaxSlip, "answers",
                (o, v) => o.RateLimit = o.RateLimit with { Slip = v }),
            new NumberRule("IPv4Prefix", 8, 32, "bits", (o, v) => o.RateLimit = o.RateLimit with { IPv4Prefix = v }),
            new NumberRule("IPv6Prefix", 16, 64, "bits", (o, v) => o.RateLimit = o.RateLimit with { IPv6Prefix = v }),
            new ListRule("Exempt", ClientsSetting.Expected, (node, path, binder) =>
                binder.Options.RateLimit =
                    binder.Options.RateLimit with { Exempt = ClientsSetting.Read(node, path, binder) }),
            new NumberRule("Table", 1000, 10_000_000, "entries",
                (o, v) => o.RateLimit = o.RateLimit with { Table = v })) { IsLive = true },
        new SectionRule("Proxy",
            new ListRule("From", ClientsSetting.Expected, (node, path, binder) =>
                binder.Options.Proxy.From = ClientsSetting.Read(node, path, binder))) { IsLive = true },
        new ListRule("Forward", "a list such as [{ \"Zone\": \".\", \"Upstreams\": [\"192.0.2.53\"] }]",
            ForwardSetting.Apply) { IsLive = true },
        new SectionRule("Recursion",
            new ListRule("AllowFrom", ClientsSetting.Expected, (node, path, binder) =>
                binder.Options.Recursion =
                    binder.Options.Recursion with { AllowFrom = ClientsSetting.Read(node, path, binder) }),
            new NumberRule("MaxInFlight", 1, 1_000_000, "questions",
                (o, v) => o.Recursion = o.Recursion with { MaxInFlight = v }),
            new NumberRule("MaxInFlightPerClient", 1, 1_000_000, "questions",
                (o, v) => o.Recursion = o.Recursion with { MaxInFlightPerClient = v }),
            new NumberRule("AnswerWithinMs", 100, 4900, "milliseconds",
                (o, v) => o.Recursion = o.Recursion with { AnswerWithin = TimeSpan.FromMilliseconds(v) }),
            new NumberRule("AnswerWithinWhileDownMs", 0, 4900, "milliseconds",
                (o, v) => o.Recursion = o.Recursion with { AnswerWithinWhileDown = TimeSpan.FromMilliseconds(v) }),
            new FlagRule("DropPrivateAddresses",
                (o, v) => o.Recursion = o.Recursion with { DropPrivateAddresses = v }),
            new FlagRule("LocalNames", (o, v) => o.RecursionLocalNames = v)) { IsLive = true },
        new SectionRule("Cache",
            new SizeRule("MaxBytes", CacheOptions.LeastBytes, 1L << 40,
                (o, v) => o.Cache = o.Cache with { MaxBytes = v }),
            new DurationRule("MinTtl", TimeSpan.FromDays(1),
                (o, v) => o.Cache = o.Cache with { MinTtl = v }) { IsLive = true },
            new DurationRule("MaxTtl", TimeSpan.FromDays(7),
                (o, v) => o.Cache = o.Cache with { MaxTtl = v }) { IsLive = true },
            new DurationRule("MaxNegativeTtl", TimeSpan.FromDays(1),
                (o, v) => o.Cache = o.Cache with { MaxNegativeTtl = v }) { IsLive = true },
            new DurationRule("ServeStale", TimeSpan.FromDays(7),
                (o, v) => o.Cache = o.Cache with { ServeStale = v }) { IsLive = true },
            new FlagRule("Prefetch", (o, v) => o.Cache = o.Cache with { Prefetch = v }) { IsLive = true },
            new FlagRule("NameErrorCoversNamesBelow",
                (o, v) => o.Cache = o.Cache with { NameErrorCoversNamesBelow = v }) { IsLive = true },
            new PathRule("File", (o, v) => o.CacheFile = v)),
        new SectionRule("Admin",
            new ValueRule("Listen", AdminSetting.ApplyListen),
            new ValueRule("Token", AdminSetting.ApplyToken) { IsLive = true, IsSecret = true },
            new ChoiceRule("Open", ["nothing", "health", "metrics"],
                (o, v) => o.Admin.Open = Enum.Parse<AdminOpen>(v, ignoreCase: true))),
        new SectionRule("Telemetry",
            new FlagRule("Enabled", (o, v) => o.Telemetry.Enabled = v),
            new NumberRule("MaxZones", 0, 1_000_000, "zones", (o, v) => o.Telemetry.MaxZones = v),
            new UrlRule("Otlp", (o, v) => o.Telemetry.Otlp = v),
            new FractionRule("TraceSample", (o, v) => o.Telemetry.TraceSample = v)),
        new SectionRule("Log",
            new ChoiceRule("Format", ["text", "json"],
                (o, v) => o.Log.Format = Enum.Parse<LogFormat>(v, ignoreCase: true))),
        new SectionRule("QueryLog",
            new PathRule("File", (o, v) => o.QueryLog.File = v),
            new FractionRule("Sample", (o, v) => o.QueryLog.Sample = v),
            new ListRule("Clients", ClientsSetting.Expected, (node, path, binder) =>
                binder.Options.QueryLog.Clients = ClientsSetting.Read(node, path, binder)),
            new ListRule("Zones", QueryLogFilters.ExpectedZones, QueryLogFilters.ApplyZones),
            new ListRule("Rcodes", QueryLogFilters.ExpectedRcodes, QueryLogFilters.ApplyRcodes),
            new ChoiceRule("Format", ["json", "text"],
                (o, v) => o.QueryLog.Format = Enum.Parse<QueryLogFormat>(v, ignoreCase: true))),
        new SectionRule("Dnstap",
            new SocketPathRule("Socket", (o, v) => o.Dnstap.Socket = v),
            new PathRule("File", (o, v) => o.Dnstap.File = v),
            new FractionRule("Sample", (o, v) => o.Dnstap.Sample = v)));

    /// <summary>Whether a setting, or all that is below it, can change while the server runs.</summary>
    /// <param name="key">Its path as configuration writes it, such as <c>Dns:Zones:0:File</c>.</param>
    public static bool IsLive(string key)
    {
        string[] parts = key.Split(':');
        if (!parts[0].Equals(Dns.Name, StringComparison.OrdinalIgnoreCase)) return false;
        SettingRule? rule = Dns;
        for (int i = 1; i < parts.Length && rule is SectionRule { IsLive: false } section; i++)
            rule = section.Members
                .FirstOrDefault(member => member.Name.Equals(parts[i], StringComparison.OrdinalIgnoreCase));
        return rule is { IsLive: true };
    }
}
