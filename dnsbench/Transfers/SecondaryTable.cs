namespace Dns.Bench;

/// <summary>
/// The servers that are compared, each as the secondary of a primary on a port of 127.0.0.1, without a copy of the
/// zone.
/// </summary>
internal static class SecondaryTable
{
    internal static string[] Names { get; } = ["dnsd", "knotd", "nsd", "named"];

    /// <summary>The server as a secondary that accepts NOTIFY, and transfers from this machine.</summary>
    /// <exception cref="UsageException">It cannot be one here.</exception>
    internal static Peer Of(Peer peer, int primary) => peer with
    {
        Configure = peer.Name switch
        {
            "dnsd" => (path, setup) => Dnsd(path, setup, primary),
            "knotd" => (path, setup) => Knot(path, setup, primary),
            "nsd" => (path, setup) => Nsd(path, setup, primary),
            "named" => (path, setup) => Named(path, setup, primary),
            _ => throw new UsageException($"\"{peer.Name}\" is no secondary here; there is {string.Join(", ", Names)}"),
        },
    };

    private static PeerCommand Dnsd(string path, PeerSetup setup, int primary) => PeerTable.Dotnet(
        path, "run", "--config", setup.Write("dnsd.json", $$"""
            { "Dns": { "Listen": [ "127.0.0.1:{{setup.Port}}" ], "Workers": {{setup.Threads}}, "AllowTransfer": [ "127.0.0.1" ],
                "StateDirectory": "{{Directory.CreateDirectory(Path.Combine(setup.Folder, "state")).FullName}}",
                "Zones": [ { "Name": "{{setup.Zones[0].Name}}", "Type": "secondary", "Primaries": [ "127.0.0.1:{{primary}}" ] } ] },
              "Serilog": { "MinimumLevel": "Warning" } }
            """));

    private static PeerCommand Knot(string path, PeerSetup setup, int primary) =>
        new(path, ["-c", setup.Write("knot.conf", $"""
        server:
            listen: 127.0.0.1@{setup.Port}
            udp-workers: {setup.Threads}
            tcp-workers: {setup.Threads}
            background-workers: {setup.Threads}
            rundir: {setup.Folder}
        control:
            listen: {setup.Folder}/knot.sock
        database:
            storage: {setup.Folder}
        log:
          - target: stderr
            any: error
        remote:
          - id: primary
            address: 127.0.0.1@{primary}
        acl:
          - id: everybody
            address: 127.0.0.1
            action: [transfer, notify]
        template:
          - id: default
            storage: {setup.Folder}
            master: primary
            acl: everybody
            journal-content: none
            semantic-checks: off
        zone:
          - domain: {setup.Zones[0].Name}
        """)]);

    private static PeerCommand Nsd(string path, PeerSetup setup, int primary) =>
        new(path, ["-d", "-c", setup.Write("nsd.conf", $"""
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
          xfrd-reload-timeout: 0
          rrl-ratelimit: 0
          rrl-whitelist-ratelimit: 0
        remote-control:
          control-enable: no
        zone:
          name: {setup.Zones[0].Name}
          zonefile: secondary.zone
          request-xfr: 127.0.0.1@{primary} NOKEY
          allow-notify: 127.0.0.1 NOKEY
          provide-xfr: 127.0.0.1 NOKEY
        """)]);

    private static PeerCommand Named(string path, PeerSetup setup, int primary) => new(
        path, ["-f", "-n", $"{setup.Threads}", "-c", setup.Write("named.conf", $$"""
        options {
            directory "{{setup.Folder}}"; pid-file "{{setup.Folder}}/named.pid"; session-keyfile "{{setup.Folder}}/session.key";
            listen-on port {{setup.Port}} { 127.0.0.1; }; listen-on-v6 { none; };
            recursion no; notify no; allow-transfer { any; }; dnssec-validation no; check-names secondary ignore;
        };
        controls { };
        logging { category default { null; }; category unmatched { null; }; };
        zone "{{setup.Zones[0].Name}}" { type secondary; file "secondary.zone"; primaries { 127.0.0.1 port {{primary}}; }; };
        """)]);
}
