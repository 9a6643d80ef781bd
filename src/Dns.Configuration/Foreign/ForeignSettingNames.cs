namespace Dns.Configuration.Foreign;

/// <summary>Words of other servers for settings that have another name here, or are not in this version.</summary>
public static class ForeignSettingNames
{
    private const string Primaries =
        "the primaries of a zone are in its entry of Dns:Zones or in its template, such as "
        + "{ \"Name\": \"example.com\", \"Type\": \"secondary\", \"Primaries\": [\"192.0.2.1\"] }";

    private const string Types =
        "the source of a zone is in its entry of Dns:Zones: File, or \"Type\": \"secondary\" and Primaries";
    private const string Dnssec = "zones are signed by Dnssec in an entry of Dns:Zones or in its template, such as "
        + "{ \"Name\": \"example.com\", \"Dnssec\": \"default\" }, with the policies of Dns:DnssecPolicies";

    private const string NoValidation =
        "this version does not validate forwarded answers: forward to a validating resolver in Dns:Forward";
    private const string NoViews =
        "this version has no views: AllowQuery in an entry of Dns:Zones limits the clients of a zone";
    private const string NoEncryption =
        "this version serves UDP and TCP without encryption: a proxy in front can add it (Dns:Proxy:From)";

    private static readonly Dictionary<string, string> Words = Table(
        (Primaries,
            ["Primaries", "Primary", "Masters", "Master", "Slave", "RequestXfr", "DefaultPrimaries", "DefaultMasters"]),
        ("clients that may transfer a zone are in AllowTransfer, servers that get its NOTIFY in Notify",
            ["Secondaries", "Secondary", "Slaves", "ProvideXfr", "AlsoNotify", "AllowAxfrIps", "Axfr", "Ixfr", "Xfr"]),
        ("a catalog is an entry of Dns:Zones with \"Catalog\": \"producer\" or \"consumer\"",
            ["Catalog", "Catalogs", "CatalogZone", "CatalogZones", "CatalogRole"]),
        ("limits on transfers are in Dns:Transfer",
            ["TransfersIn", "TransfersOut", "TransfersPerNs", "MaxTransferTimeIn", "XfrdTcpMax"]),
        ("MinRefresh raises the refresh and retry times of SOA records",
            ["MinRefreshTime", "MinRetryTime", "RefreshMinInterval", "RetryMinInterval"]),
        (Dnssec,
            ["Dnssec", "DnssecPolicy", "DnssecSigning", "InlineSigning", "AutoDnssec", "Signing", "SigningPolicy"]),
        (NoValidation, ["DnssecValidation", "Validation", "TrustAnchors", "TrustAnchor", "ManagedKeys", "TrustedKeys"]),
        ("keys of signed zones are in directory keys of Dns:StateDirectory", ["KeyDirectory", "KeyStore", "KaspDb"]),
        (NoViews, ["Views", "View", "MatchClients", "MatchDestinations"]),
        ("clients that may update a zone are in AllowUpdate, with the names and types allowed",
            ["UpdatePolicy", "Updates", "DynamicUpdate", "AllowDnsupdateFrom"]),
        ("journals are kept in Dns:StateDirectory", ["Journal", "JournalDirectory", "JournalDb", "Ixfrdir", "XfrDir"]),
        ("settings that zones share are in Dns:Templates", ["Template", "Pattern", "Patterns", "IncludePattern"]),
        ("TSIG keys are listed in Dns:TsigKeys", ["Keys", "Key", "Tsig"]),
        (NoEncryption,
            ["Tls", "Https", "Quic", "Doh", "Dot", "Doq", "Certificate", "Certificates", "CertificateFile", "KeyFile"]),
        ("forwarding is set in Dns:Forward, such as [{ \"Zone\": \".\", \"Upstreams\": [\"192.0.2.53\"] }]",
            ["Forwarders", "Forwarder", "Forwarding", "Upstream", "Upstreams", "ForwardZone", "ForwardZones",
                "StubZone", "Resolvers", "ForwardOnly", "ForwardFirst", "Stub", "StubZones"]),
        ("clients of the forwarder are listed in Dns:Recursion:AllowFrom",
            ["AllowRecursion", "AccessControl"]),
        ("clients of a zone are listed by AllowQuery in its entry of Dns:Zones", ["AllowQuery"]),
        ("lists of networks have no names: write the networks in AllowQuery and Dns:Recursion:AllowFrom",
            ["Acl", "Acls"]),
        ("addresses and ports are listed in Dns:Listen",
            ["ListenOn", "ListenOnV6", "ListenAddress", "LocalAddress", "LocalPort",
            "Interface",
            "Interfaces", "IpAddress", "Bind", "Address", "Addresses", "Port", "DoIp4", "DoIp6", "DoUdp", "DoTcp"]),
        ("rate limiting is set in Dns:RateLimit", ["Rrl", "RateLimiting", "ResponseRateLimit"]),
        ("the log is set in the section Serilog, beside Dns",
            ["Logging", "Log", "LogFile", "LogLevel", "Verbosity", "Syslog",
            "Serilog"]),
        ("metrics are served at /metrics of Dns:Admin:Listen", ["Metrics", "Prometheus", "StatisticsChannels"]),
        ("the user of the process is that of its service (dnsd service install --user NAME)",
            ["User", "Username", "Group", "Chroot",
            "Setuid"]),
        ("settings are one file: --config FILE", ["Include", "Includes"]),
        ("Dns:Workers is the number of threads", ["Threads", "NumThreads", "ServerCount", "ReuseportThreads"]),
        ("Dns:Cache:MaxBytes is the memory of the cache",
            ["CacheSize", "MaxCacheSize", "MsgCacheSize", "RrsetCacheSize"]),
        ("Dns:MaxUdpPayload is the longest UDP response",
            ["MaxUdpSize", "EdnsUdpSize", "EdnsBufferSize", "EdnsSize", "UdpMaxPayload"]),
        ("Dns:Identity is the answer to NSID and id.server", ["Nsid", "ServerId", "Hostname"]),
        ("this version has no block lists: serve a zone for the name instead",
            ["Blocklist", "Blocklists", "Blacklist", "Rpz",
            "ResponsePolicy"]),
        ("this version reads no hosts file and no single records: serve a zone for the name instead",
            ["Hosts", "HostsFile",
            "LocalData", "LocalZone", "LocalRecords"]),
        ("the zones of a directory are an entry of Dns:Zones, such as { \"Directory\": \"zones\" }",
            ["Directory", "ZoneDirectory",
            "ZonesDirectory", "ZonesDir", "Storage"]),
        (Types, ["Type", "ZoneType", "Kind", "Role"]),
        ("this version queries no root servers: all other names can be forwarded, with the Zone \".\" in Dns:Forward",
            ["RootHints", "Hints",
            "QnameMinimization", "Resolver"]));

    /// <summary>Says what this version has instead of a setting; null if the word is not known.</summary>
    /// <param name="word">The key; case, dashes and underscores do not matter.</param>
    public static string? Find(string word) => Words.GetValueOrDefault(Plain(word));

    public static string Plain(string word) =>
        word.Replace("-", "", StringComparison.Ordinal).Replace("_", "", StringComparison.Ordinal);

    /// <summary>Says what another server's type of a zone is here; null if the word is not known.</summary>
    public static string? FindZoneType(string word) => word.ToLowerInvariant() switch
    {
        "master" or "native" => $"\"{word}\" is primary here",
        "slave" or "mirror" => $"\"{word}\" is secondary here",
        "forward" or "stub" or "static-stub" => "forwarded zones are in Dns:Forward",
        "hint" => "this version queries no root servers",
        "catalog" => "a catalog has \"Catalog\": \"producer\" or \"consumer\"",
        _ => null,
    };

    private static Dictionary<string, string> Table(params ReadOnlySpan<(string Sentence, string[] Names)> rows)
    {
        Dictionary<string, string> words = new(StringComparer.OrdinalIgnoreCase);
        foreach (var (sentence, names) in rows)
            foreach (string name in names) words.Add(name, sentence);
        return words;
    }
}
