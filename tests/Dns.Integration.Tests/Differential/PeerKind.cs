namespace Dns.Integration.Tests;

/// <summary>The configuration of another name server: zones, plain answers, one thread.</summary>
internal sealed record PeerKind(
    string Name, string Program, Func<string, string[]> Arguments,
    Func<int, string, string, IReadOnlyList<string>, string> Settings)
{
    /// <summary>
    /// Has it read the zone files of a folder again, with the folder of its state and the zones; null = by the signal
    /// HUP.
    /// </summary>
    public Action<string, string, IReadOnlyList<string>>? Reload { get; init; }

    /// <summary>All that are compared with.</summary>
    public static PeerKind[] All { get; } =
    [
        new("knot", "/usr/sbin/knotd", file => ["-c", file], Knot),
        new("nsd", "/usr/sbin/nsd", file => ["-d", "-c", file], Nsd),
        new("bind", "/usr/sbin/named", file => ["-g", "-n", "1", "-c", file], Bind),
    ];

    /// <summary>Unbound, which answers for zones it has been given.</summary>
    public static PeerKind Resolver { get; } =
        new("unbound", "/usr/sbin/unbound", file => ["-d", "-p", "-c", file], Unbound);

    private static string Unbound(int port, string folder, string state, IReadOnlyList<string> zones) => $"""
        server:
            interface: 127.0.0.1@{port}
            do-daemonize: no
            username: ""
            chroot: ""
            directory: "{state}"
            use-syslog: no
            num-threads: 1
            edns-buffer-size: 1232
            module-config: "iterator"
            access-control: 127.0.0.0/8 allow
            local-zone: "test." nodefault
        remote-control:
            control-enable: no
        {Each(zones, zone =>
            $"auth-zone:\n    name: \"{zone}\"\n    zonefile: \"{folder}/{zone}.zone\"\n    for-downstream: yes")}
        """;

    /// <summary>Our own, as the program that operators run.</summary>
    public static PeerKind Ours { get; } = new(
        "dnsd", "dotnet", file => [Path.Combine(DnsdProcess.ProgramFolder, "dnsd.dll"), "run", "--config", file], Dnsd);

    private static string Dnsd(int port, string folder, string state, IReadOnlyList<string> zones) => $$$"""
        { "Dns": { "Listen": ["127.0.0.1:{{{port}}}"], "Workers": 1, "Zones": [ {{{string.Join(", ",
            zones.Select(zone => $"{{ \"Name\": \"{zone}\", \"File\": \"{folder}/{zone}.zone\" }}"))}}} ] } }
        """;

    private static string Knot(int port, string folder, string state, IReadOnlyList<string> zones) => $"""
        server:
            listen: 127.0.0.1@{port}
            rundir: {state}
            udp-workers: 1
            tcp-workers: 1
            background-workers: 1
            udp-max-payload: 1232
            version: ""
            identity: ""
        database:
            storage: {state}
        control:
            listen: {state}/control
        log:
          - target: stderr
            any: error
        template:
          - id: default
            storage: {folder}
            file: "%s.zone"
            zonefile-load: whole
            zonefile-sync: -1
            journal-content: none
            semantic-checks: off
        zone:
        {Each(zones, zone => $"  - domain: {zone}")}
        """;

    private static string Nsd(int port, string folder, string state, IReadOnlyList<string> zones) => $"""
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
            ipv4-edns-size: 1232
            minimal-responses: yes
            refuse-any: no
            hide-version: yes
            hide-identity: yes
            rrl-ratelimit: 0
            rrl-whitelist-ratelimit: 0
        remote-control:
            control-enable: no
        {Each(zones, zone => $"zone:\n    name: \"{zone}\"\n    zonefile: \"{zone}.zone\"")}
        """;

    private static string Bind(int port, string folder, string state, IReadOnlyList<string> zones) => $$"""
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
            allow-transfer { none; };
            max-udp-size 1232;
            edns-udp-size 1232;
            minimal-responses yes;
            minimal-any no;
            answer-cookie no;
            zero-no-soa-ttl no;
            version none;
            hostname none;
            server-id none;
            check-integrity no;
            check-sibling no;
            check-names primary ignore;
            check-mx ignore;
            check-wildcard no;
            rrset-order { order none; };
        };
        controls { };
        {{Each(zones, zone => $"zone \"{zone}\" {{ type primary; file \"{folder}/{zone}.zone\"; }};")}}
        """;

    private static string Each(IReadOnlyList<string> zones, Func<string, string> line) =>
        string.Join('\n', zones.Select(line));
}
