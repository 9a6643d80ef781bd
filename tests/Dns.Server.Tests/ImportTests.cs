namespace Dns.Server.Tests;

public sealed class ImportTests : IDisposable
{
    private readonly SettingsFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    /// <summary>Imports a file; its settings have to be good ones, and paths and notes are shown without the folder.</summary>
    private (ServerOptions Options, string[] Notes, ImportedSettings Imported) Import(string name, string text, string? from = null)
    {
        ImportedSettings imported = ImportCommand.Translate(_folder.Write(name, text), from);
        Settings settings = SettingsReader.Read(
            new() { ConfigFile = _folder.Write("imported.json", imported.ToJson()) }, new System.Collections.Hashtable());
        Assert.Empty(settings.Problems);
        return (settings.Options, [.. imported.Notes.Lines.Select(Short)], imported);
    }

    private string Short(string line) => line.Replace(_folder.Root + Path.DirectorySeparatorChar, "").Replace('\\', '/');

    private string[] Zones(ServerOptions options) => [.. options.Zones.Select(zone => $"{zone.Name} {Short(zone.Path)}")];

    [Fact]
    public void Zones_addresses_and_forwarding_of_bind_are_translated()
    {
        _folder.Write("more/local.conf", "zone \"c.example\" { type primary; file \"c.db\"; };\n");
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
        Assert.Equal(["named.conf:17: zone .: hints of the root are not needed; names are forwarded, not resolved here"], notes);
    }

    [Theory]
    [InlineData("", "0.0.0.0:53 [::]:53")]
    [InlineData("listen-on-v6 { any; };", "[::]:53 0.0.0.0:53")]
    [InlineData("listen-on { 192.0.2.1; };", "192.0.2.1:53 [::]:53")]
    [InlineData("listen-on { 192.0.2.1; }; listen-on-v6 { none; };", "192.0.2.1:53")]
    public void A_family_that_bind_is_told_nothing_of_is_listened_to_everywhere(string options, string expected) =>
        Assert.Equal(expected, string.Join(' ', Import("named.conf", $"options {{ directory \"z\"; {options} }};\n", "bind").Options.Listen));

    [Fact]
    public void Networks_of_bind_may_leave_out_zeros_at_their_end()
    {
        var (options, notes, _) = Import("named.conf", """
            options { forwarders { 192.0.2.53; }; allow-recursion { 10/8; 172.16/12; 192.168.1/24; 192.0.2.0/24; 10; 1.2.3.4.5/8; }; };
            """, "bind");
        Assert.Equal(["10.0.0.0/8", "172.16.0.0/12", "192.168.1.0/24", "192.0.2.0/24"],
            options.Recursion.AllowFrom.Select(network => network.ToString()));
        Assert.Equal(["named.conf:1: 10 is not a network", "named.conf:1: 1.2.3.4.5/8 is not a network"], notes);
    }

    [Fact]
    public void A_zone_of_another_view_and_an_empty_section_are_no_riddles()
    {
        var (_, notes, _) = Import("named.conf", "options { };\nzone \"a.example\" { in-view \"inside\"; };\n", "bind");
        Assert.Equal(["named.conf:2: zone a.example: is that of view inside, which is not translated"], notes);
        Assert.Empty(Import("knot.conf", "server:\n    identity: x\n\nzone:\n#  - domain: example.com\n", "knot").Notes);
    }

    [Fact]
    public void What_bind_has_and_we_have_not_is_listed_with_file_and_line()
    {
        var (options, notes, imported) = Import("named.conf", """
            key "k" { algorithm hmac-sha256; secret "c2VjcmV0"; };
            options { dnssec-validation auto; forward first; allow-recursion { !192.0.2.1; };
              listen-on { eth0; }; };
            zone "s.example" { type secondary; primaries { 192.0.2.9; }; file "s.db"; };
            zone "c.example" CH { type master; file "c"; };
            view "inside" {
              match-clients { any; };
              zone "v.example" { type master; file "v1"; allow-update { none; }; };
            };
            view "outside" { zone "v.example" { type master; file "v2"; }; };
            zone "n.example" { type master; };
            unheard-of { };
            """);
        Assert.False(imported.Notes.IsBroken);
        Assert.Equal(["v.example. v1"], Zones(options));
        Assert.Equal(
            [
                "named.conf:1: key k is not translated",
                "named.conf:2: options: dnssec-validation is not translated",
                "named.conf:2: forward first: forwarded names are never resolved here",
                "named.conf:2: !192.0.2.1 is not translated, nor what follows it",
                "named.conf:3: eth0 is not an address to listen on",
                "named.conf:4: zone s.example: type secondary is not translated",
                "named.conf:5: zone c.example: class CH is not served",
                "named.conf:6: view inside: its zones are taken, for everybody",
                "named.conf:8: zone v.example: allow-update is not translated",
                "named.conf:10: view outside: its zones are taken, for everybody",
                "named.conf:10: zone v.example: is there already, as in another view; the first one is taken",
                "named.conf:11: zone n.example: has no file",
                "named.conf:12: unheard-of: not known, not translated",
            ],
            notes);
    }

    [Fact]
    public void Who_may_ask_for_a_zone_of_bind_is_never_widened()
    {
        var (_, notes, imported) = Import("named.conf", """
            options { allow-query { 192.0.2.0/24; }; };
            zone "a.example" { type master; file "a"; };
            zone "b.example" { type master; file "b"; allow-query { any; }; };
            zone "c.example" { type master; file "c"; allow-query { 2001:db8::1; !192.0.2.7; 192.0.2.0/24; }; };
            zone "d.example" { type master; file "d"; allow-query { none; }; };
            """);
        string[] lists = [.. System.Text.Json.Nodes.JsonNode.Parse(imported.ToJson())!["Dns"]!["Zones"]!.AsArray()
            .Select(zone => zone!["AllowQuery"]?.ToJsonString() ?? "everybody")];
        Assert.Equal(["[\"192.0.2.0/24\"]", "everybody", "[\"2001:db8::1\"]", "[]"], lists);
        Assert.Equal(["named.conf:4: !192.0.2.7 is not translated, nor what follows it"], notes);
    }

    private static string[] ListsOf(ImportedSettings imported) =>
        [.. System.Text.Json.Nodes.JsonNode.Parse(imported.ToJson())!["Dns"]!["Zones"]!.AsArray()
            .Select(zone => zone!["AllowQuery"]?.ToJsonString().Replace("\"", "") ?? "everybody")];

    [Fact]
    public void The_zones_of_a_view_are_for_its_clients_only()
    {
        var (_, notes, imported) = Import("named.conf", """
            acl ours { 10.0.0.0/8; 2001:db8::/32; };
            view inside {
              match-clients { ours; };
              allow-query { 10.1.0.0/16; 192.0.2.0/24; };
              zone "a.example" { type master; file "a"; };
              zone "b.example" { type master; file "b"; allow-query { any; }; };
              zone "c.example" { type master; file "c"; allow-query { 192.0.2.1; }; };
            };
            view outside { zone "d.example" { type master; file "d"; }; };
            """);
        Assert.Equal(["[10.1.0.0/16]", "[10.0.0.0/8,2001:db8::/32]", "[]", "everybody"], ListsOf(imported));
        Assert.Equal(
            ["named.conf:2: view inside: its zones are taken, for its clients",
                "named.conf:9: view outside: its zones are taken, for everybody"],
            notes);
    }

    [Theory]
    [InlineData("listen-on port 853 tls t1 { any; };", "listen-on port 853 tls t1 is not translated")]
    [InlineData("listen-on tls ephemeral http default { 192.0.2.7; };", "listen-on tls ephemeral http default is not translated")]
    [InlineData("listen-on port 80 http local tls none { 192.0.2.7; };", "listen-on port 80 http local tls none is not translated")]
    [InlineData("listen-on port 53 proxy plain { 192.0.2.7; };", "listen-on port 53 proxy plain is not translated")]
    [InlineData("listen-on port 53 tls none { 192.0.2.1; };", null)]
    public void What_bind_serves_encrypted_is_not_served_in_the_clear(string statement, string? note)
    {
        var (options, notes, _) = Import(
            "named.conf", $"options {{ listen-on {{ 192.0.2.1; }}; listen-on-v6 {{ none; }};\n{statement} }};\n", "bind");
        Assert.Equal(["192.0.2.1:53"], options.Listen.Select(address => address.ToString()));
        Assert.Equal(note is null ? [] : [$"named.conf:2: {note}"], notes);
    }

    [Theory]
    [InlineData("allow-recursion { 10.0.0.0/8; }; allow-query { any; };", "10.0.0.0/8", null)]
    [InlineData("allow-recursion { 10.0.0.0/8; }; recursion no;", "", null)]
    [InlineData("allow-query-cache { 10.0.0.0/8; }; allow-query { any; };", "10.0.0.0/8", null)]
    [InlineData("allow-query { 10.0.0.0/8; };", "10.0.0.0/8", null)]
    [InlineData("recursion yes;", "127.0.0.0/8 ::1/128",
        "named.conf:1: options: no allow-recursion: this machine may ask for what is forwarded, its networks may not")]
    public void Who_may_ask_bind_for_what_is_forwarded_may_ask_here(string statements, string expected, string? note)
    {
        var (options, notes, _) = Import("named.conf", $"options {{ forwarders {{ 192.0.2.53; }}; {statements} }};\n", "bind");
        Assert.Equal(expected, string.Join(' ', options.Recursion.AllowFrom));
        Assert.Equal(note is null ? [] : [note], notes);
    }

    [Fact]
    public void The_limit_of_answers_and_the_secrets_of_bind_are_taken_over()
    {
        var (options, notes, _) = Import("named.conf", """
            acl ours { 192.0.2.0/24; };
            options {
              rate-limit { responses-per-second 10; nxdomains-per-second 4; slip 3; log-only yes; window 5;
                ipv4-prefix-length 28; exempt-clients { ours; }; };
              cookie-secret "00112233445566778899AABBCCDDEEFF"; cookie-secret "ffeeddccbbaa99887766554433221100";
              cookie-secret "0011"; answer-cookie yes;
            };
            """);
        Assert.Equal("Log 10 10 4 3 28 56", string.Join(' ',
            options.RateLimit.Mode, options.RateLimit.ResponsesPerSecond, options.RateLimit.ErrorsPerSecond,
            options.RateLimit.NxDomainsPerSecond, options.RateLimit.Slip, options.RateLimit.IPv4Prefix, options.RateLimit.IPv6Prefix));
        Assert.Equal(["192.0.2.0/24"], options.RateLimit.Exempt.Select(network => network.ToString()));
        Assert.Equal(2, options.Cookies.Secrets.Count);
        Assert.Equal(["named.conf:3: rate-limit: window is not translated", "named.conf:6: cookie-secret is not translated"], notes);
    }

    [Fact]
    public void The_secret_of_nsd_is_taken_over() => Assert.Single(Import(
        "nsd.conf", "server:\n  answer-cookie: yes\n  cookie-secret: 00112233445566778899aabbccddeeff\n", "nsd").Options.Cookies.Secrets);

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
              allow-query: 10.9.0.0/16 BLOCKED
            zone:
              name: d.example
              zonefile: d
            """, "nsd");
        Assert.Equal(["[10.0.0.0/8]", "[192.0.2.0/29,192.0.2.8/31,198.51.100.0/24]", "[192.0.2.1]", "everybody"], ListsOf(imported));
        Assert.Equal(
            ["nsd.conf:13: allow-query 2001:db8::1: not translated with a key",
                "nsd.conf:17: allow-query: 10.0.0.0/8 left out, for 10.9.0.0/16 is blocked"],
            notes);
    }

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
        Assert.Contains("nsd.conf:3: 192.0.2.1@853 is not translated: TLS", notes);
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
                file: %l[0]/%l[1]-%l[7]/%c[0]%c[1-3]%c[200]_%s
            zone:
              - domain: some.example
            """, "knot");
        Assert.Equal(["some.example. /z/example/some-/some_some.example"], Zones(options));
        Assert.Empty(notes);
    }

    [Fact]
    public void An_identity_in_hexadecimal_digits_is_the_text_that_it_spells()
    {
        Assert.Equal("ns1", Import("knot.conf", "server:\n    nsid: 0x6e7331\n", "knot").Options.Identity);
        var (options, notes, _) = Import("nsd.conf", "server:\n  identity: one\n  nsid: 6e7331\n", "nsd");
        Assert.Equal("ns1", options.Identity);
        Assert.Equal(["nsd.conf:3: nsid takes the place of \"one\": Dns:Identity is one text"], notes);
        Assert.Equal(["nsd.conf:2: nsid is not translated"], Import("nsd.conf", "server:\n  nsid: 0007\n", "nsd").Notes);
    }

    [Fact]
    public async Task What_an_import_quotes_cannot_give_orders_to_a_terminal()
    {
        using StringWriter output = new(), errors = new();
        string file = _folder.Write("named.conf", "unheard\u001b[2J-of { };\n");
        Assert.Equal(0, await DnsdCommand.InvokeAsync(["import", file, "--from", "bind", "--output", "-"], output, errors));
        Assert.Contains("unheard?[2J-of: not known", errors.ToString());
        Assert.Contains("\"Zones\": []", output.ToString());
    }

    [Fact]
    public void A_map_in_braces_is_an_error_and_not_a_zone_lost()
    {
        ImportedSettings imported = ImportCommand.Translate(
            _folder.Write("knot.conf", "zone:\n  - domain: a.example\n  - {domain: b.example, file: b}\n"), "knot");
        Assert.Equal((true, "knot.conf:3: expected \"key:\""), (imported.Notes.IsBroken, Short(imported.Notes.Lines[0])));
    }

    [Fact]
    public void Of_two_sizes_of_a_reply_the_smaller_one_is_taken()
    {
        Assert.Equal(1232, Import("nsd.conf", "server:\n  ipv4-edns-size: 1232\n  ipv6-edns-size: 1400\n", "nsd").Options.MaxUdpPayload);
        Assert.Equal(1280, Import(
            "knot.conf", "server:\n  udp-max-payload: 1280\n  udp-max-payload-ipv4: 1400\n", "knot").Options.MaxUdpPayload);
    }

    [Theory]
    [InlineData("options { directory \"x\"; ", "named.conf:1: \"}\" is missing at the end")]
    [InlineData("options { directory \"x\n; };", "named.conf:1: a quote is not closed")]
    [InlineData("};\nzone \"a\" { };", "named.conf:1: \"}\" without \"{\"")]
    [InlineData("options { recursion no }; ", "named.conf:1: \";\" is missing before \"}\"")]
    public void A_broken_named_conf_is_said_to_be_broken(string text, string expected)
    {
        ImportedSettings imported = ImportCommand.Translate(_folder.Write("named.conf", text), "bind");
        Assert.True(imported.Notes.IsBroken);
        Assert.Contains(expected, imported.Notes.Lines.Select(Short));
    }

    [Fact]
    public void Zones_patterns_and_addresses_of_nsd_are_translated()
    {
        _folder.Write("zones.conf", "zone:\n  name: c.example\n  zonefile: other/c.zone\n");
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
                rrl-ratelimit: 200
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
        Assert.Equal(["a.example. master/a/a.example.zone", "c.example. master/other/c.zone"], Zones(options));
        Assert.Equal(["192.0.2.1:5300", "[2001:db8::1]:5353"], options.Listen.Select(address => address.ToString()));
        Assert.Equal(("ns2", 1232, 400), (options.Identity, options.MaxUdpPayload, options.Tcp.MaxConnections));
        Assert.Equal(
            [
                "nsd.conf:10: server: rrl-ratelimit is not translated",
                "nsd.conf:11: remote-control is not translated",
                "nsd.conf:22: zone s.example: is transferred from another server, which is not translated",
                "nsd.conf:25: zone d.example: no pattern none",
                "nsd.conf:23: zone d.example: has no file",
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
            ["knot.conf:12: zone b.example: mod-stats is not translated",
                "knot.conf:6: zone c.example: mod-queryacl/interface is not translated, and so the zone is left out",
                "knot.conf:20: zone d.example: mod-queryacl/missing is not translated, and so the zone is left out"],
            notes.Select(Short));
    }

    [Fact]
    public void Zones_templates_and_addresses_of_knot_are_translated()
    {
        _folder.Write("conf.d/b.conf", "zone:\n  - domain: b.example\n    file: \"b.db\"\n");
        string storage = Path.Combine(_folder.Root, "knot");
        var (options, notes, _) = Import("knot.conf", $$"""
            server:
                listen: [ 192.0.2.1@5353, "2001:db8::1" ]
                listen:
                  - 192.0.2.2
                identity: ns3
                udp-max-payload: 1400
                tcp-idle-timeout: 20
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
        Assert.Equal(["a.example. knot/a.example.zone", "s.example. knot/signed/s.example", "b.example. knot/b.db"], Zones(options));
        Assert.Equal(["192.0.2.1:5353", "[2001:db8::1]:53", "192.0.2.2:53"], options.Listen.Select(address => address.ToString()));
        Assert.Equal(("ns3", 1400, 20), (options.Identity, options.MaxUdpPayload, options.Tcp.IdleTimeoutSeconds));
        Assert.Equal(
            [
                "knot.conf:8: server: automatic-acl is not translated",
                "knot.conf:10: log is not translated",
                "knot.conf:18: zone s.example.: dnssec-signing is not translated",
                "knot.conf:24: zone t.example: is transferred from another server, which is not translated",
            ],
            notes);
    }

    [Theory]
    [InlineData("named.conf", "include \"named.conf\";\noptions { };\n", "named.conf is not included: files may be included 16 deep")]
    [InlineData("nsd.conf", "server:\n  include: nsd.conf\n", "nsd.conf is not included: files may be included 16 deep")]
    public void A_file_that_includes_itself_comes_to_an_end(string name, string text, string expected) =>
        Assert.Contains(Import(name, text).Notes, note => note.Contains(expected));

    [Fact]
    public void Blocks_are_nested_only_so_deep()
    {
        string text = string.Concat(Enumerable.Repeat("a {", 100_000));
        ImportedSettings imported = ImportCommand.Translate(_folder.Write("named.conf", text), "bind");
        Assert.True(imported.Notes.IsBroken);
    }

    [Fact]
    public void An_include_that_is_missing_is_a_note_and_the_rest_is_imported()
    {
        var (options, notes, _) = Import("named.conf", "include \"gone.conf\";\nzone \"a.example\" { type master; file \"a\"; };\n");
        Assert.StartsWith("named.conf:1: cannot read ", Assert.Single(notes));
        Assert.Equal(["a.example. a"], Zones(options));
    }

    [Fact]
    public async Task Settings_that_are_there_are_not_replaced()
    {
        string config = _folder.Write("named.conf", "options { };\n"), target = Path.Combine(_folder.Root, "new.json");
        StringWriter output = new(), errors = new();
        Assert.Equal(0, await DnsdCommand.InvokeAsync(["import", config, "--output", target], output, errors));
        Assert.Contains("0 zones; 0 notes", output.ToString());
        Assert.Equal(1, await DnsdCommand.InvokeAsync(["import", config, "--output", target], output, errors));
        Assert.Equal(1, await DnsdCommand.InvokeAsync(["import", Path.Combine(_folder.Root, "none")], output, errors));
        Assert.Contains("nothing was imported", errors.ToString());
    }
}
