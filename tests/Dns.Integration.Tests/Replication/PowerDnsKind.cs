using System.Diagnostics;

namespace Dns.Integration.Tests;

/// <summary>
/// How PowerDNS is set up in each role. Its zones are in a database, made and filled by its own tool.
/// </summary>
internal static class PowerDnsKind
{
    private const string Server = "/usr/sbin/pdns_server";
    private const string Tool = "/usr/bin/pdnsutil";
    private const string Schema = "/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql";

    /// <summary>Makes a primary, which notifies by itself within a second or two.</summary>
    /// <param name="secret">
    /// The secret of the key <c>k1.</c>, hmac-sha256, in base 64; null = transfers are not signed.
    /// </param>
    /// <param name="notified">
    /// The port on loopback that is notified of changes, with the key if there is one; null = no server is.
    /// </param>
    public static PeerKind Primary(string? secret, int? notified = null) =>
        Make(
            notified,
            zones => [.. zones.Select(zone => Zone(zone, "MASTER")), .. Key(zones, "TSIG-ALLOW-AXFR", secret)],
            hasFiles: true);

    /// <summary>Creates a secondary that uses IXFR.</summary>
    /// <param name="primary">The port of the primary on loopback.</param>
    /// <param name="secret">
    /// The secret of the key <c>k1.</c>, hmac-sha256, in base 64; null = transfers are not signed.
    /// </param>
    public static PeerKind Secondary(int primary, string? secret) =>
        Make(
            notified: null,
            zones =>
            [
                .. zones.Select(zone => Zone(zone, "SLAVE", primary)),
                .. zones.Select(zone => Metadata(zone, "IXFR", "1")),
                .. Key(zones, "AXFR-MASTER-TSIG", secret),
            ],
            hasFiles: false);

    /// <summary>Makes a primary of a catalog whose members, of the group <c>g1</c>, are the zones.</summary>
    /// <param name="catalog">The name of the catalog.</param>
    public static PeerKind Producer(string catalog) =>
        Make(
            notified: null,
            zones =>
            [
                Zone(catalog, "PRODUCER"),
                "insert into records (domain_id, name, type, content, ttl, prio) "
                    +
                    $"select id, name, 'SOA', 'invalid invalid 1 60 60 86400 0', 0, 0 from domains where name = " +
                    $"'{catalog}'",
                .. zones.Select(zone => Zone(zone, "MASTER")),
                .. zones.Select(zone =>
                    $$$"""update domains set catalog = '{{{catalog}}}', options = '{"producer":{"group":["g1"]}}' where name = '{{{zone}}}'"""),
            ],
            hasFiles: true);

    /// <summary>Makes a secondary of a catalog and of its members.</summary>
    /// <param name="catalog">The name of the catalog.</param>
    /// <param name="primary">The port of the primary of all of them on loopback.</param>
    public static PeerKind Consumer(string catalog, int primary) =>
        Make(notified: null, _ => [Zone(catalog, "CONSUMER", primary)], hasFiles: false);

    /// <summary>Skips a test of this server if it or its database backend is missing; other tests run.</summary>
    public static void SkipIfMissing(string server)
    {
        if (server != "pdns") return;
        string[] missing = [.. new[] { Server, Tool, Schema }.Where(file => !File.Exists(file))];
        Assert.SkipWhen(missing.Length > 0,
            $"not installed (pdns-server, pdns-backend-sqlite3): {string.Join(", ", missing)}");
    }

    private static PeerKind Make(int? notified, Func<IReadOnlyList<string>, string[]> statements, bool hasFiles) =>
        // It takes a folder, and the name of the file is its own.
        new("pdns", Server, file => ["--config-dir=" + Path.GetDirectoryName(file)], (port, folder, state, zones) =>
        {
            string settings = Settings(port, state, notified), database = Path.Combine(state, "zones.sqlite3");
            File.WriteAllText(Path.Combine(state, "pdns.conf"), settings);
            File.Create(database).Dispose();
            string[] tables = File.ReadAllText(Schema)
                .Split(';', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
            RunTool(state, ["backend-cmd", "gsqlite3", .. tables, .. statements(zones)]);
            if (hasFiles) Load(folder, state, zones);
            return settings;
        })
        {
            Reload = hasFiles ? Load : null,
        };

    private static void Load(string folder, string state, IReadOnlyList<string> zones)
    {
        foreach (string zone in zones) RunTool(state, ["load-zone", zone, Path.Combine(folder, zone + ".zone")]);
    }

    private static string Settings(int port, string state, int? notified) => $"""
        launch=gsqlite3
        gsqlite3-database={state}/zones.sqlite3
        local-address=127.0.0.1
        local-port={port}
        socket-dir={state}
        primary=yes
        secondary=yes
        xfr-cycle-interval=1
        only-notify=
        also-notify={(notified is null ? "" : $"127.0.0.1:{notified}")}
        allow-axfr-ips=127.0.0.0/8
        cache-ttl=0
        query-cache-ttl=0
        negquery-cache-ttl=0
        zone-cache-refresh-interval=0
        zone-metadata-cache-ttl=0
        receiver-threads=1
        distributor-threads=1
        daemon=no
        guardian=no
        webserver=no
        """;

    private static string Zone(string zone, string kind, int? primary = null) =>
        $"insert into domains (name, type, master) values ('{zone}', '{kind}', " +
            $"'{(primary is null ? "" : $"127.0.0.1:{primary}")}')";

    private static string Metadata(string zone, string kind, string content) =>
        $"insert into domainmetadata (domain_id, kind, content) select id, '{kind}', '{content}' from domains where " +
            $"name = '{zone}'";

    private static IEnumerable<string> Key(IReadOnlyList<string> zones, string role, string? secret) => secret is null
        ? []
        : zones.Select(zone => Metadata(zone, role, "k1"))
            .Prepend($"insert into tsigkeys (name, algorithm, secret) values ('k1', 'hmac-sha256', '{secret}')");

    private static void RunTool(string state, string[] arguments)
    {
        ProcessStartInfo start = new(Tool, ["--config-dir=" + state, .. arguments])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        using Process process = Process.Start(start)!;
        Task<string> errors = process.StandardError.ReadToEndAsync();
        string output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        if (process.ExitCode != 0)
            throw new InvalidOperationException($"pdnsutil {arguments[0]}: {output}{errors.Result}");
    }
}
