namespace Dns.Integration.Tests;

/// <summary>The configuration of another name server as secondary of a server on a loopback port.</summary>
internal static class SecondaryKind
{
    /// <summary>Makes the kind.</summary>
    /// <param name="server">knot, nsd, bind or pdns.</param>
    /// <param name="primary">The port of the primary.</param>
    /// <param name="secret">
    /// The secret of the key <c>k1.</c>, hmac-sha256, in base 64; null = transfers are not signed.
    /// </param>
    public static PeerKind Of(string server, int primary, string? secret)
    {
        if (server == "pdns") return PowerDnsKind.Secondary(primary, secret);
        PeerKind kind = PeerKind.All.First(kind => kind.Name == server);
        return kind with
        {
            Settings = (port, _, state, zones) => server switch
            {
                "knot" => Knot(port, state, zones, primary, secret),
                "nsd" => Nsd(port, state, zones, primary, secret),
                _ => Bind(port, state, zones, primary, secret),
            },
        };
    }

    private static string Knot(int port, string state, IReadOnlyList<string> zones, int primary, string? secret) => $"""
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
        remote:
          - id: primary
            address: 127.0.0.1@{primary}
            {(secret is null ? "" : "key: k1.")}
        acl:
          - id: anybody
            address: 127.0.0.1
            action: [transfer, notify]
          - id: primary
            address: 127.0.0.1
            {(secret is null ? "" : "key: k1.")}
            action: notify
        template:
          - id: default
            storage: {state}
            master: primary
            acl: [anybody, primary]
            semantic-checks: off
        zone:
        {Each(zones, zone => $"  - domain: {zone}")}
        """;

    private static string Nsd(int port, string state, IReadOnlyList<string> zones, int primary, string? secret) => $"""
        server:
            ip-address: 127.0.0.1@{port}
            server-count: 1
            username: ""
            zonesdir: "{state}"
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
                request-xfr: 127.0.0.1@{primary} {(secret is null ? "NOKEY" : "k1")}
                allow-notify: 127.0.0.1 {(secret is null ? "NOKEY" : "k1")}
                provide-xfr: 127.0.0.1 NOKEY
            """)}
        """;

    private static string Bind(int port, string state, IReadOnlyList<string> zones, int primary, string? secret) =>
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
            notify no;
            allow-transfer { any; };
            check-names secondary ignore;
            masterfile-format text;
        };
        controls { };
        {{Each(zones, zone =>
            $"zone \"{zone}\" {{ type secondary; file \"{zone}.zone\"; primaries {{ 127.0.0.1 port {primary}{(secret is null ? "" : " key \"k1\"")}; }}; }};")}}
        """;

    private static string Each(IReadOnlyList<string> zones, Func<string, string> line) =>
        string.Join('\n', zones.Select(line));
}
