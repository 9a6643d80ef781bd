namespace Dns.Integration.Tests;

/// <summary>The configuration of another name server that consumes a catalog of a server on a loopback port.</summary>
internal static class CatalogKind
{
    /// <summary>The catalog.</summary>
    public const string Catalog = "catalog.test";

    /// <summary>Makes the kind.</summary>
    /// <param name="server">knot, bind or pdns.</param>
    /// <param name="primary">The port of the primary of the catalog and of its members.</param>
    public static PeerKind Consumer(string server, int primary) => server == "pdns"
        ? PowerDnsKind.Consumer(Catalog, primary)
        : PeerKind.All.First(kind => kind.Name == server) with
        {
            Settings =
                (port, _, state, _) => server == "knot" ? Knot(port, state, primary) : Bind(port, state, primary),
        };

    private static string Knot(int port, string state, int primary) => $"""
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
        remote:
          - id: primary
            address: 127.0.0.1@{primary}
        acl:
          - id: primary
            address: 127.0.0.1
            action: notify
        template:
          - id: default
            storage: {state}
          - id: member
            storage: {state}
            master: primary
            acl: primary
            semantic-checks: off
        zone:
          - domain: {Catalog}
            master: primary
            acl: primary
            catalog-role: interpret
            catalog-template: member
        """;

    private static string Bind(int port, string state, int primary) => $$"""
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
            check-names secondary ignore;
            catalog-zones { zone "{{Catalog}}" default-primaries { 127.0.0.1 port {{primary}}; } in-memory yes min-update-interval 1; };
        };
        controls { };
        zone "{{Catalog}}" { type secondary; file "catalog.zone"; primaries { 127.0.0.1 port {{primary}}; }; };
        """;

    /// <summary>
    /// The configuration of a server that produces a catalog of zones in a folder, transferable on loopback.
    /// </summary>
    public static PeerKind Producer(string server) => server == "pdns"
        ? PowerDnsKind.Producer(Catalog)
        : PeerKind.All.First(kind => kind.Name == server) with
        {
            Settings = (port, folder, state, zones) =>
                server == "knot" ? KnotProducer(port, folder, state, zones) : BindProducer(port, folder, state, zones),
        };

    private static string KnotProducer(int port, string folder, string state, IReadOnlyList<string> zones) => $"""
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
        acl:
          - id: anybody
            address: 127.0.0.1
            action: transfer
        template:
          - id: default
            storage: {folder}
            file: "%s.zone"
            acl: anybody
            catalog-role: member
            catalog-zone: {Catalog}.
            catalog-group: g1
            semantic-checks: off
          - id: catalog
            storage: {state}
            acl: anybody
            catalog-role: generate
        zone:
          - domain: {Catalog}
            template: catalog
        {string.Join('\n', zones.Select(zone => $"  - domain: {zone}"))}
        """;

    /// <summary>It makes no catalogs by itself: there, one is a zone file.</summary>
    private static string BindProducer(int port, string folder, string state, IReadOnlyList<string> zones)
    {
        File.WriteAllText(Path.Combine(folder, Catalog + ".zone"), $"""
            $TTL 0
            @ SOA invalid. invalid. 1 60 60 86400 0
            @ NS invalid.
            version TXT "2"
            {string.Join('\n', zones.Select((zone, i) => $"id{i}.zones PTR {zone}.\ngroup.id{i}.zones TXT \"g1\""))}

            """);
        return $$"""
            options {
                directory "{{folder}}";
                listen-on port {{port}} { 127.0.0.1; };
                listen-on-v6 { none; };
                pid-file none;
                session-keyfile "{{state}}/session.key";
                managed-keys-directory "{{state}}";
                recursion no;
                dnssec-validation no;
                notify no;
                allow-transfer { any; };
            };
            controls { };
            {{string.Join('\n', zones.Append(Catalog).Select(zone =>
                $"zone \"{zone}\" {{ type primary; file \"{zone}.zone\"; }};"))}}
            """;
    }
}
