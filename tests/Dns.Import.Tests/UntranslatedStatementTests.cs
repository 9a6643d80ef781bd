namespace Dns.Import.Tests;

/// <summary>What untranslated statements are reported to change, and that their defaults are not reported.</summary>
public sealed class UntranslatedStatementTests : ImportTestBase
{
    private const string Changes = "changes behaviour", Blocks = "blocks the move";

    private string? SeverityOf(string name, string from, string statement, string text)
    {
        string key = statement.Split(' ', ':')[0];
        string[] notes = [.. Import(name, text, from).Notes.Where(note => note.Contains($": {key}: "))];
        return notes.Length == 0 ? null
            : Assert.Single(new[] { Changes, Blocks, "cosmetic" }, word => notes.All(note => note.Contains(word)));
    }

    [Theory]
    [InlineData("request-expire no", Changes)]
    [InlineData("request-expire yes", null)]
    [InlineData("request-ixfr 1", null)]
    [InlineData("provide-ixfr no", Changes)]
    [InlineData("provide-ixfr true", null)]
    [InlineData("transfer-format one-answer", Changes)]
    [InlineData("try-tcp-refresh no", Changes)]
    [InlineData("notify-to-soa yes", Changes)]
    [InlineData("notify-to-soa no", null)]
    [InlineData("max-refresh-time 3600", Changes)]
    [InlineData("max-refresh-time 2419200", null)]
    [InlineData("max-retry-time 3600", Changes)]
    [InlineData("min-retry-time 3600", Changes)]
    [InlineData("max-transfer-time-out 1", Changes)]
    [InlineData("max-transfer-idle-in 60", null)]
    [InlineData("max-records 10", Changes)]
    [InlineData("max-zone-ttl 1d", Changes)]
    [InlineData("max-zone-ttl unlimited", null)]
    [InlineData("stale-answer-ttl 1", Changes)]
    [InlineData("stale-answer-ttl 30s", null)]
    [InlineData("resolver-query-timeout 30000", Changes)]
    [InlineData("servfail-ttl 0", Changes)]
    [InlineData("cookie-algorithm aes", Changes)]
    [InlineData("tkey-gssapi-keytab \"k\"", Changes)]
    [InlineData("sig-validity-interval 60", Changes)]
    [InlineData("nxdomain-redirect \"a.example\"", Blocks)]
    [InlineData("notify-rate 5", "cosmetic")]
    public void Statements_of_bind_have_their_severity(string statement, string? severity) =>
        Assert.Equal(severity, SeverityOf("named.conf", "bind", statement,
            $"options {{ recursion no; {statement}; }};\n"));

    [Fact]
    public void Names_of_answers_that_bind_rejects_are_reported() => Assert.Equal(
        ["named.conf:1: options: changes behaviour: check-names response: names of answers are not checked (the server "
            + "cannot)"],
        Import("named.conf", "options { recursion no; check-names response fail; };\n", "bind").Notes);

    [Theory]
    [InlineData("allow-axfr-fallback: no", Changes)]
    [InlineData("allow-axfr-fallback: yes", null)]
    [InlineData("size-limit-xfr: 1000", Changes)]
    [InlineData("multi-primary-check: yes", Changes)]
    [InlineData("max-refresh-time: 60", Changes)]
    [InlineData("max-retry-time: 60", Changes)]
    [InlineData("max-retry-time: 1209600", null)]
    [InlineData("min-retry-time: 60", Changes)]
    [InlineData("min-retry-time: 0", null)]
    [InlineData("min-expire-time: 60", Changes)]
    [InlineData("min-expire-time: 0", null)]
    [InlineData("notify-retry: 2", "cosmetic")]
    public void Statements_of_secondaries_of_nsd_have_their_severity(string statement, string? severity)
    {
        string Zone(string peer) => $"zone:\n  name: a.example\n  zonefile: a\n  {peer}\n  {statement}\n";
        Assert.Equal(severity, SeverityOf("nsd.conf", "nsd", statement, Zone("request-xfr: 192.0.2.1 NOKEY")));
        Assert.Equal(severity == Changes ? null : severity,
            SeverityOf("nsd.conf", "nsd", statement, Zone("provide-xfr: 192.0.2.1 NOKEY")));
        Assert.Equal(severity, SeverityOf("nsd.conf", "nsd", statement,
            "pattern:\n  name: members\n  request-xfr: 192.0.2.1 NOKEY\n  " + statement
                + "\nzone:\n  name: c.example\n  request-xfr: 192.0.2.1 NOKEY\n  catalog: consumer\n"
                + "  catalog-member-pattern: members\n"));
    }

    [Theory]
    [InlineData("drop-updates: yes", Changes)]
    [InlineData("drop-updates: no", null)]
    [InlineData("bindtodevice: yes", Changes)]
    [InlineData("ip-transparent: yes", Changes)]
    [InlineData("ip-freebind: no", null)]
    [InlineData("confine-to-zone: no", null)]
    [InlineData("tcp-mss: 1220", "cosmetic")]
    public void Statements_of_nsd_have_their_severity(string statement, string? severity) =>
        Assert.Equal(severity, SeverityOf("nsd.conf", "nsd", statement, $"server:\n  {statement}\n"));

    [Theory]
    [InlineData("expire-min-interval: 1h", Changes)]
    [InlineData("expire-min-interval: 3", null)]
    [InlineData("expire-max-interval: 1d", Changes)]
    [InlineData("refresh-max-interval: 1h", Changes)]
    [InlineData("refresh-max-interval: 28d", null)]
    [InlineData("retry-max-interval: 1h", Changes)]
    [InlineData("retry-min-interval: 1h", Changes)]
    [InlineData("retry-min-interval: 1", null)]
    public void Times_of_secondaries_of_knot_have_their_severity(string statement, string? severity)
    {
        string Zone(string peer) => "remote:\n  - id: r\n    address: 192.0.2.1\nzone:\n  - domain: a.example\n    "
            + $"{peer}: r\n    {statement}\n";
        Assert.Equal(severity, SeverityOf("knot.conf", "knot", statement, Zone("master")));
        Assert.Null(SeverityOf("knot.conf", "knot", statement, Zone("notify")));
        Assert.Equal(severity, SeverityOf("knot.conf", "knot", statement,
            "remote:\n  - id: r\n    address: 192.0.2.1\ntemplate:\n  - id: members\n    master: r\n    " + statement
                + "\nzone:\n  - domain: c.example\n    master: r\n    catalog-role: interpret\n"
                + "    catalog-template: members\n"));
    }

    [Theory]
    [InlineData("provide-ixfr: off", Changes)]
    [InlineData("provide-ixfr: on", null)]
    [InlineData("provide-ixfr: true", null)]
    [InlineData("dnssec-validation: on", Changes)]
    [InlineData("dnssec-validation: off", null)]
    [InlineData("zonemd-verify: on", Changes)]
    [InlineData("journal-content: none", null)]
    [InlineData("journal-content: all", "cosmetic")]
    public void Statements_of_knot_have_their_severity(string statement, string? severity) =>
        Assert.Equal(severity, SeverityOf("knot.conf", "knot", statement,
            $"zone:\n  - domain: a.example\n    {statement}\n"));

    [Theory]
    [InlineData("cds-cdnskey-publish: none", Changes)]
    [InlineData("cds-cdnskey-publish: rollover", null)]
    [InlineData("cds-digest-type: sha384", Changes)]
    [InlineData("cds-digest-type: sha256", null)]
    public void Statements_of_policies_of_knot_have_their_severity(string statement, string? severity) =>
        Assert.Equal(severity, SeverityOf("knot.conf", "knot", statement,
            $"policy:\n  - id: p\n    {statement}\nzone:\n  - domain: a.example\n    dnssec-signing: on\n"
                + "    dnssec-policy: p\n"));

    [Theory]
    [InlineData("badcookie-slip: 2", Changes)]
    [InlineData("badcookie-slip: 1", "cosmetic")]
    public void Cookies_of_knot_have_their_severity(string statement, string severity) =>
        Assert.Equal(severity, SeverityOf("knot.conf", "knot", statement,
            $"mod-cookies:\n  - id: c\n    {statement}\nzone:\n  - domain: a.example\n    module: mod-cookies/c\n"));

    [Theory]
    [InlineData("serve-original-ttl: yes", Changes)]
    [InlineData("serve-expired-reply-ttl: 5", Changes)]
    [InlineData("serve-expired-reply-ttl: 0", Changes)]
    [InlineData("serve-expired-reply-ttl: 30", null)]
    [InlineData("serve-expired-ttl-reset: yes", Changes)]
    [InlineData("cache-min-negative-ttl: 60", Changes)]
    [InlineData("tcp-connection-limit: 192.0.2.0/24 10", Changes)]
    [InlineData("do-tcp: no", Changes)]
    [InlineData("do-udp: yes", null)]
    [InlineData("udp-connect: yes", "cosmetic")]
    [InlineData("interface-automatic-ports: \"53 5353\"", Blocks)]
    [InlineData("ip-freebind: yes", Changes)]
    public void Statements_of_unbound_have_their_severity(string statement, string? severity) =>
        Assert.Equal(severity, SeverityOf("unbound.conf", "unbound", statement, $"server:\n  {statement}\n"));

    [Theory]
    [InlineData("fallback-enabled: yes", Changes)]
    [InlineData("zonemd-check: yes", Changes)]
    [InlineData("zonemd-reject-absence: no", null)]
    [InlineData("for-upstream: yes", null)]
    public void Statements_of_auth_zones_of_unbound_have_their_severity(string statement, string? severity) =>
        Assert.Equal(severity, SeverityOf("unbound.conf", "unbound", statement,
            $"server:\nauth-zone:\n  name: a.example\n  primary: 192.0.2.1\n  {statement}\n"));

    [Theory]
    [InlineData("refresh-min-interval: 5m", "00:05:00", true)]
    [InlineData("refresh-min-interval: 300\n    retry-min-interval: 300", "00:05:00", false)]
    [InlineData("refresh-min-interval: 2", null, false)]
    [InlineData("", null, false)]
    public void The_least_refresh_of_knot_is_that_of_the_zone(string statements, string? expected, bool isReported)
    {
        var (options, notes, _) = Import("knot.conf", "remote:\n  - id: r\n    address: 192.0.2.1\nzone:\n"
            + $"  - domain: a.example\n    master: r\n    {statements}\n", "knot");
        Assert.Equal(expected, Assert.Single(options.Zones).MinRefresh?.ToString());
        Assert.Equal(isReported
            ? ["knot.conf:7: zone a.example: changes behaviour: refresh-min-interval: MinRefresh is the minimum of "
                + "RETRY too (the server cannot)"] : [], notes);
    }

    [Theory]
    [InlineData("min-refresh-time: 300", "00:05:00", true)]
    [InlineData("min-refresh-time: 300\n  min-retry-time: 300", "00:05:00", false)]
    [InlineData("min-refresh-time: 0", null, false)]
    [InlineData("min-refresh-time: soon", null, true)]
    public void The_least_refresh_of_nsd_is_that_of_the_zone(string statements, string? expected, bool isReported)
    {
        var (options, notes, _) = Import("nsd.conf",
            $"zone:\n  name: a.example\n  request-xfr: 192.0.2.1 NOKEY\n  {statements}\n", "nsd");
        Assert.Equal(expected, Assert.Single(options.Zones).MinRefresh?.ToString());
        Assert.Equal(isReported ? 1 : 0, notes.Length);
        Assert.All(notes, note => Assert.Contains("changes behaviour: min-refresh-time: ", note));
    }

    [Theory]
    [InlineData("", "min-refresh-time 300;", "00:05:00", null)]
    [InlineData("min-refresh-time 60;", "min-refresh-time 300;", "00:01:00", "00:05:00")]
    [InlineData("min-refresh-time 60;", "", "00:01:00", null)]
    public void The_least_refresh_of_bind_is_that_of_the_options_or_the_zone(string outer, string inner,
        string ofOptions, string? ofZone)
    {
        var (options, notes, _) = Import("named.conf", $$"""
            options { recursion no; {{outer}} };
            zone "a.example" { type secondary; primaries { 192.0.2.1; }; {{inner}} };
            """, "bind");
        if (outer.Length > 0) Assert.Equal((ofOptions, ofZone),
            (options.MinRefresh.ToString(), Assert.Single(options.Zones).MinRefresh?.ToString()));
        else Assert.Equal(ofOptions, Assert.Single(options.Zones).MinRefresh?.ToString());
        Assert.Equal(new[] { outer, inner }.Count(text => text.Length > 0), notes.Count(note =>
            note.EndsWith("changes behaviour: min-refresh-time: MinRefresh is the minimum of RETRY too (the server "
                + "cannot)")));
    }

    [Theory]
    [InlineData("allow", "queries without RD (RD=0) are answered from the cache, Unbound refuses them except with " +
        "allow_snoop")]
    [InlineData("allow_setrd", "queries without RD (RD=0) are answered from the cache only, no upstream is queried")]
    [InlineData("allow_snoop", null)]
    public void What_becomes_of_queries_without_rd_is_reported_once(string action, string? expected)
    {
        var (_, notes, _) = Import("unbound.conf", $"server:\n  access-control: 10.0.0.0/8 {action}\n"
            + $"  access-control: 192.0.2.0/24 {action}\nforward-zone:\n  name: .\n  forward-addr: 192.0.2.53\n");
        Assert.Equal(expected is null ? []
            : [$"unbound.conf:2: access-control {action}: changes behaviour: {expected} (the server cannot)"], notes);
    }

    private const string Usual = "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 169.254.0.0/16 fc00::/7 fe80::/9",
        Rest = "0.0.0.0/8 100.64.0.0/10 127.0.0.0/8 ::/127";

    [Theory]
    [InlineData(Usual, "DropPrivateAddresses drops addresses that are not listed, of 0.0.0.0/8 100.64.0.0/10 "
        + "127.0.0.0/8 :: ::1")]
    [InlineData(Usual + " " + Rest, null)]
    [InlineData(Usual + " " + Rest + " 203.0.113.0/24",
        "private-address 203.0.113.0/24: not all of its addresses are dropped by Dns:Recursion:DropPrivateAddresses")]
    [InlineData(Usual + " " + Rest + " 172.0.0.0/8", "private-address 172.0.0.0/8: not all")]
    [InlineData(Usual + " " + Rest + " ::ffff:0:0/96", "private-address ::ffff:0:0/96: not all")]
    public void Private_addresses_of_unbound_that_differ_are_reported(string networks, string? expected)
    {
        string[] lines = [.. networks.Split(' ').Select(network => $"  private-address: {network}\n")];
        var (options, notes, _) = Import("unbound.conf",
            $"server:\n{string.Concat(lines)}forward-zone:\n  name: .\n  forward-addr: 192.0.2.53\n");
        Assert.True(options.Recursion.DropPrivateAddresses);
        if (expected is null) Assert.Empty(notes);
        else Assert.Contains(expected, Assert.Single(notes, note => note.Contains(Changes)));
    }

    [Theory]
    [InlineData("unbound.conf", "yes", "")]
    [InlineData("unbound.conf", "no", "r1 v1")]
    [InlineData("nsd.conf", "yes", "")]
    [InlineData("nsd.conf", "no", "r1 v1")]
    public void An_identity_and_a_version_that_are_hidden_stay_so(string name, string isHidden, string expected)
    {
        var (options, _, _) = Import(name, $"server:\n  identity: r1\n  version: v1\n  hide-identity: {isHidden}\n"
            + $"  hide-version: {isHidden}\n", name.Split('.')[0]);
        Assert.Equal(expected, $"{options.Identity} {options.Version}".Trim());
    }

    [Fact]
    public void A_raw_zone_file_of_the_options_of_bind_blocks_the_move() =>
        Assert.Equal(Blocks, SeverityOf("named.conf", "bind", "masterfile-format raw", """
            options { recursion no; masterfile-format raw; };
            zone "a.example" { type primary; file "a"; };
            """));

    [Fact]
    public void A_forced_axfr_of_nsd_is_reported() => Assert.Contains(
        "request-xfr AXFR: IXFR is requested of all primaries",
        Assert.Single(
            Import("nsd.conf", "zone:\n  name: a.example\n  request-xfr: AXFR 192.0.2.1 NOKEY\n", "nsd").Notes));

    [Fact]
    public void The_key_of_a_server_of_bind_may_be_in_an_included_file()
    {
        Folder.Write("keys.inc", "keys { k1 };\n");
        var (options, _, imported) = Import("named.conf", """
            key "k1" { algorithm hmac-sha256; secret "MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTI="; };
            options { recursion no; };
            server 192.0.2.1 { include "keys.inc"; };
            zone "a.example" { type secondary; primaries { 192.0.2.1; }; };
            """, "bind");
        Assert.Empty(imported.Diagnostics.Errors);
        Assert.Equal("192.0.2.1:53 key:k1.", Assert.Single(Assert.Single(options.Zones).Primaries!).ToString());
    }
}
