namespace Dns.Import.Tests;

/// <summary>Statements that mean more, or something else, than their words say.</summary>
public sealed class ImportedMeaningTests : ImportTestBase
{
    private const string Forwarding = "forward-zone:\n name: \".\"\n forward-addr: 192.0.2.53\n";

    private static string[] ForwardOf(ServerOptions options) =>
        [.. options.Forward.Select(zone => $"{zone.Name} {string.Join(',', zone.Upstreams)}")];

    [Fact]
    public void Indentation_and_headings_of_unbound_mean_nothing()
    {
        var (options, notes, _) = Import("unbound.conf", """
            server:
             interface: 127.0.0.1
            forward-zone:
             name: "a.example"
             forward-addr: 192.0.2.9
             forward-zone:
             name: "b.example"
             forward-addr: 192.0.2.10
            forward-zone: name:"."forward-addr:
               # the value is on another line
               192.0.2.11
            """);
        Assert.Equal(["a.example. 192.0.2.9:53", "b.example. 192.0.2.10:53", ". 192.0.2.11:53"], ForwardOf(options));
        Assert.Empty(notes);
    }

    [Fact]
    public void Quotes_inside_quoted_data_of_unbound_are_escaped_or_of_the_other_kind()
    {
        var (_, _, imported) = Import("unbound.conf",
            $"server:\n local-data: \"b.lan. TXT \\\"x y\\\"\"\n local-data: 'c.lan. TXT \"x y\"'\n{Forwarding}",
            zoneFolder: "z");
        Assert.Contains("b.lan. TXT \\\"x y\\\"\n", imported.Files["z/local-b.lan.zone"]);
        Assert.Contains("c.lan. TXT \"x y\"\n", imported.Files["z/local-c.lan.zone"]);
    }

    [Theory]
    [InlineData("unbound.conf", "server:\n port: 5300 53\n", "unbound.conf:2: error: expected \"key:\"")]
    [InlineData("unbound.conf", "server:\n identity: \"a\n", "unbound.conf:2: error: a quote is not closed")]
    [InlineData("unbound.conf", "server:\n access-control: 10.0.0.0/8",
        "unbound.conf:2: error: access-control with 1 value: expected 2")]
    [InlineData("unbound.conf", "port: 53\n", "unbound.conf:1: error: port is in no section")]
    [InlineData("nsd.conf", "server:\n port:5300\n", "nsd.conf:2: error: expected \"key:\"")]
    [InlineData("nsd.conf", "server:\n identity: a b\n", "nsd.conf:2: error: identity with 2 values")]
    [InlineData("nsd.conf", "server:\n identity:\n", "nsd.conf:2: error: identity with 0 values")]
    [InlineData("knot.conf", "server:\n\tidentity: a\n", "knot.conf:2: error: a tabulator: expected blanks")]
    [InlineData("knot.conf", "server:\n  identity: a\n   version: b\n",
        "knot.conf:3: error: version is not indented as the lines before it")]
    [InlineData("knot.conf", "zone:\n  domain: a.example\n", "knot.conf:2: error: domain is in no item of zone")]
    [InlineData("knot.conf", "zone:\n  - file: a\n", "knot.conf:2: error: an item of zone does not begin with file")]
    [InlineData("knot.conf", "server:\n  identity: a b\n", "knot.conf:2: error: expected \"key: value\"")]
    [InlineData("named.conf", "options { };;\n", "named.conf:1: error: \";\" without a statement")]
    [InlineData("named.conf", "zone \"a\" { } zone \"b\" { };\n", "named.conf:1: error: \";\" is missing behind \"}\"")]
    [InlineData("named.conf", "options { directory /tmp; };\n",
        "named.conf:1: error: a name with a slash needs quotes")]
    [InlineData("named.conf", "options { }; /* a\n", "named.conf:1: error: a comment is not closed")]
    public void What_a_server_does_not_read_is_an_error(string name, string text, string expected) =>
        Assert.Contains(expected, Translate(name, text, name.Split('.')[0] is "named" ? "bind" : name.Split('.')[0])
            .Diagnostics.Errors.Select(Short));

    [Fact]
    public void Unblocked_lan_zones_of_unbound_are_forwarded_and_localhost_keeps_its_pointer()
    {
        var (options, _, _) = Import("unbound.conf", $"server:\n unblock-lan-zones: yes\n{Forwarding}");
        Assert.True(options.RecursionLocalNames);
        string[] names = [.. options.Forward.Select(zone => zone.Name.ToString())];
        Assert.Contains("10.in-addr.arpa.", names);
        Assert.Contains("168.192.in-addr.arpa.", names);
        Assert.Contains("d.f.ip6.arpa.", names);
        Assert.DoesNotContain(names, name => name.StartsWith("127.", StringComparison.Ordinal) || name == "localhost.");
        Assert.All(options.Forward, zone => Assert.Equal("192.0.2.53:53", Assert.Single(zone.Upstreams).ToString()));
    }

    [Fact]
    public void Local_data_of_unbound_is_added_to_that_of_localhost()
    {
        var (options, _, imported) = Import("unbound.conf", "server:\n local-data-ptr: \"127.0.0.1 x.lan\"\n"
            + " local-data-ptr: \"127.0.0.9 300 y.lan\"\n local-data-ptr: \"::1 localhost\"\n"
            + $" local-data: \"localhost A 192.0.2.1\"\n{Forwarding}", zoneFolder: "z");
        Assert.Equal(3, options.Zones.Count);
        string pointers = imported.Files["z/local-127.in-addr.arpa.zone"];
        Assert.Contains("1.0.0.127.in-addr.arpa. PTR localhost.\n1.0.0.127.in-addr.arpa. PTR x.lan.\n", pointers);
        Assert.Contains("9.0.0.127.in-addr.arpa. 300 PTR y.lan.\n", pointers);
        Assert.Contains("localhost. A 127.0.0.1\n*.localhost. A 127.0.0.1\n", imported.Files["z/local-localhost.zone"]);
        Assert.Contains("*.localhost. A 192.0.2.1\n", imported.Files["z/local-localhost.zone"]);
        string six = Assert.Single(imported.Files, file => file.Key.Contains("ip6.arpa")).Value;
        Assert.Single(System.Text.RegularExpressions.Regex.Matches(six, "PTR localhost"));
    }

    [Theory]
    [InlineData("forward only; forwarders { 192.0.2.1; };", false)]
    [InlineData("forward first; forwarders { 192.0.2.1; };", true)]
    [InlineData("forward only;", true)]
    public void Bind_makes_no_empty_zones_where_it_only_forwards(string statements, bool hasLocalNames) => Assert.Equal(
        hasLocalNames,
        Import("named.conf", $"options {{ recursion yes; {statements} }};\n").Options.RecursionLocalNames);

    [Theory]
    [InlineData("listen-on { localhost; };", "0.0.0.0:53")]
    [InlineData("listen-on { localnets; 192.0.2.7; };", "0.0.0.0:53")]
    [InlineData("listen-on { here; };", "192.0.2.1:53 192.0.2.9:53")]
    [InlineData("listen-on { !192.0.2.1; any; };", "127.0.0.1:53 10.0.0.1:53")]
    [InlineData("listen-on { !{ 10/8; 127/8; }; localhost; };", "192.0.2.1:53")]
    [InlineData("listen-on { 192.0.2.0/24; };", "192.0.2.1:53")]
    [InlineData("listen-on port 54 { 192.0.2.1; }; listen-on { any; };", "192.0.2.1:54 0.0.0.0:53")]
    [InlineData("listen-on { none; };", "")]
    public void Listen_on_of_bind_is_a_list_with_names_and_exceptions(string statements, string expected)
    {
        var (options, _, _) = Import("named.conf",
            "acl here { 192.0.2.1; 192.0.2.9; };\n"
            + $"options {{ recursion no; listen-on-v6 {{ ::1; }}; {statements} }};\n",
            null, null, "127.0.0.1", "192.0.2.1", "10.0.0.1");
        Assert.Equal(expected, string.Join(' ', options.Listen.Where(listen => listen.ToString()[0] != '[')
            .OrderBy(listen => expected.IndexOf(listen.ToString(), StringComparison.Ordinal))));
    }

    [Fact]
    public void Localhost_of_bind_permits_every_address_of_the_machine()
    {
        var (options, notes, _) = Import("named.conf",
            "options { allow-recursion { localhost; }; forwarders { 192.0.2.53; }; };\n",
            null, null, "127.0.0.1", "192.0.2.1");
        Assert.Equal("127.0.0.0/8 ::1/128 192.0.2.1/32", string.Join(' ', options.Recursion.AllowFrom));
        Assert.Contains("named.conf:1: changes behaviour: localhost: the addresses of this machine are listed as they "
            + "are now (the importer cannot)", notes);
        (options, _, _) = Import("named.conf",
            "options { allow-recursion { !localhost; 192.0.2.0/31; }; forwarders { 192.0.2.53; }; };\n",
            null, null, "127.0.0.1", "192.0.2.1");
        Assert.Equal("192.0.2.0/32", string.Join(' ', options.Recursion.AllowFrom));
    }

    [Theory]
    [InlineData("unbound.conf", "server:\n interface: 127.0.0.1\n interface: 0.0.0.0\n interface: 127.0.0.2\n"
        + " interface: ::1\n interface: 127.0.0.1@54\n" + Forwarding, "0.0.0.0:53 [::1]:53 127.0.0.1:54")]
    [InlineData("nsd.conf", "server:\n ip-address: ::\n ip-address: ::1\n", "[::]:53")]
    [InlineData("knot.conf", "server:\n  listen: [ ::, 0.0.0.0, 127.0.0.1 ]\n", "[::]:53 0.0.0.0:53")]
    [InlineData("named.conf", "options { listen-on { 127.0.0.1; any; }; listen-on-v6 { none; }; };\n", "0.0.0.0:53")]
    public void A_wildcard_address_has_the_others_of_its_port(string name, string text, string expected)
    {
        var (options, _, imported) = Import(name, text);
        Assert.Equal(expected, string.Join(' ', options.Listen));
        Assert.DoesNotContain(imported.Diagnostics.Entries, entry => entry.Limit == ImportLimit.None
            && entry.Severity == ImportSeverity.Blocks);
    }

    [Theory]
    [InlineData("unbound.conf", "server:\n interface: fe80::1%lo\nforward-zone: name: . forward-addr: fe80::2%lo@54\n")]
    [InlineData("named.conf", "options { listen-on { none; }; listen-on-v6 { fe80::1%lo; }; "
        + "forwarders { fe80::2%lo port 54; }; };\nzone b { type secondary; primaries { fe80::2%lo; }; };\n")]
    public void A_link_local_address_keeps_its_interface_by_name(string name, string text)
    {
        string json = Translate(name, text).ToJson();
        Assert.Contains("\"[fe80::1%lo]:53\"", json);
        Assert.Contains("\"[fe80::2%lo]:54\"", json);
        if (name == "named.conf") Assert.Contains("\"fe80::2%lo\"", json);
    }

    [Fact]
    public void A_zone_served_in_one_view_and_forwarded_in_another_is_a_conflict()
    {
        var (options, notes, imported) = Import("named.conf", """
            view in { zone "a.example" { type primary; file "a"; };
              zone "b.example" { type forward; forwarders { 192.0.2.1; }; }; };
            view out { zone "a.example" { type forward; forwarders { 192.0.2.1; }; };
              zone "b.example" { type primary; file "b"; }; };
            """);
        Assert.Equal(["a.example. a"], Zones(options));
        Assert.Equal(["b.example. 192.0.2.1:53"], ForwardOf(options));
        Assert.Contains(notes, note => note.StartsWith("named.conf:3: zone a.example: blocks the move: it is served at "
            + "named.conf:1: ", StringComparison.Ordinal));
        Assert.Contains(notes, note => note.StartsWith("named.conf:4: zone b.example: blocks the move: it is "
            + "forwarded at named.conf:2: ", StringComparison.Ordinal));
        Assert.True(imported.Diagnostics.IsBlocked);
    }

    [Fact]
    public void Backslashes_of_file_names_stay()
    {
        Assert.Equal("\"a\\\\\\\\b\\\\c\\\"d\"", System.Text.RegularExpressions.Regex.Match(Translate("named.conf",
            "zone \"a.example\" { type primary; file \"/z/a\\\\b\\c\\\"d\"; };\n").ToJson().Replace("/z/", ""),
            "File\": (.*),?").Groups[1].Value.TrimEnd(',', '\r'));
    }

    [Theory]
    [InlineData("yes", false)]
    [InlineData("no", true)]
    public void Only_a_server_without_signatures_in_answers_is_another_one(string value, bool isReported) =>
        Assert.Equal(isReported, Import("named.conf", $"options {{ recursion no; dnssec-enable {value}; }};\n").Notes
            .Any(note => note.Contains("dnssec-enable: signatures are in answers to all queries with DO")));

    [Theory]
    [InlineData("ip4-only: yes", "0.0.0.0:53", 0)]
    [InlineData("ip6-only: yes", "[::]:53", 0)]
    [InlineData("ip4-only: no\n ip6-only: no", "0.0.0.0:53 [::]:53", 0)]
    [InlineData("ip-address: 192.0.2.1 servers=\"1 2\"\n ip-address: 192.0.2.2@54 servers=1",
        "192.0.2.1:53 192.0.2.2:54", 2)]
    public void Nsd_is_listened_to_in_its_family_by_all_workers(string lines, string expected, int remarks)
    {
        var (options, notes, imported) = Import("nsd.conf", $"server:\n {lines}\n", "nsd");
        Assert.Equal(expected, string.Join(' ', options.Listen));
        Assert.Equal(remarks, notes.Length);
        Assert.All(imported.Diagnostics.Entries, entry => Assert.Equal(ImportSeverity.Cosmetic, entry.Severity));
    }

    [Theory]
    [InlineData("[ yes, no ]", "10.0.0.0/8", false)]
    [InlineData("[ no ]", "", false)]
    [InlineData("[ yes, no, yes2 ]", "10.0.0.0/8", true)]
    [InlineData("[ no, yes ]", "", true)]
    public void A_list_of_knot_that_denies_changes_only_what_follows_it(string lists, string expected, bool isBlocked)
    {
        var (_, _, imported) = Import("knot.conf", $"""
            acl:
              - id: yes
                address: 10.0.0.0/8
                action: transfer
              - id: yes2
                address: 192.0.2.0/24
                action: transfer
              - id: no
                address: 10.1.0.0/16
                deny: on
            zone:
              - domain: a.example
                file: /z/a
                acl: {lists}
            """);
        Assert.Equal(expected, string.Join(' ', imported.Zones[0].Replication.AllowTransfer ?? []));
        Assert.Equal(isBlocked, imported.Diagnostics.IsBlocked);
    }

    [Theory]
    [InlineData("unbound.conf", "server:\n interface: 224.0.0.1\n" + Forwarding,
        "    unbound.conf:2: Dns:Listen:0 is \"224.0.0.1:53\": expected ")]
    [InlineData("unbound.conf", "server:\n interface: 127.0.0.1\n\nforward-zone:\n name: .\n forward-addr: 127.0.0.1\n",
        "    unbound.conf:4: Dns:Forward:0:Upstreams:0 is \"127.0.0.1:53\", where this server itself listens ")]
    [InlineData("named.conf", "options { listen-on { none; };\n  listen-on-v6 { fe80::1; }; };\n",
        "    named.conf:2: Dns:Listen:0 is \"[fe80::1]:53\": expected ")]
    [InlineData("named.conf", "options { recursion no; };\nstatistics-channels { inet 127.0.0.1 port 53; };\n",
        "    named.conf:2: Dns:Admin:Listen is \"127.0.0.1:53\", where Dns:Listen has ")]
    public async Task What_check_refuses_is_in_the_report_with_its_statement(string name, string text, string expected)
    {
        StringWriter output = new(), errors = new();
        string target = Path.Combine(Folder.Root, "new.json");
        Assert.Equal(3, await DnsdCommand.InvokeAsync(
            ["import", Folder.Write(name, text), "-o", target], output, errors));
        Assert.Contains("  dnsd check refuses a setting that was made of it" + Environment.NewLine, errors.ToString());
        Assert.Contains(expected, Short(errors.ToString()));
        Assert.Contains("dnsd check refuses", File.ReadAllText(target));
    }
}
