namespace Dns.Bench;

/// <summary>The servers that are compared, each with one thread per processor it may use and nothing limited.</summary>
internal static class PeerTable
{
    internal const string Echo = "echo";

    internal static Peer[] All { get; } =
    [
        new(Echo, null, "", (path, setup) => Dotnet(path, "echo", "--listen", $"127.0.0.1:{setup.Port}")),
        new("dnsd", null, "", Dnsd),
        new("dnsd-portable", null, "", (path, setup) => With(Dnsd(path, setup), ("Dns__Udp__Listener", "portable"))),
        new("dnsd-batched", null, "", (path, setup) => With(Dnsd(path, setup), ("Dns__Udp__Listener", "batched"))),
        // All telemetry and protection, to measure their cost. Every answer is judged and none dropped.
        new("dnsd-guarded", null, "", (path, setup) => With(
            Dnsd(path, setup), ("Dns__Admin__Listen", "127.0.0.1:0"), ("Dns__RateLimit__Mode", "log"))),
        new("dnsd-plain", null, "", (path, setup) => With(
            Dnsd(path, setup), ("Dns__Telemetry__Enabled", "false"), ("Dns__Cookies__Enabled", "false"))),
        new("listener-portable", null, "", (path, setup) => Listener(path, setup, "portable")),
        new("listener-batched", null, "", (path, setup) => Listener(path, setup, "batched")),
        new("dnsd-forward", null, "", DnsdForward),
        new("unbound-forward", "unbound", "-V", UnboundForward),
        new("named-forward", "named", "-v", NamedForward),
        new("listener-no-segments", null, "", (path, setup) => Listener(path, setup, "batched", "--no-segments")),
        new("knotd", "knotd", "--version", Knot),
        new("nsd", "nsd", "-v", Nsd),
        new("named", "named", "-v", Named),
        new("unbound", "unbound", "-V", Unbound),
        new("pdns", "pdns_server", "--version", PowerDns),
        new("coredns", "coredns", "-version", CoreDns),
    ];

    /// <summary>The server with this name.</summary>
    internal static Peer Find(string name) => Array.Find(All, peer => peer.Name == name)
        ?? throw new UsageException(
            $"no server \"{name}\"; there is {string.Join(", ", All.Select(peer => peer.Name))}");

    /// <summary>Where our own programs are.</summary>
    internal static string OwnProgram(string name) => name.StartsWith("dnsd", StringComparison.Ordinal)
        ? Workspace.DefaultServer : typeof(PeerTable).Assembly.Location;

    internal static PeerCommand Dotnet(string path, params string[] arguments) =>
        path.EndsWith(".dll", StringComparison.Ordinal)
            ? new("dotnet", [path, .. arguments], ("DOTNET_SYSTEM_NET_SOCKETS_INLINE_COMPLETIONS", "1"))
            : new(path, arguments, ("DOTNET_SYSTEM_NET_SOCKETS_INLINE_COMPLETIONS", "1"));

    private static PeerCommand With(PeerCommand command, params (string, string)[] variables) =>
        command with { Environment = [.. command.Environment, .. variables] };

    private static PeerCommand Listener(string path, PeerSetup setup, string kind, params string[] more) => Dotnet(
        path, ["serve", "--listen", $"127.0.0.1:{setup.Port}", "--listener", kind, "--workers", $"{setup.Threads}",
            "--zone", $"{setup.Zones[0].Name}={setup.Zones[0].File}", .. more]);

    private static PeerCommand Dnsd(string path, PeerSetup setup)
    {
        string zones = string.Join(",\n",
            setup.Zones.Select(zone => $$"""{ "Name": "{{zone.Name}}", "File": "{{zone.File}}" }"""));
        string? folder = setup.Zones.Count > 100 ? Path.GetDirectoryName(setup.Zones[0].File) : null;
        string transfers = setup.GivesZones ? "\"AllowTransfer\": [ \"127.0.0.1\" ]," : "";
        if (folder is not null) zones = $$"""{ "Directory": "{{folder}}", "Pattern": "*.zone" }""";
        string file = setup.Write("dnsd.json", $$"""
            { "Dns": { "Listen": [ "127.0.0.1:{{setup.Port}}" ], "Workers": {{setup.Threads}}, {{transfers}} "Zones": [ {{zones}} ] },
              "Serilog": { "MinimumLevel": "Warning" } }
            """);
        return Dotnet(path, "run", "--config", file);
    }

    private static PeerCommand DnsdForward(string path, PeerSetup setup) => Dotnet(
        path, "run", "--config", setup.Write("dnsd.json", $$"""
            { "Dns": { "Listen": [ "127.0.0.1:{{setup.Port}}" ], "Workers": {{setup.Threads}},
                "Forward": [ { "Zone": ".", "Upstreams": [ "127.0.0.1:{{setup.UpstreamPort}}" ] } ],
                "Recursion": { "AllowFrom": [ "127.0.0.0/8" ], "LocalNames": false, "MaxInFlightPerClient": 20000 } },
              "Serilog": { "MinimumLevel": "Warning" } }
            """));

    private static PeerCommand UnboundForward(string path, PeerSetup setup) => new(
        path, ["-d", "-c", setup.Write("unbound.conf", $"""
        server:
          directory: "{setup.Folder}"
          chroot: ""
          username: ""
          pidfile: "{setup.Folder}/unbound.pid"
          interface: 127.0.0.1@{setup.Port}
          access-control: 127.0.0.0/8 allow
          do-not-query-localhost: no
          module-config: "iterator"
          num-threads: {setup.Threads}
          num-queries-per-thread: 4096
          outgoing-range: 8192
          msg-cache-size: 256m
          rrset-cache-size: 256m
          use-syslog: no
          verbosity: 0
          local-zone: test nodefault
        remote-control:
          control-enable: no
        forward-zone:
          name: "."
          forward-addr: 127.0.0.1@{setup.UpstreamPort}
        """)]);

    private static PeerCommand NamedForward(string path, PeerSetup setup) => new(
        path, ["-f", "-n", $"{setup.Threads}", "-c", setup.Write("named.conf", $$"""
        options {
            directory "{{setup.Folder}}"; pid-file "{{setup.Folder}}/named.pid"; session-keyfile "{{setup.Folder}}/session.key";
            listen-on port {{setup.Port}} { 127.0.0.1; }; listen-on-v6 { none; };
            recursion yes; allow-recursion { 127.0.0.0/8; }; dnssec-validation no; empty-zones-enable no;
            forward only; forwarders { 127.0.0.1 port {{setup.UpstreamPort}}; };
            recursive-clients 10000; max-cache-size 512m; fetches-per-server 0; fetches-per-zone 0; minimal-responses yes;
        };
        controls { };
        logging { category default { null; }; category unmatched { null; }; };
        """)]);

    private static PeerCommand Knot(string path, PeerSetup setup) => new(path, ["-c", setup.Write("knot.conf", $"""
        server:
            listen: 127.0.0.1@{setup.Port}
            udp-workers: {setup.Threads}
            tcp-workers: {setup.Threads}
            background-workers: {setup.Threads}
            rundir: {setup.Folder}
            tcp-max-clients: 2000
        control:
            listen: {setup.Folder}/knot.sock
        database:
            storage: {setup.Folder}
        log:
          - target: stderr
            any: error
        {(setup.GivesZones ? "acl:\n  - id: everybody\n    address: 127.0.0.1\n    action: transfer" : "")}
        template:
          - id: default
            journal-content: none
            zonefile-sync: -1
            zonefile-load: whole
            semantic-checks: off
            {(setup.GivesZones ? "acl: everybody" : "")}
        zone:
        {setup.EachZone((name, file) => $"  - domain: {name}\n    file: {file}\n")}
        """)]);

    private static PeerCommand Nsd(string path, PeerSetup setup) => new(path, ["-d", "-c", setup.Write("nsd.conf", $"""
        server:
          ip-address: 127.0.0.1@{setup.Port}
          server-count: {setup.Threads}
          username: ""
          database: ""
          zonesdir: {setup.Folder}
          pidfile: {setup.Folder}/nsd.pid
          xfrdfile: {setup.Folder}/xfrd.state
          zonelistfile: {setup.Folder}/zone.list
          xfrdir: {setup.Folder}
          logfile: {setup.Folder}/nsd.log
          tcp-count: 1000
          rrl-ratelimit: 0
          rrl-whitelist-ratelimit: 0
        remote-control:
          control-enable: no
        {setup.EachZone((name, file) =>
            $"zone:\n  name: {name}\n  zonefile: {file}\n{(setup.GivesZones ? "  provide-xfr: 127.0.0.1 NOKEY\n" : "")}")}
        """)]);

    private static PeerCommand Named(string path, PeerSetup setup) => new(
        path, ["-f", "-n", $"{setup.Threads}", "-c", setup.Write("named.conf", NamedConfiguration(setup))]);

    private static string NamedConfiguration(PeerSetup setup) => $$"""
        options {
            directory "{{setup.Folder}}"; pid-file "{{setup.Folder}}/named.pid"; session-keyfile "{{setup.Folder}}/session.key";
            listen-on port {{setup.Port}} { 127.0.0.1; }; listen-on-v6 { none; };
            recursion no; notify no; allow-transfer { {{(setup.GivesZones ? "any" : "none")}}; }; dnssec-validation no; tcp-clients 1000;
        };
        controls { };
        logging { category default { null; }; category unmatched { null; }; };
        {{setup.EachZone((name, file) =>
            $"zone \"{name}\" {{ type primary; file \"{file}\"; check-names ignore; }};\n")}}
        """;

    private static PeerCommand Unbound(string path, PeerSetup setup) =>
        new(path, ["-d", "-c", setup.Write("unbound.conf", $"""
        server:
          directory: "{setup.Folder}"
          chroot: ""
          username: ""
          pidfile: "{setup.Folder}/unbound.pid"
          interface: 127.0.0.1@{setup.Port}
          access-control: 127.0.0.0/8 allow
          num-threads: {setup.Threads}
          use-syslog: no
          verbosity: 0
          incoming-num-tcp: 1000
        {setup.EachZone((name, _) => $"  local-zone: {name[(name.LastIndexOf('.') + 1)..]} nodefault\n")}
        remote-control:
          control-enable: no
        {setup.EachZone((name, file) =>
            $"auth-zone:\n  name: {name}\n  zonefile: {file}\n  for-downstream: yes\n  for-upstream: no\n  fallback-enabled: no\n")}
        """)]);

    private static PeerCommand PowerDns(string path, PeerSetup setup)
    {
        string zones = setup.Write("zones.conf",
            setup.EachZone((name, file) => $"zone \"{name}\" {{ type master; file \"{file}\"; }};\n"));
        setup.Write("pdns.conf", $"""
            launch=bind
            bind-config={zones}
            local-address=127.0.0.1
            local-port={setup.Port}
            daemon=no
            guardian=no
            receiver-threads={setup.Threads}
            distributor-threads={setup.Threads}
            socket-dir={setup.Folder}
            disable-syslog=yes
            loglevel=0
            """);
        return new(path, [$"--config-dir={setup.Folder}"]);
    }

    private static PeerCommand CoreDns(string path, PeerSetup setup) => new(
        path,
        ["-conf", setup.Write("Corefile", setup.EachZone((name, file) =>
            $"{name}:{setup.Port} {{\n  bind 127.0.0.1\n  file {file}\n}}\n"))],
        ("GOMAXPROCS", $"{setup.Threads}"));
}
