using System.Text.Json.Nodes;

namespace Dns.Configuration.Declaring;

/// <summary>The settings of <c>Dns</c> itself, and the sections that are declared in this project.</summary>
public static class GeneralSettings
{
    public static SettingsSection<ServerOptions> General { get; } =
        new SettingsSection<ServerOptions>("Dns", "The server.", new())
        .Add("Listen", ListenSetting.Value, o => o.Listen, (o, v) => o with { Listen = v },
            "Addresses to listen on, each over UDP and TCP: ADDRESS, ADDRESS:PORT or [ADDRESS]:PORT; without a port 53. \"*\" is all addresses of both families.", Json("192.0.2.1:53", "[2001:db8::1]:53"))
        .Add("Identity", Text, o => o.Identity, (o, v) => o with { Identity = v },
            "The answer to NSID (RFC 5001) and to id.server and hostname.bind TXT CH. null = no NSID, REFUSED.",
            "ns1.example.net", isLive: true)
        .Add("Version", Text, o => o.Version, (o, v) => o with { Version = v },
            "The answer to version.bind and version.server TXT CH. null = REFUSED.", "1.0", isLive: true)
        .Add("MaxUdpPayload", Number(512, 65535, "octets"),
            o => o.MaxUdpPayload, (o, v) => o with { MaxUdpPayload = v },
            "The longest UDP response, even if a client offers a larger EDNS buffer size. Longer responses are truncated (TC). A reload takes up to 2048, or up to the value at the start.", 1400, isLive: true)
        .Add("Workers", Number(0, 1024, "threads"), o => o.Workers, (o, v) => o with { Workers = v },
            "Threads that answer queries, and threads that load zones. 0 = one for each processor.", 4)
        .Add("RotateRRsets", Flag, o => o.RotateRRsets, (o, v) => o with { RotateRRsets = v },
            "Whether the records of an RRset are rotated from response to response (round robin).", true, isLive: true)
        .Add("MinimalAny", Flag, o => o.MinimalAny, (o, v) => o with { MinimalAny = v },
            "Minimal ANY: whether ANY over UDP is answered with one RRset (RFC 8482).", false, isLive: true)
        .Add("MaxRecordsPerType", Number(1, ZoneLimits.Most, "records"),
            o => o.MaxRecordsPerType, (o, v) => o with { MaxRecordsPerType = v },
            "The most records of one type at a name. A zone with more is not served (CVE-2024-1737).", 1000)
        .Add("MaxTypesPerName", Number(1, ZoneLimits.Most, "types"),
            o => o.MaxTypesPerName, (o, v) => o with { MaxTypesPerName = v },
            "The most types at a name, and the most types that have signatures there. A zone with more is not served (CVE-2024-1737). Updates use 48 % of it, so that there is room for signing.", 200)
        .Add("Zones", ZonesSetting.Value, o => o.Zones, (o, v) => o with { Zones = v },
            "The zones to serve: one zone by Name, or a directory of zone files by Directory. Paths are relative to the settings file.",
            JsonNode.Parse("""
                [{"Name": "example.com", "File": "example.com.zone"}, {"Directory": "zones", "Pattern": "*.zone"}]
                """), isLive: true)
        .Add("Templates", TemplatesSetting.Value, o => o.Templates, (o, v) => o with { Templates = v },
            "Settings of a zone under names. A zone or directory refers to one with Template, a consumed catalog with MemberTemplate.", JsonNode.Parse("""{"members": {"AllowTransfer": ["192.0.2.7"]}}"""), isLive: true)
        .Add("DnssecPolicies", DnssecPoliciesSetting.Value,
            o => o.DnssecPolicies, (o, v) => o with { DnssecPolicies = v },
            "Policies by which zones with Dnssec are signed, under names. What a policy leaves out is taken from the built-in policy \"default\".",
            JsonNode.Parse("""{"fast": {"Denial": "nsec3", "SignatureLifetime": "14d"}}"""), isLive: true)
        .Add("TsigKeys", TsigKeysSetting.Value, o => o.TsigKeys, (o, v) => o with { TsigKeys = v },
            "TSIG keys (RFC 8945) for signed transfers, updates and notifications; the same name, algorithm and secret at both servers. \"dnsd tsig generate\" makes one.",
            JsonNode.Parse("""[{"Name": "k1.example.", "Algorithm": "hmac-sha256", "SecretFile": "k1.secret"}]"""),
            isLive: true, isSecret: true)
        .Add("AllowTransfer", PeerListSetting.Value, o => o.AllowTransfer, (o, v) => o with { AllowTransfer = v },
            "Who may transfer zones by AXFR or IXFR, for zones without AllowTransfer of their own. Elements: an address, a network, \"key:\" and the name of a key, or address and key in one element, which must then both match; one element is enough. Empty = no client.",
            Json("key:k1.example.", "192.0.2.7 key:k1.example."), isLive: true)
        .Add("AllowUpdate", UpdateRulesSetting.Value, o => o.AllowUpdate, (o, v) => o with { AllowUpdate = v },
            "Who may change zones by UPDATE (RFC 2136), for zones without AllowUpdate of their own: elements as in AllowTransfer, or objects with From, Names and Types. Empty = no client.",
            JsonNode.Parse("""[{"From": "key:k1.example.", "Names": ["*.dyn.example.com"], "Types": ["A", "AAAA"]}]"""),
            isLive: true)
        .Add("AllowNotify", PeerListSetting.Value, null, (o, v) => o with { AllowNotify = v },
            "Who may send NOTIFY for secondaries without AllowNotify of their own; elements as in AllowTransfer. Left out = the Primaries of each, with their keys. Empty = no client.", Json("192.0.2.1"), isLive: true)
        .Add("Notify", PeerAddressesSetting.Value, o => o.Notify, (o, v) => o with { Notify = v },
            "Servers that get a NOTIFY when a zone has changed, for zones without Notify of their own: ADDRESS, an optional port (53 when left out), and optionally \"key:\" and the name of a key.",
            Json("192.0.2.7 key:k1.example.", "[2001:db8::7]:5353"), isLive: true)
        .Add("MinRefresh", Time(ServerOptions.MostMinRefresh),
            o => o.MinRefresh, (o, v) => o with { MinRefresh = v },
            "The minimum time between two refreshes of a secondary; overrides its SOA.", "5m", isLive: true)
        .Add("StateDirectory", StateDirectory.Value, o => o.StateDirectory, (o, v) => o with { StateDirectory = v },
            "Directory for data that survives a restart: zones added and removed by commands, copies of secondaries, journals of updates, DNSSEC keys. Created if only its last component is missing. auto = that of the service manager, else one beside the settings file. null = none: zones that commands add last until the server ends, and updates and signing are refused.", "/var/lib/dnsd");

    /// <summary>The sections, in the order of the manual.</summary>
    public static IReadOnlyList<SettingsSection> Sections { get; } =
        [ControlOptions.Section, ReloadOptions.Section, TelemetryOptions.Section, LogOptions.Section];
}
