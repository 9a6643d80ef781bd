using System.Collections;

namespace Dns.Import.Tests;

public sealed class UnboundImportTests : ImportTestBase
{
    private const string Forwarding = "\nforward-zone:\n  name: \".\"\n  forward-addr: 192.0.2.53\n";

    [Fact]
    public void Settings_of_unbound_are_translated()
    {
        var (options, notes, imported) = Import("unbound.conf", """
            server:
                interface: 192.0.2.1
                interface: 2001:db8::1@5353
                port: 5300
                access-control: 10.0.0.0/8 allow
                msg-cache-size: 50m
                rrset-cache-size: 100m
                cache-max-ttl: 86400
                cache-min-ttl: 60
                cache-max-negative-ttl: 3600
                serve-expired: yes
                serve-expired-ttl: 7200
                serve-expired-client-timeout: 1500
                prefetch: yes
                private-address: 10.0.0.0/8
                num-threads: 4
                num-queries-per-thread: 1024
                incoming-num-tcp: 100
                tcp-idle-timeout: 20000
                so-rcvbuf: 1m
                rrset-roundrobin: no
                deny-any: yes
                max-udp-size: 1232
                identity: "r1"
                verbosity: 1
                hide-version: yes
            remote-control:
                control-enable: yes
            forward-zone:
                name: "."
                forward-addr: 192.0.2.53
                forward-addr: 2001:db8::53@5353#dns.example
            forward-zone:
                name: corp.example
                forward-addr: 192.0.2.54@5300
            """);
        Assert.Equal(["192.0.2.1:5300", "[2001:db8::1]:5353"], options.Listen.Select(address => address.ToString()));
        Assert.Equal("127.0.0.0/8 10.0.0.0/8 ::1/128", string.Join(' ', options.Recursion.AllowFrom));
        Assert.Equal([". 192.0.2.53:53,[2001:db8::53]:5353", "corp.example. 192.0.2.54:5300"],
            options.Forward.Select(zone => $"{zone.Name} {string.Join(',', zone.Upstreams)}"));
        Assert.Equal((150L << 20, 86400, 60, 3600, 7200, true),
            (options.Cache.MaxBytes, (int)options.Cache.MaxTtl.TotalSeconds,
            (int)options.Cache.MinTtl.TotalSeconds, (int)options.Cache.MaxNegativeTtl.TotalSeconds,
            (int)options.Cache.ServeStale.TotalSeconds, options.Cache.Prefetch));
        Assert.Equal((1500, true, 4096), ((int)options.Recursion.AnswerWithin.TotalMilliseconds,
            options.Recursion.DropPrivateAddresses, options.Recursion.MaxInFlight));
        Assert.Equal((4, 100, 20, 1 << 20, false, true, 1232, "r1"),
            (options.Workers, options.Tcp.MaxConnections, (int)options.Tcp.IdleTimeout.TotalSeconds,
            options.Udp.ReceiveBufferBytes, options.RotateRRsets, options.MinimalAny, options.MaxUdpPayload,
            options.Identity));
        Assert.Equal(
            [
                "unbound.conf:25: cosmetic: verbosity: metrics, status page and log are the server's own",
                "unbound.conf:15: changes behaviour: private-address: Dns:Recursion:DropPrivateAddresses drops addresses " +
                    "that are not listed, of 0.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 " +
                    "192.168.0.0/16 fc00::/7 fe80::/9 :: ::1 (the server cannot)",
                "unbound.conf:5: access-control allow: changes behaviour: queries without RD (RD=0) are answered from " +
                    "the cache, Unbound refuses them except with allow_snoop (the server cannot)",
                "unbound.conf:27: cosmetic: remote-control: dnsd status and other commands query the running server",
            ],
            notes);
        Assert.False(imported.Diagnostics.IsBlocked);
    }

    [Theory]
    [InlineData("access-control: 10.0.0.0/8 allow\n  access-control: 10.128.0.0/9 refuse",
        "::1/128 10.0.0.0/9 127.0.0.0/8")]
    [InlineData("access-control: 10.128.0.0/9 deny\n  access-control: 10.0.0.0/8 allow",
        "::1/128 10.0.0.0/9 127.0.0.0/8")]
    [InlineData("access-control: 127.0.0.0/8 refuse", "::1/128")]
    [InlineData("access-control: 0.0.0.0/0 allow\n  access-control: 128.0.0.0/1 refuse_non_local", "::1/128 0.0.0.0/1")]
    [InlineData("access-control: 10.0.0.0/8 allow_cookie", "::1/128 127.0.0.0/8")]
    [InlineData("access-control: 10.0.0.0/8 allow\n  access-control: nonsense refuse", "")]
    [InlineData("access-control: 10.0.0.0/8 allow\n  access-control: 10.0.0.0/8 unheard-of", "")]
    [InlineData("access-control: 10.0.0.0/8 allow\n  interface-action: 192.0.2.1 refuse", "")]
    [InlineData("access-control: 10.0.0.0/8 allow\n  access-control: 10.0.0.0/8 refuse", "::1/128 127.0.0.0/8")]
    public void Who_may_ask_unbound_is_never_widened(string entries, string expected)
    {
        var (options, _, _) = Import("unbound.conf", $"server:\n  {entries}\n{Forwarding}");
        Assert.Equal(expected, string.Join(' ',
            options.Recursion.AllowFrom.Select(network => network.ToString()).Order(StringComparer.Ordinal)
            .OrderBy(network => !network.Contains(':'))));
    }

    [Theory]
    [InlineData("", "127.0.0.1:53 [::1]:53")]
    [InlineData("do-ip6: no", "127.0.0.1:53")]
    [InlineData("interface-automatic: yes", "0.0.0.0:53 [::]:53")]
    [InlineData("interface: 192.0.2.1\n  interface: 192.0.2.1@853\n  tls-service-key: k", "192.0.2.1:53")]
    [InlineData("interface: 192.0.2.1\n  interface: 192.0.2.1@443", "192.0.2.1:53")]
    [InlineData("interface: 192.0.2.1\n  interface: ::1\n  do-ip6: no", "192.0.2.1:53")]
    [InlineData("interface:192.0.2.1\n  port:5300", "192.0.2.1:5300")]
    public void Unbound_is_listened_to_where_it_listens_in_the_clear(string lines, string expected) => Assert.Equal(
        expected,
        string.Join(' ', Import("unbound.conf", $"server:\n  {lines}\n{Forwarding}", "unbound").Options.Listen));

    [Theory]
    [InlineData("forward-zone:\n  name: a.example\n  forward-addr: 192.0.2.53\n  forward-tls-upstream: yes\n",
        "upstreams over TLS: they are not queried without encryption")]
    [InlineData("server:\n  tls-upstream: yes\nforward-zone:\n  name: a.example\n  forward-addr: 192.0.2.53\n",
        "upstreams over TLS: they are not queried without encryption")]
    [InlineData("forward-zone:\n  name: a.example\n  forward-host: dns.example\n",
        "forward-host: upstreams are addresses; set them in Dns:Forward")]
    [InlineData("auth-zone:\n  name: a.example\n  url: https://example/a\n",
        "auth-zone url: zones are transferred, never fetched over HTTP")]
    [InlineData("auth-zone:\n  name: a.example\n  primary: 192.0.2.1@853#ns.example\n",
        "primary: 192.0.2.1@853#ns.example over TLS: it is not queried without encryption")]
    [InlineData("auth-zone:\n  name: a.example\n  master: ns.example\n",
        "master: ns.example is not the address of a server")]
    [InlineData("auth-zone:\n  name: a.example\n  primary: 192.0.2.1\n  allow-notify: ns.example\n",
        "allow-notify: ns.example is not a network")]
    public void What_unbound_asks_otherwise_blocks_the_move_and_is_not_forwarded(string text, string expected)
    {
        var (options, notes, _) = Import("unbound.conf", text, "unbound");
        Assert.Empty(options.Forward);
        Assert.Contains(notes, note => note.Contains("zone a.example: blocks the move: " + expected));
    }

    [Fact]
    public void An_auth_zone_with_primaries_is_a_secondary_that_takes_notify_from_them_and_from_those_listed()
    {
        var (options, notes, _) = Import("unbound.conf", """
            auth-zone:
              name: a.example
              primary: 192.0.2.1
              master: 2001:db8::1@5300
              url: https://example/a
              allow-notify: 192.0.2.128/25
              zonefile: a.zone
            auth-zone:
              name: b.example
              primary: 192.0.2.1
            """ + Forwarding);
        Assert.Equal(["192.0.2.1:53", "[2001:db8::1]:5300"], options.Zones[0].Primaries.Select(one => one.ToString()));
        Assert.Equal(["192.0.2.1", "2001:db8::1", "192.0.2.128/25"],
            options.Zones[0].Policy!.AllowNotify!.Rules.Select(one => one.ToString()));
        Assert.Null(options.Zones[1].Policy?.AllowNotify);
        Assert.DoesNotContain(notes, note => note.Contains("blocks the move"));
    }

    [Fact]
    public void Without_a_forward_zone_of_the_root_unbound_resolves_names_which_blocks_the_move()
    {
        Assert.Contains(
            "unbound.conf:1: blocks the move: recursion without a forward-zone for \".\": names are forwarded, " +
                "never resolved from the "
            + "root; set Dns:Forward for \".\" (the server cannot)",
            Import("unbound.conf", "server:\n  num-threads: 1\n").Notes);
        Assert.False(Import("unbound.conf", "server:\n  num-threads: 1\n" + Forwarding).Imported.Diagnostics.IsBlocked);
    }

    [Fact]
    public void A_stub_zone_is_forwarded_and_an_auth_zone_with_a_file_is_served_to_those_who_may_ask()
    {
        var (options, notes, imported) = Import("unbound.conf", """
            server:
              access-control: 10.0.0.0/8 allow
              directory: "zones"
            stub-zone:
              name: corp.example
              stub-addr: 192.0.2.54
            auth-zone:
              name: a.example
              zonefile: a.zone
            """ + Forwarding);
        Assert.Equal(["a.example. zones/a.zone"], Zones(options));
        Assert.Equal(["[127.0.0.0/8,10.0.0.0/8,::1]"], ListsOf(imported));
        Assert.Contains(options.Forward, zone => zone.Name.ToString() == "corp.example.");
        Assert.Equal(
            ["unbound.conf:4: zone corp.example: changes behaviour: stub-zone: its servers are queried as upstreams " +
                "(RD=1), "
            + "their referrals are not followed (the server cannot)"],
            notes.Where(note => !note.Contains("access-control allow: ")));
    }

    [Fact]
    public async Task Local_zones_and_data_are_zones_with_files_beside_the_settings()
    {
        string file = Folder.Write("unbound.conf", """
            server:
              access-control: 10.0.0.0/8 allow
              access-control: 192.0.2.0/24 refuse_non_local
              local-zone: "lan.example." static
              local-data: "nas.lan.example. IN A 10.0.0.2"
              local-data: 'nas.lan.example. TXT "two words"'
              local-zone: "pages.example" redirect
              local-data: "pages.example. 60 A 10.0.0.3"
              local-zone: "ads.example" always_nxdomain
              local-zone: "track.example" always_null
              local-zone: "no.example" refuse
              local-data: "printer.other.example A 10.0.0.4"
              local-data-ptr: "10.0.0.4 3600 printer.other.example"
              local-zone: "view.example" block_a
            """ + Forwarding);
        string target = Path.Combine(Folder.Root, "dnsd.json");
        using StringWriter output = new(), errors = new();
        Assert.Equal(3, await DnsdCommand.InvokeAsync(["import", file, "-o", target], output, errors));
        Assert.Contains("local-zone of type block_a (the importer cannot)", errors.ToString());
        Assert.DoesNotContain("its file", errors.ToString());
        Settings settings = SettingsReader.Read(new() { ConfigFile = target }, new Hashtable());
        Assert.Empty(settings.Problems);
        Assert.Equal(
            [
                "lan.example. dnsd.local-zones/local-lan.example.zone",
                "pages.example. dnsd.local-zones/local-pages.example.zone",
                "ads.example. dnsd.local-zones/empty.zone", "track.example. dnsd.local-zones/null.zone",
                "no.example. dnsd.local-zones/empty.zone",
                "printer.other.example. dnsd.local-zones/local-printer.other.example.zone",
                "4.0.0.10.in-addr.arpa. dnsd.local-zones/local-4.0.0.10.in-addr.arpa.zone",
            ],
            Zones(settings.Options));
        Assert.Equal(0, await DnsdCommand.InvokeAsync(["check", "--config", target], output, errors));
        Assert.Contains("zones: 7 good", output.ToString());
        string pages = File.ReadAllText(Path.Combine(Folder.Root, "dnsd.local-zones", "local-pages.example.zone"));
        Assert.Contains("*.pages.example. 60 A 10.0.0.3\n", pages);
        string json = File.ReadAllText(target);
        Assert.Contains("192.0.2.0/24", json[json.IndexOf("\"Zones\"", StringComparison.Ordinal)..]);
        Assert.DoesNotContain("192.0.2.0/24",
            json[json.IndexOf("\"AllowFrom\"", StringComparison.Ordinal)..json.IndexOf("\"Zones\"",
                StringComparison.Ordinal)]);
        Assert.Equal(1, await DnsdCommand.InvokeAsync(["import", file, "-o", Path.Combine(Folder.Root, "dnsd.other")],
            output, errors));
        Assert.Contains("already exists", errors.ToString());
        Assert.False(File.Exists(Path.Combine(Folder.Root, "dnsd.other")));
    }

    [Theory]
    [InlineData("local-data: \"$INCLUDE /etc/passwd\"")]
    [InlineData("local-data: \"onlyname\"")]
    [InlineData("local-data-ptr: \"nonsense a.example\"")]
    [InlineData("local-zone: \"a.example\" static\n  local-data: \"a.example. CNAME b.example.\"")]
    public void Local_data_that_is_no_record_of_a_zone_blocks_the_move(string lines)
    {
        var (options, _, imported) = Import("unbound.conf", $"server:\n  {lines}\n{Forwarding}", "unbound", "files");
        Assert.Empty(options.Zones);
        Assert.Empty(imported.Files);
        Assert.True(imported.Diagnostics.IsBlocked);
    }

    [Theory]
    [InlineData("transparent", "c.example", false)]
    [InlineData("typetransparent", "c.example", true)]
    [InlineData("typetransparent", "www.c.example", true)]
    [InlineData("typetransparent", "d.example", false)]
    public void Other_types_of_local_data_of_a_typetransparent_zone_are_missed(
        string type, string owner, bool isBlocked)
    {
        var (options, notes, imported) = Import("unbound.conf", $"""
            server:
              local-zone: "c.example" {type}
              local-data: "{owner} A 10.0.0.1"{Forwarding}
            """, "unbound", "files");
        Assert.Single(options.Zones);
        Assert.Equal(isBlocked, imported.Diagnostics.IsBlocked);
        Assert.Equal(isBlocked, notes.Contains($"unbound.conf:3: {owner}.: blocks the move: typetransparent: other " +
            "types of the name are not forwarded, they get NODATA (the server cannot)"));
    }

    [Theory]
    [InlineData("always_nxdomain", "transparent", "good.ads.example.")]
    [InlineData("static", "always_transparent", "good.ads.example.")]
    [InlineData("redirect", "inform", "good.ads.example.")]
    [InlineData("refuse", "typetransparent", "good.ads.example.")]
    [InlineData("transparent", "nodefault", null)]
    [InlineData("transparent", "static", "other.good.ads.example.")]
    [InlineData("static", "refuse", "other.good.ads.example.")]
    public void A_local_zone_that_passes_names_on_below_one_that_answers_is_forwarded(
        string outer, string type, string? exception)
    {
        var (options, _, imported) = Import("unbound.conf", $"""
            server:
              local-zone: "ads.example" {outer}
              local-zone: "good.ads.example" {type}
              local-zone: "other.good.ads.example" transparent
            forward-zone:
              name: "example"
              forward-addr: 192.0.2.54{Forwarding}
            """, "unbound", "files");
        List<string> expected = ["example. 192.0.2.54:53", ". 192.0.2.53:53"];
        if (exception is not null) expected.Add(exception + " 192.0.2.54:53");
        Assert.Equal(
            expected, options.Forward.Select(zone => $"{zone.Name} {string.Join(',', zone.Upstreams)}"));
        Assert.False(imported.Diagnostics.IsBlocked);
    }

    [Fact]
    public void A_forward_zone_below_a_local_zone_that_answers_is_left_out()
    {
        var (options, notes, imported) = Import("unbound.conf", """
            server:
              local-zone: "corp.example" static
              local-zone: "open.corp.example" transparent
              local-zone: "." refuse
              local-zone: "com" transparent
            forward-zone:
              name: "dept.corp.example"
              forward-addr: 192.0.2.54
            forward-zone:
              name: "corp.example"
              forward-addr: 192.0.2.55
            forward-zone:
              name: "in.open.corp.example"
              forward-addr: 192.0.2.56
            forward-zone:
              name: "."
              forward-addr: 192.0.2.57
            """, "unbound", "files");
        Assert.Equal(
            ["in.open.corp.example. 192.0.2.56:53", "open.corp.example. 192.0.2.55:53", "com. 192.0.2.57:53"],
            options.Forward.Select(zone => $"{zone.Name} {string.Join(',', zone.Upstreams)}"));
        Assert.Equal(["corp.example.", "."], options.Zones.Select(zone => zone.Name!.ToString()));
        Assert.Equal(
            ["unbound.conf:6: zone dept.corp.example", "unbound.conf:9: zone corp.example", "unbound.conf:15: zone ."],
            notes.Where(note => note.Contains("its names are answered by a local zone"))
                .Select(note => note[..note.IndexOf(": cosmetic", StringComparison.Ordinal)]));
        Assert.False(imported.Diagnostics.IsBlocked);
    }

    [Theory]
    [InlineData("block_a")]
    [InlineData("noview")]
    public void Forward_zones_below_a_local_zone_that_is_not_translated_stay(string type)
    {
        var (options, _, imported) =
            Import("unbound.conf", $"server:\n  local-zone: \".\" {type}\n{Forwarding}", "unbound", "files");
        Assert.Equal([DomainName.Root], options.Forward.Select(zone => zone.Name));
        Assert.True(imported.Diagnostics.IsBlocked);
    }

    [Fact]
    public void Names_that_are_passed_on_without_an_upstream_block_the_move()
    {
        var (_, notes, _) = Import("unbound.conf", """
            server:
              local-zone: "ads.example" static
              local-zone: "good.ads.example" transparent
            """, "unbound", "files");
        Assert.Contains(
            "unbound.conf:3: good.ads.example.: blocks the move: transparent: its names are not forwarded (the importer cannot)",
            notes);
    }

    [Theory]
    [InlineData("refuse", "www.no.example", true, false)]
    [InlineData("deny", "www.no.example", true, false)]
    [InlineData("inform_deny", "no.example", false, true)]
    [InlineData("always_refuse", "www.no.example", false, false)]
    public void Local_data_of_a_zone_that_refuses_other_names_is_a_zone(
        string type, string owner, bool isZone, bool isBlocked)
    {
        var (options, notes, imported) = Import("unbound.conf", $"""
            server:
              local-zone: "no.example" {type}
              local-data: "{owner} A 10.0.0.1"{Forwarding}
            """, "unbound", "files");
        Assert.Equal(isZone ? ["no.example.", owner + "."] : ["no.example."],
            options.Zones.Select(zone => zone.Name!.ToString()));
        Assert.Equal(isZone, notes.Contains(
            $"unbound.conf:3: {owner}.: changes behaviour: local data of a {type} zone: the "
                + "name is a zone, so that names below it do not exist (the server cannot)"));
        Assert.Equal(isBlocked, imported.Diagnostics.IsBlocked);
    }

    [Fact]
    public void Local_data_of_a_name_that_begins_with_an_asterisk_becomes_a_wildcard()
    {
        var (_, notes, _) = Import("unbound.conf",
            $"server:\n  local-zone: a.example static\n  local-data: \"*.a.example A 10.0.0.1\"\n{Forwarding}", "unbound", "files");
        Assert.Contains(notes,
            note => note.Contains("*.a.example.: changes behaviour: local data of a name that begins with *"));
    }

    [Theory]
    [InlineData("10.in-addr.arpa", "nodefault", true)]
    [InlineData("7.10.in-addr.arpa.", "transparent", true)]
    [InlineData("home.arpa", "always_transparent", true)]
    [InlineData("11.in-addr.arpa", "nodefault", false)]
    [InlineData("in-addr.arpa", "transparent", false)]
    [InlineData("10.in-addr.arpa", "static", false)]
    public void A_local_zone_that_passes_built_in_names_on_changes_behaviour(string zone, string type, bool isTold)
    {
        var (_, notes, _) = Import(
            "unbound.conf", $"server:\n  local-zone: {zone} {type}\n{Forwarding}", "unbound", "files");
        Assert.Equal(isTold, notes.Any(note => note.Contains("changes behaviour")
            && note.Contains($"{type}: its names are answered here, unless a forward zone has them")));
        if (isTold) Assert.Single(notes);
    }

    [Fact]
    public void Local_zones_without_a_place_for_their_files_block_the_move()
    {
        var (_, notes, imported) =
            Import("unbound.conf", $"server:\n  local-zone: a.example static\n{Forwarding}", "unbound");
        Assert.Equal(
            ["unbound.conf:2: blocks the move: local zones and data: their zone files are written beside the " +
                "settings, with --output "
            + "(the importer cannot)"], notes);
        Assert.Empty(imported.Zones);
    }
}
