using System.Text.Json.Nodes;

namespace Dns.Import.Tests;

/// <summary>With whom other servers exchange their zones, translated: never with more than there.</summary>
public sealed class ReplicationImportTests : ImportTestBase
{
    private const string Secret = "MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTI=";
    private const string BindKeys =
        $$"""key "k1" { algorithm hmac-sha256; secret "{{Secret}}"; }; key k2. { algorithm hmac-sha512; secret "{{Secret}}"; };""";

    private static string Text(PeerList? list) =>
        list is null ? "-" : string.Join(' ', list.Rules.Select(rule => $"[{rule}]"));

    private static string Text(IReadOnlyList<PeerAddress>? list) =>
        list is null ? "-" : string.Join(' ', list.Select(peer => $"[{peer}]"));

    private static string Text(UpdatePolicy? policy) =>
        policy is null ? "-" : string.Join(' ', policy.Rules.Select(rule =>
        $"[{rule.From}{(rule.Names is null ? "" : " " + string.Join(',', rule.Names))}{(rule.Types is null ? "" : " " + string.Join(',', rule.Types))}]"));

    private static bool IsFor(ZoneTemplate template, string address)
    {
        ClientAddress client = ClientAddress.From(new System.Net.IPEndPoint(System.Net.IPAddress.Parse(address), 53));
        return template.AllowQuery is null || template.AllowQuery.Contains(ref client);
    }

    private (ZonePolicy Policy, string[] Notes) BindZone(string statements, string options = "")
    {
        var (read, notes, _) = Import("named.conf", $$"""
            {{BindKeys}}
            acl inside { 192.0.2.0/25; key k2; };
            options { recursion no; notify no; {{options}} };
            zone "z.example" { type primary; file "z"; {{statements}} };
            """, "bind");
        return (Assert.Single(read.Zones).Policy ?? new ZonePolicy(),
            [.. notes.Where(note => !note.Contains("its secret is in") && !note.Contains("by default"))]);
    }

    [Theory]
    [InlineData("allow-transfer { none; };", "")]
    [InlineData("allow-transfer { any; };", "[0.0.0.0/0] [::/0]")]
    [InlineData("allow-transfer { key k1; 192.0.2.1; };", "[key:k1.] [192.0.2.1]")]
    [InlineData("allow-transfer { inside; };", "[192.0.2.0/25] [key:k2.]")]
    [InlineData("allow-transfer { !192.0.2.1; 192.0.2.0/30; };", "[192.0.2.2/31] [192.0.2.0]")]
    [InlineData("allow-transfer { !{ !192.0.2.0/24; any; }; key k1; };", "[192.0.2.0/24 key:k1.]")]
    [InlineData("", "-")]
    public void Who_may_transfer_from_bind_is_translated(string statements, string expected)
    {
        var (policy, notes) = BindZone(statements);
        Assert.Equal(expected, Text(policy.AllowTransfer));
        Assert.Empty(notes);
    }

    [Theory]
    [InlineData("allow-transfer { key none-such; };", "", "there is no key none-such, its uses are left out")]
    [InlineData("allow-transfer { !key k1; any; };", "",
        "allow-transfer: !key k1 is not translated, nor what follows it")]
    [InlineData("allow-transfer { 192.0.2.1; !inside; any; };", "[192.0.2.1]",
        "allow-transfer: !inside is not translated, nor what follows it")]
    [InlineData("allow-transfer port 853 transport tls { any; };", "",
        "allow-transfer: limited to a port or transport: no client is allowed")]
    public void What_of_a_list_cannot_be_translated_lets_nobody_in(string statements, string expected, string note)
    {
        var (policy, notes) = BindZone(statements);
        Assert.Equal(expected, Text(policy.AllowTransfer));
        Assert.Contains(notes, line => line.Contains("blocks the move: ") && line.Contains(note));
    }

    [Fact]
    public void A_secondary_of_bind_has_its_primaries_with_their_lists_keys_and_ports()
    {
        var (options, _, _) = Import("named.conf", $$"""
            {{BindKeys}}
            primaries ours port 5300 { 192.0.2.1 key k1; 2001:db8::1; };
            options { recursion no; also-notify { 192.0.2.7; }; transfers-in 20; max-transfer-time-in 60; };
            zone "z.example" { type slave; masters port 5301 { ours; 192.0.2.2 port 54 key k2; 192.0.2.3; }; allow-notify { 192.0.2.9; }; };
            """, "bind");
        ZoneOptions zone = Assert.Single(options.Zones);
        Assert.Equal("[192.0.2.1:5300 key:k1.] [[2001:db8::1]:5300] [192.0.2.2:54 key:k2.] [192.0.2.3:5301]",
            Text(zone.Primaries));
        Assert.Equal("[192.0.2.1] [2001:db8::1] [192.0.2.2] [192.0.2.3] [192.0.2.9]", Text(zone.Policy!.AllowNotify));
        Assert.Equal("[192.0.2.7:53]", Text(zone.Policy!.Notify));
        Assert.Equal((20, 3600), (options.Transfer.MaxIncoming, options.Transfer.MaxSeconds));
    }

    // BIND signs notifications where also-notify names the key, and accepts them from primaries without one.
    [Theory]
    [InlineData("192.0.2.31 key k1; 192.0.2.32;", "", "[192.0.2.31] [192.0.2.32]")]
    [InlineData("192.0.2.31 key k1; 192.0.2.31 port 54 key k1;", "", "[192.0.2.31]")]
    [InlineData("192.0.2.31; 192.0.2.32;", "", "-")]
    [InlineData("192.0.2.31;", "allow-notify { 192.0.2.9; };", "[192.0.2.31] [192.0.2.9]")]
    public void The_primaries_of_a_secondary_of_bind_may_notify_without_a_key(
        string primaries, string statement, string expected)
    {
        var (options, _, _) = Import("named.conf", $$"""
            {{BindKeys}}
            options { recursion no; };
            zone "z.example" { type secondary; primaries { {{primaries}} }; {{statement}} };
            """, "bind");
        Assert.Equal(expected, Text(Assert.Single(options.Zones).Policy?.AllowNotify));
    }

    private const string Outside = "server 192.0.2.0/24 { keys { k1; }; }; server 192.0.2.7 { keys k2; };";

    [Theory]
    [InlineData(Outside, "", "192.0.2.1", "[192.0.2.1:53 key:k1.]")]
    [InlineData(Outside, "", "192.0.2.1 port 5300", "[192.0.2.1:5300 key:k1.]")]
    [InlineData(Outside, "", "192.0.2.7", "[192.0.2.7:53 key:k2.]")]
    [InlineData(Outside, "", "192.0.2.7 key k1", "[192.0.2.7:53 key:k1.]")]
    [InlineData(Outside, "", "192.0.3.1", "[192.0.3.1:53]")]
    [InlineData(Outside, "", "ours", "[192.0.2.9:53 key:k1.] [192.0.2.8:53 key:k2.]")]
    [InlineData("server 10/8 { keys { k1; }; };", "", "10.1.2.3", "[10.1.2.3:53 key:k1.]")]
    [InlineData("server 10/8 { keys { k1; }; }; server 10.1.2.3 { edns no; };", "", "10.1.2.3", "[10.1.2.3:53]")]
    [InlineData("server 2001:db8::/32 { keys k1; };", "", "2001:db8::1", "[[2001:db8::1]:53 key:k1.]")]
    [InlineData(Outside, "server 192.0.2.1 { keys k2; };", "192.0.2.1", "[192.0.2.1:53 key:k2.]")]
    [InlineData(Outside, "server 192.0.2.1 { keys k2; };", "192.0.2.2", "[192.0.2.2:53]")]
    [InlineData(Outside, "allow-query { any; };", "192.0.2.2", "[192.0.2.2:53 key:k1.]")]
    public void A_server_of_bind_without_a_key_in_its_list_has_that_of_its_statement(
        string outside, string view, string server, string expected)
    {
        string zones = $$"""
            zone "s.example" { type secondary; primaries { {{server}}; }; };
            zone "z.example" { type primary; file "z"; also-notify { {{server}}; }; notify explicit; };
            zone "catalog.example" { type secondary; primaries { 192.0.3.9; }; };
            """;
        string text = $$"""
            {{BindKeys}} {{outside}}
            primaries ours { 192.0.2.9; 192.0.2.8 key k2; };
            options { recursion no; listen-on { 127.0.0.1; }; listen-on-v6 { none; };
                catalog-zones { zone "catalog.example" default-primaries { {{server}}; }; }; };
            {{(view.Length > 0 ? $$"""view v { {{view}} {{zones}} };""" : zones)}}
            """;
        var (options, _, imported) = Import("named.conf", text, "bind");
        Assert.False(imported.Diagnostics.IsBlocked);
        Assert.Equal([expected, expected, expected],
            [Text(options.Zones[0].Primaries), Text(options.Zones[1].Policy!.Notify),
                Text(options.Zones[2].MemberTemplate!.Primaries)]);
    }

    [Fact]
    public void Each_view_of_bind_has_its_own_server_statements()
    {
        var (options, _, _) = Import("named.conf", $$"""
            {{BindKeys}} server 192.0.2.1 { keys k1; };
            options { recursion no; };
            view a { match-clients { 10.0.0.0/8; }; server 192.0.2.1 { keys k2; };
                zone "a.example" { type secondary; primaries { 192.0.2.1; }; }; };
            view b { zone "b.example" { type secondary; primaries { 192.0.2.1; }; }; };
            """, "bind");
        Assert.Equal(["[192.0.2.1:53 key:k2.]", "[192.0.2.1:53 key:k1.]"],
            options.Zones.Select(zone => Text(zone.Primaries)));
    }

    [Theory]
    [InlineData("keys { k1 };")]
    [InlineData("keys { \"k1\" };")]
    [InlineData("bogus no; keys { k1 }; edns yes;")]
    public void The_key_of_a_server_of_bind_needs_no_semicolon_in_its_braces(string options)
    {
        const string zone = """zone "a.example" { type secondary; primaries { 192.0.2.1; }; };""";
        string server = $$"""server 192.0.2.1 { {{options}} };""";
        foreach (string text in new[] { server + zone, $$"""view v { {{server}} {{zone}} };""" })
        {
            var (read, _, _) = Import("named.conf", $$"""{{BindKeys}} options { recursion no; }; {{text}}""", "bind");
            Assert.Equal("[192.0.2.1:53 key:k1.]", Text(Assert.Single(read.Zones).Primaries));
        }
    }

    [Theory]
    [InlineData("server 192.0.2.1 { keys { k1; k2 }; };")]
    [InlineData("server 192.0.2.1 { keys { k1 k2 }; };")]
    [InlineData("controls { inet 127.0.0.1 allow { localhost; } keys { k1 }; };")]
    [InlineData("acl keys { k1 };")]
    public void Elsewhere_a_semicolon_in_braces_is_needed_as_in_bind(string statement) => Assert.Contains(
        "\";\" is missing before \"}\"", string.Join('\n', ImportCommand.Translate(
            Folder.Write("named.conf", $"{BindKeys}\n{statement}\n"), "bind", null).Diagnostics.Errors));

    [Theory]
    [InlineData("algorithm: sha256", "hmac-sha256")]
    [InlineData("algorithm: SHA512", "hmac-sha512")]
    [InlineData("algorithm: md5", "hmac-md5")]
    [InlineData("algorithm: HMAC-SHA1", "hmac-sha1")]
    [InlineData("algorithm: \"SHA1\"", "hmac-sha1")]
    [InlineData("algorithm: hmac-sha384", "hmac-sha384")]
    [InlineData("", "hmac-sha256")]
    public void Algorithms_of_nsd_may_be_abbreviated_and_the_default_is_sha256(string line, string expected)
    {
        var (_, _, imported) = Import("nsd.conf", $"""
            key:
              name: k1
              {line}
              secret: "{Secret}"
            zone:
              name: z.example
              request-xfr: 192.0.2.1 k1
            """, "nsd");
        Assert.False(imported.Diagnostics.IsBlocked);
        Assert.Equal(expected, (string?)JsonNode.Parse(imported.ToJson())!["Dns"]!["TsigKeys"]![0]!["Algorithm"]);
    }

    [Fact]
    public void Algorithms_that_are_not_supported_block_the_move_from_nsd() => Assert.Contains(
        Import("nsd.conf", $"key:\n  name: k1\n  algorithm: sha224\n  secret: \"{Secret}\"\n", "nsd").Notes,
        note => note.Contains("blocks the move: hmac-sha224: not an algorithm of TSIG here"));

    private const string Changes = "changes behaviour", Cosmetic = "cosmetic";

    [Theory]
    [InlineData("bogus yes", Changes, "all upstreams are queried alike")]
    [InlineData("edns no", Changes, "all upstreams are queried alike")]
    [InlineData("tcp-only 1", Changes, "all upstreams are queried alike")]
    [InlineData("padding 128", Cosmetic, "all upstreams are queried alike")]
    [InlineData("request-ixfr no", Changes, "IXFR is requested of all primaries")]
    [InlineData("transfer-source 192.0.2.9", Changes,
        "transfers and NOTIFY are sent from addresses that the system chooses")]
    [InlineData("query-source 192.0.2.9", Changes,
        "upstreams are queried from addresses and ports that the system chooses")]
    [InlineData("transfer-format one-answer", Changes, "messages of transfers have many records each")]
    [InlineData("provide-ixfr no", Changes, "secondaries get the changes that they request (IXFR)")]
    [InlineData("request-expire no", Changes,
        "the EXPIRE option is requested of all primaries, and limits when a zone expires")]
    [InlineData("request-expire yes", "", "")]
    [InlineData("transfers 5", Cosmetic, "transfers and NOTIFY have limits and times of their own")]
    [InlineData("keys { k1; }", "", "")]
    [InlineData("bogus no", "", "")]
    [InlineData("edns true", "", "")]
    public void Options_of_a_server_of_bind_are_reported_one_by_one(string option, string severity, string text)
    {
        string[] expected = severity.Length == 0 ? []
            : [$"server 192.0.2.1: {severity}: {option.Split(' ')[0]}: {text} (the server cannot)"];
        string server = $"server 192.0.2.1 {{ {option}; }};";
        foreach (string configuration in new[] { server, $"view v {{ {server} }};" })
            Assert.Equal(expected, Import("named.conf",
                $"{BindKeys}\noptions {{ recursion no; }};\n{configuration}\n", "bind").Notes
                .Where(note => note.Contains("server 192.0.2.1")).Select(note => note[(note.IndexOf(' ') + 1)..]));
    }

    [Theory]
    [InlineData("request-ixfr no", "options: changes behaviour: request-ixfr: IXFR is requested of all primaries " +
        "(the server cannot)")]
    [InlineData("request-ixfr yes", null)]
    [InlineData("notify-source 192.0.2.9", "options: changes behaviour: notify-source: transfers and NOTIFY are sent " +
        "from addresses that the system chooses (the server cannot)")]
    [InlineData("notify-source *", null)]
    public void How_transfers_are_requested_is_reported_for_all_primaries(string option, string? expected) =>
        Assert.Equal(expected is null ? [] : [expected],
            BindZone("", option + ";").Notes.Select(note => note[(note.IndexOf(' ') + 1)..]));

    [Theory]
    [InlineData("server 192.0.2.53 { keys { k1; }; };",
        "192.0.2.53: blocks the move: the key of a server: upstreams are queried without keys (the server cannot)")]
    [InlineData("server 192.0.2.1/24 { keys { k1; }; };",
        "server 192.0.2.1/24: blocks the move: not an address or network (the importer cannot)")]
    public void A_server_statement_of_bind_that_cannot_be_translated_blocks_the_move(string server, string expected)
    {
        var (_, notes, _) = Import("named.conf",
            $"{BindKeys}\n{server}\noptions {{ forwarders {{ 192.0.2.53; }}; }};\n", "bind");
        Assert.Contains(notes, note => note.EndsWith(expected));
    }

    [Theory]
    [InlineData("allow-update { key k1; };", "[key:k1.]")]
    [InlineData("update-policy { grant k1 name a.z.example TXT; grant k2 subdomain d.z.example ANY; };",
        "[key:k1. a.z.example. TXT] [key:k2. d.z.example.,*.d.z.example.]")]
    [InlineData("update-policy { grant k1 zonesub A AAAA; };", "[key:k1. A,AAAA]")]
    [InlineData("update-policy { grant k1 name a.z.example TXT; deny k2 zonesub; grant k2 zonesub ANY; };",
        "[key:k1. a.z.example. TXT]")]
    [InlineData("update-policy local;", "-")]
    public void Who_may_update_in_bind_is_translated(string statements, string expected) =>
        Assert.Equal(expected, Text(BindZone(statements).Policy.AllowUpdate));

    [Fact]
    public void A_catalog_of_bind_is_consumed()
    {
        var (options, _, _) = Import("named.conf", """
            options { recursion no; notify no; catalog-zones { zone "catalog.example" default-primaries { 192.0.2.5; } in-memory yes; }; };
            zone "catalog.example" { type secondary; primaries { 192.0.2.1; }; };
            """, "bind");
        ZoneOptions zone = Assert.Single(options.Zones);
        Assert.Equal((CatalogRole.Consumer, "[192.0.2.5:53]"), (zone.Catalog, Text(zone.MemberTemplate!.Primaries)));
    }

    [Theory]
    [InlineData("bind", "named.conf", """
        options { recursion no; notify no; allow-query { 10.0.0.0/8; }; allow-transfer { 192.0.2.7; };
            catalog-zones { zone "catalog.example" default-primaries { 192.0.2.5; }; }; };
        zone "catalog.example" { type secondary; primaries { 192.0.2.1; }; allow-query { any; }; allow-transfer { any; }; };
        """)]
    [InlineData("bind", "named.conf", """
        options { recursion no; notify no; allow-query { 10.0.0.0/8; }; allow-transfer { 192.0.2.7; };
            catalog-zones { zone "catalog.example" in-memory yes; }; };
        zone "catalog.example" { type secondary; primaries { 192.0.2.1; }; };
        """)]
    [InlineData("nsd", "nsd.conf", """
        pattern:
            name: "members"
            request-xfr: 192.0.2.10 NOKEY
            allow-query: 10.0.0.0/8 NOKEY
            provide-xfr: 192.0.2.7 NOKEY
        zone:
            name: "catalog.example"
            request-xfr: 192.0.2.9 NOKEY
            catalog: consumer
            catalog-member-pattern: "members"
        """)]
    [InlineData("knot", "knot.conf", """
        mod-queryacl:
          - id: inside
            address: 10.0.0.0/8
        remote:
          - id: theirs
            address: 192.0.2.1
        acl:
          - id: give
            address: 192.0.2.7
            action: transfer
        template:
          - id: default
            storage: /zones
            master: theirs
            module: mod-queryacl/inside
            acl: give
        zone:
          - domain: catalog.example
            master: theirs
            catalog-role: interpret
        """)]
    public void Members_of_a_catalog_are_for_no_more_clients_than_there(string format, string file, string text)
    {
        var (options, _, _) = Import(file, text, format);
        ZoneTemplate members = options.Zones[^1].MemberTemplate!;
        Assert.True(IsFor(members, "10.1.2.3"));
        Assert.False(IsFor(members, "192.0.2.1"));
        Assert.Equal("[192.0.2.7]", Text(members.Policy!.AllowTransfer));
    }

    [Fact]
    public void Members_of_a_catalog_of_knot_whose_clients_cannot_be_read_are_for_nobody()
    {
        var (options, notes, _) = Import("knot.conf", """
            remote:
              - id: theirs
                address: 192.0.2.1
            template:
              - id: members
                master: theirs
                module: mod-queryacl/none-such
            zone:
              - domain: catalog.example
                master: theirs
                catalog-role: interpret
                catalog-template: members
            """, "knot");
        Assert.False(IsFor(options.Zones[0].MemberTemplate!, "192.0.2.1"));
        Assert.Contains(notes,
            note => note.Contains("who may ask is not translated, and so its members answer no client"));
    }

    [Fact]
    public void Peers_of_nsd_are_translated()
    {
        var (options, _, _) = Import("nsd.conf", $$"""
            server:
                ip-address: 192.0.2.1
            key:
                name: "k1"
                algorithm: hmac-sha256
                secret: "{{Secret}}"
            pattern:
                name: "shared"
                provide-xfr: 192.0.2.0/24 k1
                provide-xfr: 192.0.2.128/25 BLOCKED
                provide-xfr: ::/0 k1
                provide-xfr: 0.0.0.0/0 k1
                notify: 192.0.2.7@5353 k1
            pattern:
                name: "members"
                request-xfr: 192.0.2.10 k1
            zone:
                name: "z.example"
                zonefile: "z"
                include-pattern: "shared"
            zone:
                name: "s.example"
                request-xfr: AXFR 192.0.2.9@5300 k1
                allow-notify: 192.0.2.9 NOKEY
            zone:
                name: "catalog.example"
                request-xfr: 192.0.2.9 NOKEY
                catalog: consumer
                catalog-member-pattern: "members"
            """, "nsd");
        Assert.Equal("[192.0.2.7:5353 key:k1.]", Text(options.Zones[0].Policy!.Notify));
        Assert.Equal("[192.0.2.0/25 key:k1.]", Text(options.Zones[0].Policy!.AllowTransfer).Split("] ")[0] + "]");
        Assert.DoesNotContain("[key:k1.]", Text(options.Zones[0].Policy!.AllowTransfer));
        Assert.Equal(("[192.0.2.9:5300 key:k1.]", "[192.0.2.9]"),
            (Text(options.Zones[1].Primaries), Text(options.Zones[1].Policy!.AllowNotify)));
        Assert.Equal((CatalogRole.Consumer, "[192.0.2.10:53 key:k1.]"),
            (options.Zones[2].Catalog, Text(options.Zones[2].MemberTemplate!.Primaries)));
        Assert.Empty(options.Zones[2].Policy!.AllowNotify!.Rules);
    }

    [Fact]
    public void Peers_of_knot_are_translated()
    {
        var (options, _, _) = Import("knot.conf", $$"""
            key:
              - id: k1
                algorithm: hmac-sha256
                secret: {{Secret}}
            remote:
              - id: theirs
                address: [ 192.0.2.1@5300, 2001:db8::1 ]
                key: k1
              - id: ours
                address: 192.0.2.7
                automatic-acl: on
            acl:
              - id: give
                address: [ 192.0.2.0/24 ]
                key: k1
                action: [ transfer, notify ]
              - id: change
                key: k1
                action: update
                update-type: [ A, TXT ]
                update-owner: name
                update-owner-match: sub
                update-owner-name: dyn.z.example.
            template:
              - id: default
                storage: /zones
              - id: members
                master: theirs
            zone:
              - domain: z.example
                acl: [ give, change ]
                notify: ours
                catalog-role: member
                catalog-zone: own.example
                catalog-group: g1
              - domain: s.example
                master: theirs
                acl: give
              - domain: catalog.example
                master: ours
                catalog-role: interpret
                catalog-template: members
              - domain: own.example
                catalog-role: generate
            """, "knot");
        ZonePolicy first = options.Zones[0].Policy!;
        Assert.Equal(("[192.0.2.0/24 key:k1.] [192.0.2.7]", "[192.0.2.7:53]"),
            (Text(first.AllowTransfer), Text(first.Notify)));
        Assert.Equal("[key:k1. *.dyn.z.example. A,TXT]", Text(first.AllowUpdate));
        Assert.Equal(("own.example.", "g1"), (first.MemberOf!.ToString(), first.Group));
        Assert.Equal("[192.0.2.1:5300 key:k1.] [[2001:db8::1]:53 key:k1.]", Text(options.Zones[1].Primaries));
        Assert.Equal("[192.0.2.0/24 key:k1.]", Text(options.Zones[1].Policy!.AllowNotify));
        Assert.Equal(("members", "[192.0.2.7]"),
            (options.Zones[2].MemberTemplate!.Name, Text(options.Zones[2].Policy!.AllowNotify)));
        Assert.Equal(CatalogRole.Producer, options.Zones[3].Catalog);
    }

    [Fact]
    public void Options_of_a_remote_of_knot_and_of_a_zone_of_nsd_say_from_where_transfers_come()
    {
        const string source =
            "transfers and NOTIFY are sent from addresses that the system chooses (the server cannot)";
        Assert.Equal([$"knot.conf:4: remote r: changes behaviour: via: {source}"], Import("knot.conf", """
            remote:
              - id: r
                address: 192.0.2.1
                via: 192.0.2.9
                no-edns: off
            """, "knot").Notes);
        Assert.Contains($"nsd.conf:4: zone z.example: changes behaviour: outgoing-interface: {source}", Import(
            "nsd.conf", """
            zone:
                name: "z.example"
                request-xfr: 192.0.2.1 NOKEY
                outgoing-interface: 192.0.2.9
            """, "nsd").Notes);
    }

    [Fact]
    public void A_list_of_knot_that_keeps_some_out_ends_what_is_translated()
    {
        var (options, notes, _) = Import("knot.conf", """
            acl:
              - id: first
                address: 192.0.2.1
                action: transfer
              - id: never
                address: 192.0.2.128/25
                action: transfer
                deny: on
              - id: all
                address: 192.0.2.0/24
                action: transfer
            zone:
              - domain: z.example
                acl: [ first, never, all ]
            """, "knot");
        Assert.Equal("[192.0.2.1]", Text(Assert.Single(options.Zones).Policy!.AllowTransfer));
        Assert.Contains(notes,
            note => note.EndsWith("acl never has deny: it is not translated, nor what follows it (the server cannot)"));
    }

    [Theory]
    [InlineData("ddns-master: r", "secondaries refuse updates")]
    [InlineData("default-ttl: 60", "records without a TTL")]
    public void What_a_zone_of_knot_does_otherwise_is_a_change_of_behaviour(string member, string note)
    {
        var (_, notes, _) = Import("knot.conf", $$"""
            remote:
              - id: r
                address: 192.0.2.9
            zone:
              - domain: z.example
                master: r
                {{member}}
            """, "knot");
        Assert.Contains($"changes behaviour: {member.Split(':')[0]}: {note}", Assert.Single(notes));
    }

    [Fact]
    public void Secrets_are_in_the_settings_and_in_no_diagnostic()
    {
        var (_, notes, imported) = Import("named.conf", BindKeys + "\noptions { recursion no; };\n", "bind");
        Assert.DoesNotContain(notes, note => note.Contains(Secret));
        Assert.Equal(Secret, (string?)JsonNode.Parse(imported.ToJson())!["Dns"]!["TsigKeys"]![0]!["Secret"]);
    }
}
