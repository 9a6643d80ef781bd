namespace Dns.Import.Tests;

public sealed class ImportTests : ImportTestBase
{
    [Fact]
    public void Zones_addresses_and_forwarding_of_bind_are_translated()
    {
        Folder.Write("more/local.conf", "zone \"c.example\" { type primary; file \"c.db\"; };\n");
        var (options, notes, _) = Import("named.conf", """
            // What we have, in one file.
            acl "ours" { 192.0.2.0/24; 2001:db8::/32; };
            options {
                directory "zones";       # relative to this file
                listen-on port 5353 { 192.0.2.1; };
                listen-on-v6 { any; };
                recursion yes;
                allow-recursion { localhost; ours; };
                forwarders { 192.0.2.53; 2001:db8::53 port 5300; };
                forward only;
                server-id "ns1"; version "none of yours";
                max-udp-size 1400;
                allow-query { any; };
            };
            zone "a.example" IN { type master; file "a.db"; };
            /* two comments
               in one */ zone "." { type hint; file "root"; };
            zone "b.example" { type forward; forward only; forwarders { 192.0.2.54; }; };
            include "more/*.conf";
            """);
        Assert.Equal(["a.example. zones/a.db", "c.example. zones/c.db"], Zones(options));
        Assert.Equal(["192.0.2.1:5353", "[::]:53"], options.Listen.Select(address => address.ToString()));
        Assert.Equal([". 192.0.2.53:53,[2001:db8::53]:5300", "b.example. 192.0.2.54:53"],
            options.Forward.Select(zone => $"{zone.Name} {string.Join(',', zone.Upstreams)}"));
        Assert.Equal(["127.0.0.0/8", "::1/128", "192.0.2.0/24", "2001:db8::/32"],
            options.Recursion.AllowFrom.Select(network => network.ToString()));
        Assert.Equal(("ns1", "none of yours", 1400), (options.Identity, options.Version, options.MaxUdpPayload));
        Assert.Equal(
            [
                "named.conf:17: zone .: cosmetic: hints of the root are not needed: names are forwarded, not " +
                    "resolved here",
                "named.conf:15: changes behaviour: zone transfers, which BIND allows for all clients by default: "
                    + "list the clients in Dns:AllowTransfer (the server cannot)",
                "named.conf:15: changes behaviour: NOTIFY to the servers of the NS records: Dns:Notify lists " +
                    "servers by address (the server cannot)",
            ],
            notes);
    }

    [Theory]
    [InlineData("", "0.0.0.0:53 [::]:53")]
    [InlineData("listen-on-v6 { any; };", "[::]:53 0.0.0.0:53")]
    [InlineData("listen-on { 192.0.2.1; };", "192.0.2.1:53 [::]:53")]
    [InlineData("listen-on { 192.0.2.1; }; listen-on-v6 { none; };", "192.0.2.1:53")]
    public void A_family_that_bind_is_told_nothing_of_is_listened_to_everywhere(string options, string expected) =>
        Assert.Equal(expected, string.Join(' ',
            Import("named.conf", $"options {{ directory \"z\"; {options} }};\n", "bind").Options.Listen));

    [Fact]
    public void Networks_of_bind_may_leave_out_zeros_at_their_end()
    {
        var (options, notes, _) = Import("named.conf", """
            options { forwarders { 192.0.2.53; }; allow-recursion { 10/8; 172.16/12; 192.168.1/24; 192.0.2.0/24; 10; 1.2.3.4.5/8; }; };
            """, "bind");
        Assert.Equal(["10.0.0.0/8", "172.16.0.0/12", "192.168.1.0/24", "192.0.2.0/24"],
            options.Recursion.AllowFrom.Select(network => network.ToString()));
        Assert.Equal(
            [
                "named.conf:1: changes behaviour: allow-recursion: 10 is not a network, its clients are left out " +
                    "(the importer cannot)",
                "named.conf:1: changes behaviour: allow-recursion: 1.2.3.4.5/8 is not a network, its clients are " +
                    "left out (the importer cannot)",
            ],
            notes);
    }

    [Fact]
    public void A_zone_of_another_view_and_an_empty_section_are_no_riddles()
    {
        var (_, notes, _) =
            Import("named.conf", "options { recursion no; };\nzone \"a.example\" { in-view \"inside\"; };\n", "bind");
        Assert.Equal(
            ["named.conf:2: zone a.example: blocks the move: in-view: a zone has one list of clients (the importer " +
                "cannot)"], notes);
        Assert
            .Empty(Import("knot.conf", "server:\n    identity: x\n\nzone:\n#  - domain: example.com\n", "knot").Notes);
    }

    [Fact]
    public void What_of_bind_is_not_translated_is_listed_with_file_line_and_severity()
    {
        var (options, notes, imported) = Import("named.conf", """
            key "k" { algorithm hmac-sha256; secret "c2VjcmV0"; };
            options { dnssec-validation auto; forward first; allow-recursion { !192.0.2.1; };
              listen-on { eth0; }; allow-transfer { none; }; };
            zone "s.example" { type secondary; primaries { 192.0.2.9; }; file "s.db"; };
            zone "c.example" CH { type master; file "c"; };
            zone "v.example" { type master; file "v1"; allow-update { none; }; notify no; };
            zone "u.example" { type master; file "u"; allow-update { key k; }; also-notify { 192.0.2.8; }; };
            zone "n.example" { type master; };
            unheard-of { };
            """);
        Assert.True(imported.Diagnostics.IsBlocked);
        Assert.Equal(["s.example. -", "v.example. v1", "u.example. u"], Zones(options));
        Assert.Equal("192.0.2.9:53", Assert.Single(options.Zones[0].Primaries).ToString());
        Assert.Empty(options.Zones[0].Policy!.AllowTransfer!.Rules);
        Assert.Equal("key:k.", Assert.Single(options.Zones[2].Policy!.AllowUpdate!.Rules).From.ToString());
        Assert.Equal("192.0.2.8:53", Assert.Single(options.Zones[2].Policy!.Notify!).ToString());
        Assert.Equal(
            [
                "named.conf:1: key k: cosmetic: its secret is in the settings: make them readable only " +
                    "for the user of the server",
                "named.conf:2: options: changes behaviour: dnssec-validation: answers are not validated (the server " +
                    "cannot)",
                "named.conf:2: options: changes behaviour: forward: forwarded names are never resolved here when " +
                    "upstreams fail (the server cannot)",
                "named.conf:3: eth0: blocks the move: not an address to listen on (the importer cannot)",
                "named.conf:4: zone s.example: cosmetic: file: its copy is kept in Dns:StateDirectory",
                "named.conf:5: zone c.example: changes behaviour: class CH: only IN is served (the server cannot)",
                "named.conf:8: zone n.example: blocks the move: it has no file (the server cannot)",
                "named.conf:9: changes behaviour: unheard-of: not known, not translated (the importer cannot)",
                "named.conf:2: blocks the move: recursion without forwarders: names are forwarded, never resolved " +
                    "from the root; set Dns:Forward for \".\" (the server cannot)",
                "named.conf:7: changes behaviour: NOTIFY to the servers of the NS records: Dns:Notify lists servers " +
                    "by address (the server cannot)",
            ],
            notes);
    }

    [Fact]
    public void Who_may_ask_for_a_zone_of_bind_is_never_widened()
    {
        var (_, notes, imported) = Import("named.conf", """
            options { allow-query { 192.0.2.0/24; }; recursion no; allow-transfer { none; }; notify no; };
            zone "a.example" { type master; file "a"; };
            zone "b.example" { type master; file "b"; allow-query { any; }; };
            zone "c.example" { type master; file "c"; allow-query { 2001:db8::1; !192.0.2.7; 192.0.2.4/30; }; };
            zone "d.example" { type master; file "d"; allow-query { none; }; };
            """);
        string[] lists = [.. System.Text.Json.Nodes.JsonNode.Parse(imported.ToJson())!["Dns"]!["Zones"]!.AsArray()
            .Select(zone => zone!["AllowQuery"]?.ToJsonString() ?? "everybody")];
        Assert.Equal(
            ["[\"192.0.2.0/24\"]", "everybody", "[\"2001:db8::1\",\"192.0.2.4/31\",\"192.0.2.6\"]", "[]"], lists);
        Assert.Empty(notes);
    }

    [Fact]
    public void The_zones_of_a_view_are_for_those_of_its_clients_that_no_view_before_it_has()
    {
        var (_, notes, imported) = Import("named.conf", """
            acl ours { 128.0.0.0/1; 8000::/1; };
            options { recursion no; allow-transfer { none; }; notify no; };
            view inside {
              match-clients { ours; };
              allow-query { 192.0.2.0/24; 10.0.0.0/8; };
              zone "a.example" { type master; file "a"; };
              zone "b.example" { type master; file "b"; allow-query { any; }; };
              zone "c.example" { type master; file "c"; allow-query { 10.0.0.1; }; };
            };
            view outside { zone "b.example" { type master; file "b2"; }; zone "d.example" { type master; file "d"; }; };
            """);
        Assert.Equal(["[192.0.2.0/24]", "[128.0.0.0/1,8000::/1]", "[]", "[0.0.0.0/1,::/1]"], ListsOf(imported));
        const string views =
            "changes behaviour: views: each zone is served once, to the clients of its view (the server cannot)";
        Assert.Equal(
            [
                "named.conf:3: view inside: " + views,
                "named.conf:10: view outside: " + views,
                "named.conf:10: zone b.example: blocks the move: a zone has one content for all clients: "
                    + "the first one of several, such as in views, is taken (the server cannot)",
            ],
            notes);
    }

    [Theory]
    [InlineData("match-clients { localnets; };",
        "the clients of a view before it are not known: its zones answer no client")]
    [InlineData("match-clients { !geoip country DE; any; };",
        "the clients of a view before it are not known: its zones answer no client")]
    public void Behind_a_view_whose_clients_are_not_known_zones_are_for_nobody(string match, string expected)
    {
        var (_, notes, imported) = Import("named.conf", $$"""
            options { recursion no; };
            view inside { {{match}} zone "a.example" { type master; file "a"; }; };
            view outside { match-clients { any; }; zone "d.example" { type master; file "d"; }; };
            """);
        Assert.Equal("[]", ListsOf(imported)[^1]);
        Assert.Contains($"named.conf:3: view outside: blocks the move: {expected} (the importer cannot)", notes);
    }

    [Theory]
    [InlineData("match-destinations { 192.0.2.1; };")]
    [InlineData("match-recursive-only yes;")]
    public void A_view_by_something_else_than_its_clients_is_for_nobody(string match)
    {
        var (_, _, imported) = Import("named.conf", $$"""
            options { recursion no; };
            view inside { {{match}} zone "a.example" { type master; file "a"; }; };
            """);
        Assert.Equal(["[]"], ListsOf(imported));
        Assert.True(imported.Diagnostics.IsBlocked);
    }

    [Fact]
    public void A_single_view_is_the_server()
    {
        var (options, _, imported) = Import("named.conf", """
            options { recursion no; max-udp-size 1400; };
            view all {
              recursion yes; allow-recursion { 10.0.0.0/8; }; forwarders { 192.0.2.53; }; max-udp-size 1232;
              zone "a.example" { type master; file "a"; };
            };
            """);
        Assert.Equal(("10.0.0.0/8", 1232), (string.Join(' ', options.Recursion.AllowFrom), options.MaxUdpPayload));
        Assert.Equal(["everybody"], ListsOf(imported));
        Assert.False(imported.Diagnostics.IsBlocked);
    }

    [Theory]
    [InlineData("match-clients { 10.0.0.0/8; };", "10.0.0.0/8")]
    [InlineData("match-clients { 10.0.0.0/8; }; allow-recursion { 10.1.0.0/16; 192.0.2.0/24; };", "10.1.0.0/16")]
    [InlineData("match-destinations { 192.0.2.1; };", "")]
    public void Of_a_single_view_only_its_clients_may_ask_for_what_is_forwarded(string view, string expected)
    {
        var (options, _, _) = Import("named.conf", $$"""
            options { forwarders { 192.0.2.53; }; allow-recursion { any; }; };
            view all { {{view}} };
            """);
        Assert.Equal(expected, string.Join(' ', options.Recursion.AllowFrom));
    }

    [Theory]
    [InlineData("named.conf",
        "options { forwarders { 192.0.2.53; }; allow-recursion { ::1; ::ffff:0.0.0.0/96; }; };\n", "::1/128")]
    [InlineData("unbound.conf",
        "server:\n access-control: 127.0.0.0/8 refuse\n access-control: ::ffff:0.0.0.0/96 allow\nforward-zone:\n " +
            "name: .\n forward-addr: 192.0.2.53\n", "::1/128")]
    public void A_mapped_network_lets_in_no_client_of_ipv4(string name, string text, string expected) =>
        Assert.Equal(expected, string.Join(' ', Import(name, text).Options.Recursion.AllowFrom));

    [Fact]
    public void Recursion_of_several_views_blocks_the_move_and_lets_in_nobody()
    {
        var (options, notes, _) = Import("named.conf", """
            options { forwarders { 192.0.2.53; }; allow-recursion { any; }; };
            view inside { match-clients { 10.0.0.0/8; }; recursion yes; };
            view outside { recursion no; };
            """);
        Assert.Empty(options.Recursion.AllowFrom);
        Assert.Contains(
            "named.conf:2: view inside: blocks the move: recursion differs by view: forwarding is allowed for no " +
                "client (the server cannot)", notes);
        Assert.DoesNotContain(notes, note => note.Contains("view outside: blocks"));
    }

    [Theory]
    [InlineData("blackhole { 0.0.0.0/1; };", "[128.0.0.0/1,::/0]", "192.0.2.0/24")]
    [InlineData("blackhole { localnets; };", "[]", "")]
    [InlineData("allow-query-on { 192.0.2.1; };", "[]", "192.0.2.0/24")]
    [InlineData("allow-recursion-on { 192.0.2.1; };", "everybody", "")]
    [InlineData("allow-query-cache { 192.0.2.0/25; };", "everybody", "192.0.2.0/25")]
    public void What_limits_who_may_ask_is_never_left_out(string option, string zone, string recursion)
    {
        var (options, notes, imported) = Import("named.conf", $$"""
            options { forwarders { 192.0.2.53; }; allow-recursion { 192.0.2.0/24; }; {{option}} };
            zone "a.example" { type master; file "a"; };
            """);
        Assert.Equal([zone], ListsOf(imported));
        Assert.Equal(option.StartsWith("blackhole"), notes.Any(note =>
            note.EndsWith("changes behaviour: blackhole: its clients get REFUSED, not silence (the server cannot)")));
        Assert.Equal(recursion, string.Join(' ', options.Recursion.AllowFrom));
    }

    [Theory]
    [InlineData("recursion yes;", true)]
    [InlineData("allow-recursion { 10.0.0.0/8; };", true)]
    [InlineData("}; zone \".\" { type hint; file \"root.hints\"; ", true)]
    [InlineData("forwarders { 192.0.2.53; }; recursion yes;", false)]
    [InlineData("recursion no;", false)]
    [InlineData("", false)]
    public void Recursion_without_forwarders_blocks_the_move(string options, bool isBlocked) =>
        Assert.Equal(isBlocked,
            Import("named.conf", $"options {{ {options} }};\n", "bind").Imported.Diagnostics.IsBlocked);

    [Theory]
    [InlineData("listen-on port 853 tls t1 { any; };",
        "listen-on port 853 tls t1: blocks the move: TLS and HTTPS are not served (the server cannot)")]
    [InlineData("listen-on tls ephemeral http default { 192.0.2.7; };",
        "listen-on tls ephemeral http default: blocks the move: TLS and HTTPS are not served (the server cannot)")]
    [InlineData("listen-on port 80 http local tls none { 192.0.2.7; };",
        "listen-on port 80 http local tls none: blocks the move: TLS and HTTPS are not served (the server cannot)")]
    [InlineData("listen-on port 53 proxy plain { 192.0.2.7; };",
        "listen-on port 53 proxy plain: blocks the move: a proxy: Dns:Proxy:From takes its networks (the importer " +
            "cannot)")]
    [InlineData("listen-on port 53 tls none { 192.0.2.1; };", null)]
    public void What_bind_serves_encrypted_is_not_served_in_the_clear(string statement, string? note)
    {
        var (options, notes, _) = Import(
            "named.conf",
            $"options {{ recursion no; listen-on {{ 192.0.2.1; }}; listen-on-v6 {{ none; }};\n{statement} }};\n",
            "bind");
        Assert.Equal(["192.0.2.1:53"], options.Listen.Select(address => address.ToString()));
        Assert.Equal(note is null ? [] : [$"named.conf:2: {note}"], notes);
    }

    [Theory]
    [InlineData("allow-recursion { 10.0.0.0/8; }; allow-query { any; };", "10.0.0.0/8", null)]
    [InlineData("allow-recursion { 10.0.0.0/8; }; recursion no;", "", null)]
    [InlineData("allow-query-cache { 10.0.0.0/8; }; allow-query { any; };", "10.0.0.0/8", null)]
    [InlineData("allow-query { 10.0.0.0/8; };", "10.0.0.0/8", null)]
    [InlineData("recursion yes;", "127.0.0.0/8 ::1/128",
        "named.conf:1: changes behaviour: no allow-recursion: forwarding is allowed for this machine, not " +
            "for its networks (the importer cannot)")]
    public void Who_may_ask_bind_for_what_is_forwarded_may_ask_here(string statements, string expected, string? note)
    {
        var (options, notes, _) =
            Import("named.conf", $"options {{ forwarders {{ 192.0.2.53; }}; {statements} }};\n", "bind");
        Assert.Equal(expected, string.Join(' ', options.Recursion.AllowFrom));
        Assert.Equal(note is null ? [] : [note], notes);
    }

    [Theory]
    [InlineData("")]
    [InlineData("clients { any; };")]
    public void Addresses_that_bind_makes_for_dns64_block_the_move(string block)
    {
        var (_, notes, imported) = Import(
            "named.conf", $"options {{ recursion no; dns64 64:ff9b::/96 {{ {block} }}; }};\n", "bind");
        Assert.True(imported.Diagnostics.IsBlocked);
        Assert.Contains("dns64", Assert.Single(notes));
    }

    [Fact]
    public void The_limit_of_answers_and_the_secrets_of_bind_are_taken_over()
    {
        var (options, notes, _) = Import("named.conf", """
            acl ours { 192.0.2.0/24; };
            options {
              recursion no;
              rate-limit { responses-per-second 10; nxdomains-per-second 4; slip 3; log-only yes; window 5;
                ipv4-prefix-length 28; exempt-clients { ours; }; };
              cookie-secret "00112233445566778899AABBCCDDEEFF"; cookie-secret "ffeeddccbbaa99887766554433221100";
              cookie-secret "0011"; answer-cookie yes;
            };
            """);
        Assert.Equal("Log 10 10 4 3 28 56", string.Join(' ',
            options.RateLimit.Mode, options.RateLimit.ResponsesPerSecond, options.RateLimit.ErrorsPerSecond,
            options.RateLimit.NxDomainsPerSecond, options.RateLimit.Slip, options.RateLimit.IPv4Prefix,
            options.RateLimit.IPv6Prefix));
        Assert.Equal(["192.0.2.0/24"], options.RateLimit.Exempt.Select(network => network.ToString()));
        Assert.Equal(2, options.Cookies.Secrets.Count);
        Assert.Equal(
            ["named.conf:4: rate-limit: changes behaviour: window: this limit is not supported (the server cannot)",
                "named.conf:7: changes behaviour: cookie-secret: Dns:Cookies:Secrets takes 32 hexadecimal digits " +
                    "(the importer cannot)"],
            notes);
    }

    [Fact]
    public void The_secret_of_nsd_is_taken_over() => Assert.Single(Import(
        "nsd.conf", "server:\n  answer-cookie: yes\n  cookie-secret: 00112233445566778899aabbccddeeff\n",
        "nsd").Options.Cookies.Secrets);

    [Fact]
    public void Who_may_ask_for_a_zone_of_nsd_is_never_widened()
    {
        var (_, notes, imported) = Import("nsd.conf", """
            pattern:
              name: "p"
              allow-query: 10.1.2.3/8 NOKEY
              zonefile: "%s"
            zone:
              name: a.example
              include-pattern: "p"
            zone:
              name: b.example
              zonefile: b
              allow-query: 192.0.2.0-192.0.2.9 NOKEY
              allow-query: 198.51.100.7&255.255.255.0 NOKEY
              allow-query: 2001:db8::1 a-key
            zone:
              name: c.example
              zonefile: c
              allow-query: 10.0.0.0/8 NOKEY
              allow-query: 192.0.2.1 NOKEY
              allow-query: 10.0.0.0/9 BLOCKED
            zone:
              name: d.example
              zonefile: d
            """, "nsd");
        Assert.Equal(["[10.0.0.0/8]", "[192.0.2.0/29,192.0.2.8/31,198.51.100.0/24]", "[10.128.0.0/9,192.0.2.1]",
            "everybody"], ListsOf(imported));
        Assert.Equal(
            ["nsd.conf:13: 2001:db8::1: changes behaviour: allow-query: clients are matched by address, not by " +
                "key (the server cannot)"],
            notes);
    }

    [Theory]
    [InlineData("198.51.100.7&255.255.255.0", true)]
    [InlineData("198.51.100.7&255.0.255.0", false)]
    [InlineData("198.51.100.7&0.0.0.255", false)]
    public void A_mask_with_holes_is_no_network(string clients, bool isOne) =>
        Assert.Equal(isOne, ImportedClients.TryReadNsd(clients, out _));

    [Fact]
    public void What_nsd_serves_encrypted_is_not_served_in_the_clear()
    {
        var (options, notes, _) = Import("nsd.conf", """
            server:
              ip-address: 192.0.2.1
              ip-address: 192.0.2.1@853
              tls-service-key: "key.pem"
            """, "nsd");
        Assert.Equal(["192.0.2.1:53"], options.Listen.Select(address => address.ToString()));
        Assert.Contains("nsd.conf:3: 192.0.2.1@853: blocks the move: TLS is not served (the server cannot)", notes);
    }

    [Fact]
    public void File_names_are_made_of_the_zone_s_name_as_nsd_makes_them()
    {
        var (options, _, _) = Import("nsd.conf", """
            zone:
              name: "www.some.example"
              zonefile: "%z/%y/%x/%1%2-%s"
            zone:
              name: "x"
              zonefile: "%z/%y/%1%3"
            """, "nsd");
        Assert.Equal(["www.some.example. example/some/www/ww-www.some.example", "x. x/x."], Zones(options));
    }

    [Fact]
    public void File_names_are_made_of_the_zone_s_name_as_knot_makes_them()
    {
        var (options, notes, _) = Import("knot.conf", """
            template:
              - id: default
                storage: /z
                file: "%l[0]/%l[1]-%l[7]/%c[0]%c[1-3]%c[200]_%s"
            zone:
              - domain: some.example
              - domain: 0/25.example
            """, "knot");
        Assert.Equal(
            ["0/25.example. /z/example/0_25-/0_25_0_25.example", "some.example. /z/example/some-/some_some.example"],
            Zones(options).Order(StringComparer.Ordinal));
        Assert.Empty(notes);
    }

    [Theory, Trait("RFC", "2317 §4")]
    [InlineData("0/25.2.0.192.in-addr.arpa", "%s.zone", "0_25.2.0.192.in-addr.arpa.zone")]
    [InlineData("a\\047b.example", "%l[1]/%c[0-2].zone", "a_b/a_b.zone")]
    [InlineData("Some.EXAMPLE.", "%s.zone", "some.example.zone")]
    [InlineData("a\\032b.example", "%s.zone", "a\\032b.example.zone")]
    [InlineData("a\\046b.example", "%s.zone", "a\\.b.example.zone")]
    public void Slashes_and_capitals_of_a_name_are_no_part_of_a_file_name_of_knot(
        string zone, string file, string expected)
    {
        string text = $"zone:\n  - domain: {zone}\n    storage: /z\n    file: \"{file}\"\n";
        Assert.Equal("/z/" + expected, Assert.Single(Import("knot.conf", text, "knot").Options.Zones).Path);
    }

    [Theory]
    [InlineData("Some.Example.", "%s-%1-%z", "Some.Example.-S-example")]
    [InlineData("0/25.2.0.192.in-addr.arpa", "%s", "0/25.2.0.192.in-addr.arpa")]
    [InlineData(".", "%s-%1%2-%z", ".-..-.")]
    public void A_file_name_of_nsd_has_the_name_as_it_is_written_and_labels_in_lower_case(
        string zone, string file, string expected)
    {
        string text = $"zone:\n  name: \"{zone}\"\n  zonefile: \"/z/{file}\"\n";
        Assert.Equal("/z/" + expected, Assert.Single(Import("nsd.conf", text, "nsd").Options.Zones).Path);
    }

    [Fact]
    public void An_identity_in_hexadecimal_digits_is_the_text_that_it_spells()
    {
        Assert.Equal("ns1", Import("knot.conf", "server:\n    nsid: 0x6e7331\n", "knot").Options.Identity);
        var (options, notes, _) = Import("nsd.conf", "server:\n  identity: one\n  nsid: 6e7331\n", "nsd");
        Assert.Equal("ns1", options.Identity);
        Assert.Equal(
            ["nsd.conf:3: changes behaviour: nsid: takes the place of \"one\", Dns:Identity is one text (the server " +
                "cannot)"], notes);
        Assert.Equal(
            ["nsd.conf:2: changes behaviour: nsid: Dns:Identity takes a text of up to 255 octets (the importer " +
                "cannot)"], Import("nsd.conf", "server:\n  nsid: 0007\n", "nsd").Notes);
    }

    [Fact]
    public async Task What_an_import_quotes_cannot_give_orders_to_a_terminal()
    {
        using StringWriter output = new(), errors = new();
        string file = Folder.Write("named.conf", "unheard\u001b[2J-of { };\n");
        Assert.Equal(0,
            await DnsdCommand.InvokeAsync(["import", file, "--from", "bind", "--output", "-"], output, errors));
        Assert.Contains("unheard?[2j-of: not known", errors.ToString());
        Assert.Contains("\"Zones\": []", output.ToString());
    }

    [Fact]
    public void A_map_in_braces_is_an_error_and_not_a_zone_lost()
    {
        ImportedSettings imported = ImportCommand.Translate(
            Folder.Write("knot.conf", "zone:\n  - domain: a.example\n  - {domain: b.example, file: b}\n"), "knot");
        Assert.Equal((true, "knot.conf:3: error: expected \"key: value\""),
            (imported.Diagnostics.IsBroken, Short(imported.Diagnostics.Errors[0])));
    }

    [Fact]
    public void Of_two_sizes_of_a_reply_the_smaller_one_is_taken()
    {
        Assert.Equal(1232, Import("nsd.conf", "server:\n  ipv4-edns-size: 1232\n  ipv6-edns-size: 1400\n",
            "nsd").Options.MaxUdpPayload);
        Assert.Equal(1280, Import(
            "knot.conf", "server:\n  udp-max-payload: 1280\n  udp-max-payload-ipv4: 1400\n",
            "knot").Options.MaxUdpPayload);
    }

    [Theory]
    [InlineData("options { directory \"x\"; ", "named.conf:1: error: \"}\" is missing at the end")]
    [InlineData("options { directory \"x\n; };", "named.conf:1: error: a quote is not closed")]
    [InlineData("};\nzone \"a\" { };", "named.conf:1: error: \"}\" without \"{\"")]
    [InlineData("options { recursion no }; ", "named.conf:1: error: \";\" is missing before \"}\"")]
    public void A_broken_named_conf_is_said_to_be_broken(string text, string expected)
    {
        ImportedSettings imported = Translate("named.conf", text, "bind");
        Assert.True(imported.Diagnostics.IsBroken);
        Assert.Contains(expected, imported.Diagnostics.Errors.Select(Short));
    }

    [Fact]
    public void Zones_patterns_and_addresses_of_nsd_are_translated()
    {
        Folder.Write("zones.conf", "zone:\n  name: c.example\n  zonefile: other/c.zone\n");
        var (options, notes, _) = Import("nsd.conf", """
            # Authoritative only.
            server:
                ip-address: 192.0.2.1
                ip-address: 2001:db8::1@5353
                port: 5300
                zonesdir: "master"
                nsid: "ascii_ns2"
                ipv4-edns-size: 1232
                tcp-count: 400
                zonelistfile: x
            remote-control:
                control-enable: yes
            pattern:
                name: "usual"
                zonefile: "%1/%s.zone"
            zone:
                name: "a.example"
                include-pattern: "usual"
            zone:
                name: s.example
                include-pattern: "usual"
                request-xfr: 192.0.2.9 NOKEY
            zone:
                name: "d.example"
                include-pattern: "none"
            include: "zones.conf"
            """);
        Assert.Equal(["a.example. master/a/a.example.zone", "s.example. -", "c.example. master/other/c.zone"],
            Zones(options));
        Assert.Equal(["192.0.2.1:5300", "[2001:db8::1]:5353"], options.Listen.Select(address => address.ToString()));
        Assert.Equal(("ns2", 1232, 400), (options.Identity, options.MaxUdpPayload, options.Tcp.MaxConnections));
        Assert.Equal(
            [
                "nsd.conf:10: changes behaviour: zonelistfile: zones that nsd-control has added are not read from " +
                    "it (the importer cannot)",
                "nsd.conf:11: cosmetic: remote-control: dnsd status and other commands query the running server",
                "nsd.conf:15: zone s.example: cosmetic: zonefile: its copy is kept in Dns:StateDirectory",
                "nsd.conf:25: zone d.example: blocks the move: no pattern none (the importer cannot)",
                "nsd.conf:23: zone d.example: blocks the move: it has no file (the server cannot)",
            ],
            notes);
    }

    [Fact]
    public void A_zone_that_knot_keeps_from_most_clients_is_not_open_to_all()
    {
        var (options, notes, imported) = Import("knot.conf", """
            mod-queryacl:
              - id: inside
                address: [ 192.0.2.0/24, 2001:db8::/32, 198.51.100.0-198.51.100.3 ]
              - id: here
                address: [ 192.0.2.128/25 ]
              - id: interface
                interface: 127.0.0.1
            template:
              - id: default
                global-module: mod-queryacl/inside
              - id: other
                module: [ mod-stats, mod-queryacl/here ]
            zone:
              - domain: a.example
              - domain: b.example
                template: other
              - domain: c.example
                module: mod-queryacl/interface
              - domain: d.example
                module: mod-queryacl/missing
            """, "knot");
        Assert.Equal(["a.example.", "b.example."], options.Zones.Select(zone => zone.Name!.ToString()));
        Assert.Equal(
            ["[192.0.2.0/24,2001:db8::/32,198.51.100.0/30]", "[192.0.2.128/25]"], ListsOf(imported));
        Assert.Equal(
            ["knot.conf:12: zone b.example: cosmetic: mod-stats: metrics are the server's own",
                "knot.conf:6: zone c.example: blocks the move: mod-queryacl/interface: who may ask is not " +
                    "translated, and so the zone is left out (the importer cannot)",
                "knot.conf:20: zone d.example: blocks the move: mod-queryacl/missing: who may ask is not " +
                    "translated, and so the zone is left out (the importer cannot)"],
            notes.Select(Short));
    }

    [Fact]
    public void Zones_templates_and_addresses_of_knot_are_translated()
    {
        Folder.Write("conf.d/b.conf", "zone:\n  - domain: b.example\n    file: \"b.db\"\n");
        string storage = Path.Combine(Folder.Root, "knot");
        var (options, notes, _) = Import("knot.conf", $$"""
            server:
                listen: [ 192.0.2.1@5353, "2001:db8::1" ]
                listen: 192.0.2.2
                identity: ns3
                udp-max-payload: 1400
                tcp-idle-timeout: 1m20s
                automatic-acl: on
            log:
              - target: syslog
                any: info
            template:
              - id: default
                storage: {{storage}}   # where they are
              - id: signed
                storage: {{storage}}
                file: signed/%s
                dnssec-signing: on
            zone:
              - domain: a.example
              - domain: s.example.
                template: signed
              - domain: t.example
                master: main
            include: conf.d
            """);
        Assert.Equal(["a.example. knot/a.example.zone", "s.example. knot/signed/s.example", "b.example. knot/b.db"],
            Zones(options));
        Assert.Equal(["192.0.2.1:5353", "[2001:db8::1]:53", "192.0.2.2:53"],
            options.Listen.Select(address => address.ToString()));
        Assert.Equal(("ns3", 1400, 80),
            (options.Identity, options.MaxUdpPayload, (int)options.Tcp.IdleTimeout.TotalSeconds));
        Assert.Equal(
            [
                "knot.conf:9: cosmetic: log: metrics, status page and log are the server's own",
                "knot.conf:17: zone s.example.: blocks the move: dnssec-signing: its keys are not imported: "
                    +
                    "with others validating resolvers reject the zone until its DS record is theirs (the importer " +
                    "cannot)",
                "knot.conf:17: zone s.example.: changes behaviour: its signed version has a greater serial than its "
                    + "file: before the first start, give the file one above that, or secondaries keep the old version "
                    + "(the importer cannot)",
                "knot.conf:23: zone t.example: blocks the move: master: there is no remote main (the importer cannot)",
                "knot.conf:22: zone t.example: blocks the move: it has no primaries (the server cannot)",
            ],
            notes);
    }

    [Theory]
    [InlineData("named.conf", "include \"named.conf\";\noptions { };\n",
        "named.conf is not included: files may be included 16 deep")]
    [InlineData("nsd.conf", "server:\n  include: nsd.conf\n",
        "nsd.conf is not included: files may be included 16 deep")]
    public void A_file_that_includes_itself_comes_to_an_end(string name, string text, string expected) =>
        Assert.Contains(Import(name, text).Notes, note => note.Contains(expected));

    [Theory]
    [InlineData(32, false)]
    [InlineData(33, true)]
    public void Blocks_are_nested_thirty_two_deep(int depth, bool isBroken)
    {
        string text = string.Concat(Enumerable.Repeat("a { ", depth)) + string.Concat(Enumerable.Repeat("}; ", depth));
        Assert.Equal(isBroken, Translate("named.conf", text, "bind").Diagnostics.IsBroken);
    }

    [Fact]
    public void Blocks_are_nested_only_so_deep()
    {
        string text = string.Concat(Enumerable.Repeat("a {", 100_000));
        ImportedSettings imported = Translate("named.conf", text, "bind");
        Assert.True(imported.Diagnostics.IsBroken);
    }

    [Fact]
    public void An_include_that_is_missing_blocks_the_move_and_the_rest_is_imported()
    {
        var (options, notes, _) =
            Import("named.conf", "include \"gone.conf\";\nzone \"a.example\" { type master; file \"a\"; };\n");
        Assert.Contains(notes,
            note => note.StartsWith("named.conf:1: blocks the move: cannot read ", StringComparison.Ordinal));
        Assert.Equal(["a.example. a"], Zones(options));
    }

    [Fact]
    public async Task Settings_that_are_there_are_not_replaced()
    {
        string config = Folder.Write("named.conf", "options { };\n"), target = Path.Combine(Folder.Root, "new.json");
        StringWriter output = new(), errors = new();
        Assert.Equal(0, await DnsdCommand.InvokeAsync(["import", config, "--output", target], output, errors));
        Assert.Contains("0 zones; 0 block the move, 1 change behaviour, 0 cosmetic", output.ToString());
        // Secrets of keys may be in it.
        if (!OperatingSystem.IsWindows())
        {
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(target));
            Assert.EndsWith($" after: chgrp dnsd {target}; chmod 640 {target}{Environment.NewLine}",
                output.ToString());
        }
        Assert.Equal(1, await DnsdCommand.InvokeAsync(["import", config, "--output", target], output, errors));
        Assert.EndsWith($"dnsd: error: --output: the file {target} already exists{Environment.NewLine}",
            errors.ToString());
        Assert.Equal(1, await DnsdCommand.InvokeAsync(["import", config, "--output", Folder.Root], output, errors));
        Assert.EndsWith($"dnsd: error: --output: {Folder.Root} is a directory{Environment.NewLine}", errors.ToString());
        Assert.Equal(1, await DnsdCommand.InvokeAsync(["import", Path.Combine(Folder.Root, "none")], output, errors));
        Assert.Contains("none: error: nothing was imported: there is no such file", errors.ToString());
    }
}
