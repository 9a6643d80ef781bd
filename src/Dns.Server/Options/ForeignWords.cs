namespace Dns.Server;

/// <summary>Words of other servers for settings that have another name here, or are not in this version.</summary>
internal static class ForeignWords
{
    private const string Transfers = "this version is no secondary: a zone is read from its file, and given away to those in AllowTransfer";
    private const string NoDnssec = "this version does not sign or validate: zones are served as their files have them";
    private const string NoViews = "this version has no views: AllowQuery in an entry of Dns:Zones says which clients a zone is for";
    private const string NoUpdates = "this version takes no dynamic updates: change the zone file, which is read again";
    private const string NoEncryption = "this version serves UDP and TCP without encryption: a proxy in front can have it (Dns:Proxy:From)";

    private static readonly Dictionary<string, string> Words = Table(
        (Transfers, ["Primaries", "Primary", "Masters", "Master", "Secondaries", "Secondary", "Slave", "Slaves",
            "Transfer", "AlsoNotify", "Notify", "AllowNotify", "ProvideXfr", "RequestXfr", "Axfr", "Ixfr", "Catalog", "CatalogZones"]),
        (NoDnssec, ["Dnssec", "DnssecPolicy", "DnssecValidation", "DnssecSigning", "InlineSigning", "AutoDnssec", "TrustAnchors", "Signing",
            "KeyDirectory"]),
        (NoViews, ["Views", "View", "MatchClients", "MatchDestinations"]),
        (NoUpdates, ["AllowUpdate", "UpdatePolicy", "Updates", "Journal"]),
        ("keys that transfers are signed with are listed in Dns:TsigKeys", ["Keys", "Key", "Tsig"]),
        (NoEncryption, ["Tls", "Https", "Quic", "Doh", "Dot", "Doq", "Certificate", "Certificates", "CertificateFile", "KeyFile"]),
        ("forwarding is set in Dns:Forward, such as [{ \"Zone\": \".\", \"Upstreams\": [\"192.0.2.53\"] }]",
            ["Forwarders", "Forwarder", "Forwarding", "Upstream", "Upstreams", "ForwardZone", "ForwardZones", "StubZone", "Resolvers",
                "ForwardOnly", "ForwardFirst", "Stub", "StubZones"]),
        ("clients that may ask for what is forwarded are listed in Dns:Recursion:AllowFrom", ["AllowRecursion", "AccessControl"]),
        ("clients of a zone are listed by AllowQuery in its entry of Dns:Zones", ["AllowQuery"]),
        ("lists of networks have no names: they stand where they are used, in AllowQuery and Dns:Recursion:AllowFrom", ["Acl", "Acls"]),
        ("addresses and ports are listed in Dns:Listen", ["ListenOn", "ListenOnV6", "ListenAddress", "LocalAddress", "LocalPort",
            "Interface",
            "Interfaces", "IpAddress", "Bind", "Address", "Addresses", "Port", "DoIp4", "DoIp6", "DoUdp", "DoTcp"]),
        ("rate limiting is set in Dns:RateLimit", ["Rrl", "RateLimiting", "ResponseRateLimit"]),
        ("the log is set in the section Serilog, beside Dns", ["Logging", "Log", "LogFile", "LogLevel", "Verbosity", "Syslog",
            "Serilog"]),
        ("metrics are served at /metrics of Dns:Admin:Listen", ["Metrics", "Prometheus", "StatisticsChannels"]),
        ("the user of the process is that of its service (dnsd service install --user NAME)", ["User", "Username", "Group", "Chroot",
            "Setuid"]),
        ("settings are one file: --config FILE", ["Include", "Includes"]),
        ("Dns:Workers is the number of threads", ["Threads", "NumThreads", "ServerCount", "ReuseportThreads"]),
        ("Dns:Cache:MaxBytes is the memory of the cache", ["CacheSize", "MaxCacheSize", "MsgCacheSize", "RrsetCacheSize"]),
        ("Dns:MaxUdpPayload is the longest reply over UDP", ["MaxUdpSize", "EdnsUdpSize", "EdnsBufferSize", "EdnsSize", "UdpMaxPayload"]),
        ("Dns:Identity is the answer to NSID and id.server", ["Nsid", "ServerId", "Hostname"]),
        ("this version has no block lists: a zone of its own answers for a name", ["Blocklist", "Blocklists", "Blacklist", "Rpz",
            "ResponsePolicy"]),
        ("this version reads no hosts file and no single records: a zone of its own answers for a name", ["Hosts", "HostsFile",
            "LocalData", "LocalZone", "LocalRecords"]),
        ("the zones of a directory are an entry of Dns:Zones, such as { \"Directory\": \"zones\" }", ["Directory", "ZoneDirectory",
            "ZonesDirectory", "ZonesDir", "Storage"]),
        ("a zone is served from its File, a forwarded one stands in Dns:Forward: there are no types", ["Type", "ZoneType", "Kind"]),
        ("this version asks no root servers: all other names can be forwarded, with the Zone \".\" in Dns:Forward", ["RootHints", "Hints",
            "QnameMinimization", "Resolver"]));

    /// <summary>Says what this version has instead of a setting; null if the word is not known.</summary>
    /// <param name="word">The key; case, dashes and underscores do not matter.</param>
    public static string? Find(string word) =>
        Words.GetValueOrDefault(word.Replace("-", "", StringComparison.Ordinal).Replace("_", "", StringComparison.Ordinal));

    private static Dictionary<string, string> Table(params ReadOnlySpan<(string Sentence, string[] Names)> rows)
    {
        Dictionary<string, string> words = new(StringComparer.OrdinalIgnoreCase);
        foreach (var (sentence, names) in rows)
            foreach (string name in names) words.Add(name, sentence);
        return words;
    }
}
