namespace Dns.Integration.Tests;

/// <summary>How another name server is told to consume a catalog of a server on a port of the loopback address.</summary>
internal static class CatalogKind
{
    /// <summary>The catalog.</summary>
    public const string Catalog = "catalog.test";

    /// <summary>Makes the kind.</summary>
    /// <param name="server">knot or bind.</param>
    /// <param name="primary">The port of the primary of the catalog and of its members.</param>
    public static PeerKind Consumer(string server, int primary) => PeerKind.All.First(kind => kind.Name == server) with
    {
        Settings = (port, _, state, _) => server == "knot" ? Knot(port, state, primary) : Bind(port, state, primary),
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
}
