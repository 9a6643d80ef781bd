using System.Text.RegularExpressions;

namespace Dns.Import.Tests;

/// <summary>Keywords in capitals mean what they mean in lower case, where the other server has it so.</summary>
public sealed partial class KeywordCaseImportTests : ImportTestBase
{
    private const string Blocks = "blocks the move: ";
    private const string Secret = "MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTI=";

    private const string BindText = $$"""
        acl inside { 10.0.0.0/8; localhost; };
        key "k1." { algorithm hmac-sha256; secret "{{Secret}}"; };
        primaries ours { 192.0.2.1 key "k1."; };
        options { directory "Zones"; listen-on port 5300 { any; }; listen-on-v6 { none; }; recursion no; version none;
            allow-query { inside; }; notify no; minimal-any yes; max-cache-size unlimited; request-expire yes;
            transfer-format many-answers; transfers-in 20; rate-limit { responses-per-second 5; log-only yes; };
            rrset-order { order cyclic; }; };
        server 192.0.2.1 { edns yes; keys { "k1." }; };
        statistics-channels { inet 127.0.0.1 port 8053 allow { any; }; };
        dnssec-policy "P" { keys { csk lifetime p30d algorithm ecdsap256sha256; }; nsec3param optout yes;
            parent-ds-ttl pt1h30m; };
        view "V" {
            match-clients { "any"; };
            zone "a.example" in { type primary; file "A"; allow-query { any; }; dnssec-policy "P"; also-notify { ours; };
                allow-transfer { !192.0.2.9; key "k1."; }; notify yes; };
            zone "b.example" { type secondary; primaries port 5301 { ours; 192.0.2.3 tls none; }; };
            zone "c.example" { type forward; forward only; forwarders { 192.0.2.53 port 54; }; };
            zone "d.example" { type primary; file "d"; masterfile-format text; allow-transfer { none; };
                update-policy { grant "k1." zonesub any; grant "k1." name "x.d.example" a txt; }; };
        };
        """;

    [GeneratedRegex("\"[^\"]*\"|[a-z][a-z0-9-]*")]
    private static partial Regex BindWord();

    [Fact]
    public void Keywords_of_bind_are_read_in_any_case()
    {
        string capitals = BindWord().Replace(BindText, match => match.Value == "\"any\"" ? "\"Any\""
            : match.Value.StartsWith('"') ? match.Value : match.Value.ToUpperInvariant());
        var (_, lower, expected) = Import("named.conf", BindText, "bind");
        var (_, upper, actual) = Import("named.conf", capitals, "bind");
        Assert.Equal(expected.ToJson(), actual.ToJson());
        Assert.Equal(lower, upper);
        Assert.Contains("Zones/A", expected.ToJson().Replace('\\', '/'));
        Assert.Equal(["10.0.0.0/8", "127.0.0.0/8", "::1"], actual.Zones[1].Clients);
    }

    [Fact]
    public void Names_of_bind_without_quotes_stay_as_they_are()
    {
        var (options, _, imported) = Import("named.conf", $$"""
            KEY K1 { ALGORITHM HMAC-SHA256; SECRET {{Secret}}; };
            LOGGING { CHANNEL Q { FILE "Upper"; }; CHANNEL q { FILE "Lower"; }; CATEGORY queries { Q; }; };
            OPTIONS { RECURSION NO; NOTIFY NO; };
            ZONE A.Example IN { TYPE PRIMARY; FILE "a"; ALLOW-TRANSFER { KEY k1; }; };
            """, "bind");
        Assert.Equal("A.Example", Assert.Single(imported.Zones).Text);
        Assert.Contains($"\"{Secret}\"", imported.ToJson());
        Assert.Equal("Upper.dnsd", Path.GetFileName(options.QueryLog.File));
    }

    private const string KnotText = $$"""
        server:
            automatic-acl: on
            answer-rotation: true
        key:
          - id: K1
            algorithm: hmac-sha256
            secret: {{Secret}}
        remote:
          - id: R1
            address: 192.0.2.1
            key: K1
            no-edns: off
            quic: false
        acl:
          - id: A1
            address: 192.0.2.0/24
            key: K1
            action: [ transfer, update ]
            deny: off
            update-type: [ a, txt ]
            update-owner: name
            update-owner-match: sub
            update-owner-name: [ Dyn.a.example. ]
        policy:
          - id: P1
            algorithm: ecdsap256sha256
            single-type-signing: on
            nsec3: true
            nsec3-opt-out: on
            offline-ksk: off
            cds-cdnskey-publish: rollover
        template:
          - id: default
            storage: Zones
            zonefile-load: difference
            journal-content: none
        zone:
          - domain: a.example
            file: A.zone
            dnssec-signing: on
            dnssec-policy: P1
            acl: A1
            notify: R1
            provide-ixfr: on
          - domain: b.example
            master: R1
            catalog-role: interpret
            catalog-template: default
        """;

    [GeneratedRegex(@"(?<=: |[\[,] )(on|off|true|false|transfer|update|a|txt|name|sub|rollover|difference|none"
        + @"|interpret)\b(?![.])|(?<=algorithm: ).*")]
    private static partial Regex KnotValue();

    [Fact]
    public void Values_of_knot_are_read_in_any_case()
    {
        string capitals = KnotValue().Replace(KnotText, match => match.Value.ToUpperInvariant());
        Assert.NotEqual(KnotText, capitals);
        var (_, lower, expected) = Import("knot.conf", KnotText, "knot");
        var (_, upper, actual) = Import("knot.conf", capitals, "knot");
        Assert.Equal(expected.ToJson(), actual.ToJson());
        Assert.Equal(lower, upper);
        Assert.DoesNotContain("not known", string.Join('\n', upper));
    }

    [Fact]
    public void Keys_of_nsd_are_read_in_any_case_and_its_values_are_not()
    {
        const string text = "SERVER:\n  Hide-Version: yes\n  version: x\nZone:\n  NAME: a.example\n  ZoneFile: A\n"
            + "  Provide-Xfr: 192.0.2.1 NOKEY\n";
        var (options, notes, _) = Import("nsd.conf", text);
        Assert.Equal("A", Path.GetFileName(Assert.Single(options.Zones).Path));
        Assert.Equal("[192.0.2.1]", $"[{Assert.Single(options.Zones[0].Policy!.AllowTransfer!.Rules)}]");
        Assert.Equal("", options.Version ?? "");
        Assert.All(notes, note => Assert.Contains("not found here", note));
    }

    [Theory]
    [InlineData("knot.conf", "Server:\n    listen: 127.0.0.1\n")]
    [InlineData("unbound.conf", "server:\n  Prefetch: yes\n")]
    public void Keys_of_knot_and_unbound_are_in_lower_case(string name, string text) => Assert.NotEmpty(
        Translate(name, text, name.Split('.')[0], null).Diagnostics.Errors);

    [Theory]
    [InlineData("dnssec-signing: maybe", "dnssec-signing maybe: the value is not known")]
    [InlineData("dnssec-signing: 1", "dnssec-signing 1: the value is not known")]
    [InlineData("catalog-role: other", "catalog-role other: the value is not known")]
    public void A_value_of_knot_that_decides_about_signing_and_is_not_known_blocks(string statement, string expected) =>
        Assert.Contains(Import("knot.conf", $"zone:\n  - domain: a.example\n    {statement}\n", "knot").Notes,
            note => note.Contains("zone a.example: " + Blocks + expected));

    [Theory]
    [InlineData("dnssec-signing: T")]
    [InlineData("dnssec-signing: On")]
    public void A_flag_of_knot_may_be_cut_short(string statement) => Assert.Equal("default", Assert.Single(
        Import("knot.conf", $"zone:\n  - domain: a.example\n    {statement}\n", "knot").Options.Zones).Policy!.Dnssec);

    [Theory]
    [InlineData("action: Transfer", "192.0.2.1", null)]
    [InlineData("action: Transfer\n    deny: ON", null, null)]
    [InlineData("action: Transfer\n    deny: maybe", "192.0.2.1", "deny maybe: the value is not known")]
    [InlineData("action: give", null, "action give: the value is not known")]
    public void An_access_list_of_knot_never_permits_for_its_case(string statement, string? expected, string? note)
    {
        var (options, notes, _) = Import("knot.conf", "acl:\n  - id: a\n    address: 192.0.2.1\n    "
            + $"{statement}\nzone:\n  - domain: a.example\n    acl: a\n", "knot");
        Assert.Equal(expected, Assert.Single(options.Zones).Policy?.AllowTransfer?.Rules.Single().ToString());
        if (note is null) Assert.DoesNotContain(notes, line => line.Contains(Blocks));
        else Assert.Contains(notes, line => line.Contains(Blocks + note));
    }

    [Theory]
    [InlineData("any", "all", null)]
    [InlineData("a Txt", "A,TXT", null)]
    [InlineData("A(1) TXT", "TXT", "grant: A(1): a limit on the number of records: the type is left out")]
    [InlineData("any(3)", null, "grant: ANY(3): a limit on the number of records: the type is left out")]
    [InlineData("A NOSUCH", "A", "grant: NOSUCH is not a type of records, it is left out")]
    public void Types_of_updates_of_bind_are_those_of_settings(string types, string? expected, string? note)
    {
        var (options, notes, _) = Import("named.conf", $$"""
            key k1 { algorithm hmac-sha256; secret "{{Secret}}"; };
            options { recursion no; notify no; allow-transfer { none; }; };
            zone "a.example" { type primary; file "a"; update-policy { grant k1. zonesub {{types}}; }; };
            """, "bind");
        IReadOnlyList<UpdateRule> rules = Assert.Single(options.Zones).Policy?.AllowUpdate?.Rules ?? [];
        Assert.Equal(expected, rules.Count == 0 ? null
            : rules[0].Types is { } permitted ? string.Join(',', permitted) : "all");
        Assert.Equal(note is null ? [] : [note],
            notes.Where(line => line.Contains(Blocks)).Select(line => line.Split(Blocks)[1].Replace(
                " (the server cannot)", "")));
    }

    [Theory]
    [InlineData("any", null, false)]
    [InlineData("none", "", false)]
    [InlineData("!any", "", false)]
    [InlineData("nosuch", "", true)]
    [InlineData("key k1", "", true)]
    public void A_list_of_clients_of_bind_that_becomes_empty_blocks(string element, string? expected, bool blocks)
    {
        var (_, notes, imported) = Import("named.conf", $$"""
            key k1 { algorithm hmac-sha256; secret "{{Secret}}"; };
            options { recursion no; notify no; allow-transfer { none; }; };
            zone "a.example" { type primary; file "a"; allow-query { {{element}}; }; };
            """, "bind");
        Assert.Equal(expected, imported.Zones[0].Clients is { } clients ? string.Join(' ', clients) : null);
        Assert.Equal(blocks, notes.Any(note => note.Contains(
            "zone a.example: " + Blocks + "allow-query: none of its clients is translated")));
    }

    [Theory]
    [InlineData("zones { zone \"a.example\" { type primary; }; };", Blocks + "not known: its zones are not translated")]
    [InlineData("options { forwarders { 192.0.2.53; }; recursion maybe; };",
        Blocks + "recursion: neither yes nor no: forwarding is allowed for no client")]
    public void What_of_bind_is_not_known_and_decides_blocks(string text, string expected) =>
        Assert.Contains(Import("named.conf", text + "\n", "bind").Notes, note => note.Contains(expected));

    [Fact]
    public void An_optout_of_bind_that_is_neither_yes_nor_no_blocks() => Assert.Contains(
        Import("named.conf", "dnssec-policy p { nsec3param optout maybe; };\n", "bind").Notes,
        note => note.Contains(Blocks + "nsec3param optout maybe: neither yes nor no"));

    [Theory]
    [InlineData("NO")]
    [InlineData("False")]
    [InlineData("0")]
    public void A_zone_of_bind_that_does_not_notify_has_no_list(string flag)
    {
        var (options, _, _) = Import("named.conf", $$"""
            options { recursion {{flag}}; allow-transfer { none; }; };
            zone "a.example" { type Primary; file "a"; notify {{flag}}; also-notify { 192.0.2.1; }; };
            """, "bind");
        Assert.Empty(Assert.Single(options.Zones).Policy!.Notify!);
    }
}
