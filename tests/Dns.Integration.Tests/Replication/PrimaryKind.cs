namespace Dns.Integration.Tests;

/// <summary>
/// The configuration of another name server as primary of a zone, with its changes if it supports them.
/// </summary>
internal static class PrimaryKind
{
    /// <summary>Makes the kind.</summary>
    /// <param name="server">knot, nsd, bind, pdns or dnsd.</param>
    /// <param name="secret">
    /// The secret of the key <c>k1.</c>, hmac-sha256, in base 64; null = transfers are not signed.
    /// </param>
    public static PeerKind Of(string server, string? secret) => server switch
    {
        "pdns" => PowerDnsKind.Primary(secret),
        "dnsd" =>
            PeerKind.Ours with { Settings = (port, folder, state, zones) => Dnsd(port, folder, state, zones, secret) },
        _ => PeerKind.All.First(kind => kind.Name == server) with
        {
            Settings = (port, folder, state, zones) => server switch
            {
                "knot" => Knot(port, folder, state, zones, secret),
                "nsd" => Nsd(port, folder, state, zones, secret),
                _ => Bind(port, folder, state, zones, secret),
            },
        },
    };

    private static string Dnsd(int port, string folder, string state, IReadOnlyList<string> zones, string? secret) =>
        $$"""
        { "Dns": { "Listen": ["127.0.0.1:{{port}}"], "Workers": 1, "AllowTransfer": ["127.0.0.1"], "Control": { "Socket": "{{state}}/c.sock" },
            "TsigKeys": [ {{(secret is null ? "" : $"{{ \"Name\": \"k1.\", \"Secret\": \"{secret}\" }}")}} ],
            "Zones": [ {{string.Join(", ", zones.Select(zone => $"{{ \"Name\": \"{zone}\", \"File\": \"{folder}/{zone}.zone\" }}"))}} ] } }
        """;

    private static string Knot(int port, string folder, string state, IReadOnlyList<string> zones, string? secret) =>
        $"""
        server:
            listen: 127.0.0.1@{port}
            rundir: {state}
            udp-workers: 1
            tcp-workers: 1
            background-workers: 1
        database:
            storage: {state}
        control:
            listen: {state}/control
        log:
          - target: stderr
            any: info
        {(secret is null ? "" : $"key:\n  - id: k1.\n    algorithm: hmac-sha256\n    secret: {secret}")}
        acl:
          - id: anybody
            address: 127.0.0.1
            action: transfer
        {(secret is null ? "" : "  - id: keyed\n    key: k1.\n    action: transfer")}
        template:
          - id: default
            storage: {folder}
            file: "%s.zone"
            zonefile-load: difference
            zonefile-sync: -1
            journal-content: changes
            acl: [anybody{(secret is null ? "" : ", keyed")}]
            semantic-checks: off
        zone:
        {Each(zones, zone => $"  - domain: {zone}")}
        """;

    private static string Nsd(int port, string folder, string state, IReadOnlyList<string> zones, string? secret) =>
        $"""
        server:
            ip-address: 127.0.0.1@{port}
            server-count: 1
            username: ""
            zonesdir: "{folder}"
            database: ""
            pidfile: "{state}/pid"
            xfrdfile: "{state}/xfrd"
            xfrdir: "{state}"
            zonelistfile: "{state}/zonelist"
            cookie-secret-file: "{state}/cookie"
            xfrd-reload-timeout: 0
        remote-control:
            control-enable: no
        {(secret is null ? "" : $"key:\n    name: \"k1\"\n    algorithm: hmac-sha256\n    secret: \"{secret}\"")}
        {Each(zones, zone => $"""
            zone:
                name: "{zone}"
                zonefile: "{zone}.zone"
                provide-xfr: 127.0.0.1 NOKEY
                {(secret is null ? "" : "provide-xfr: 127.0.0.1 k1")}
                store-ixfr: yes
                create-ixfr: yes
            """)}
        """;

    private static string Bind(int port, string folder, string state, IReadOnlyList<string> zones, string? secret) =>
        $$"""
        {{(secret is null ? "" : $"key \"k1\" {{ algorithm hmac-sha256; secret \"{secret}\"; }};")}}
        options {
            directory "{{state}}";
            listen-on port {{port}} { 127.0.0.1; };
            listen-on-v6 { none; };
            pid-file none;
            session-keyfile "{{state}}/session.key";
            managed-keys-directory "{{state}}";
            recursion no;
            dnssec-validation no;
            empty-zones-enable no;
            notify no;
            allow-transfer { any; };
            ixfr-from-differences yes;
        };
        controls { };
        {{Each(zones, zone =>
            $"zone \"{zone}\" {{ type primary; file \"{folder}/{zone}.zone\"; journal \"{state}/{zone}.jnl\"; }};")}}
        """;

    private static string Each(IReadOnlyList<string> zones, Func<string, string> line) =>
        string.Join('\n', zones.Select(line));
}
