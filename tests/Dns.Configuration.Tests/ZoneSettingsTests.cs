using System.Net;

namespace Dns.Configuration.Tests;

/// <summary>The effective settings of a zone: from its entry, its template and the server.</summary>
public sealed class ZoneSettingsTests : IDisposable
{
    private readonly SettingsFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    private ZoneOptions One(string zone, string more = "") =>
        Assert.Single(_folder.Options($$"""{ "Zones": [ {{zone}} ]{{more}} }""").Zones);

    [Fact]
    public void A_secondary_has_its_primaries_with_ports_and_keys()
    {
        ZoneOptions zone = One(
            """{ "Name": "b.example", "Type": "Secondary", "Primaries": [ "192.0.2.1:5353 key:k1.", "2001:db8::1", "[2001:db8::2]:5300" ] }""",
            """, "TsigKeys": [ { "Name": "k1.", "Secret": "AAAA" } ] """);
        Assert.Equal((ZoneRole.Secondary, null), (zone.Role, zone.Path));
        Assert.Equal(
            [
                new PeerAddress(IPEndPoint.Parse("192.0.2.1:5353"), DomainName.Parse("k1.")),
                new PeerAddress(IPEndPoint.Parse("[2001:db8::1]:53")),
                new PeerAddress(IPEndPoint.Parse("[2001:db8::2]:5300")),
            ],
            zone.Primaries);
    }

    [Fact]
    public void What_a_zone_says_goes_before_its_template()
    {
        ZoneOptions zone = One(
            """{ "Name": "a.example", "File": "a", "Template": "OURS", "AllowTransfer": [ "192.0.2.2" ], "Notify": [] }""",
            """
            , "Templates": { "ours": { "AllowTransfer": [ "any" ], "Notify": [ "192.0.2.3" ], "AllowQuery": [ "192.0.2.0/24" ],
                                       "AllowUpdate": [ "127.0.0.1" ] } }
            """);
        Assert.Equal("192.0.2.2", Assert.Single(zone.Policy!.AllowTransfer!.Rules).ToString());
        Assert.Empty(zone.Policy.Notify!);
        Assert.Equal("127.0.0.1", Assert.Single(zone.Policy.AllowUpdate!.Rules).From.ToString());
        Assert.NotNull(zone.AllowQuery);
        Assert.Null(zone.Policy.AllowNotify);
    }

    [Fact]
    public void Zones_that_say_nothing_themselves_share_what_their_template_says()
    {
        IReadOnlyList<ZoneOptions> zones = _folder.Options("""
            { "Zones": [ { "Name": "a.example", "File": "a", "Template": "t" }, { "Directory": ".", "Template": "t" } ],
              "Templates": { "t": { "Notify": [ "192.0.2.3" ] } } }
            """).Zones;
        Assert.NotNull(zones[0].Policy);
        Assert.Same(zones[0].Policy, zones[1].Policy);
    }

    [Fact]
    public void A_template_can_make_a_zone_a_secondary()
    {
        ZoneOptions zone = One(
            """{ "Name": "b.example", "Template": "theirs" }""",
            """, "Templates": { "theirs": { "Type": "secondary", "Primaries": [ "192.0.2.1" ], "MinRefresh": "1h" } } """);
        Assert.Equal((ZoneRole.Secondary, TimeSpan.FromHours(1)), (zone.Role, zone.MinRefresh));
        Assert.Equal("192.0.2.1:53", Assert.Single(zone.Primaries).ToString());
    }

    [Fact]
    public void What_a_template_has_for_secondaries_does_nothing_for_a_primary()
    {
        ZoneOptions zone = One(
            """{ "Name": "a.example", "File": "a", "Template": "t" }""",
            """, "Templates": { "t": { "Primaries": [ "192.0.2.1" ], "Notify": [ "192.0.2.2" ] } } """);
        Assert.Equal(ZoneRole.Primary, zone.Role);
        Assert.Empty(zone.Primaries);
    }

    [Fact]
    public void A_rule_of_updates_may_be_for_some_names_and_types()
    {
        UpdateRule rule = Assert.Single(_folder.Options("""
            { "AllowUpdate": [ { "From": "192.0.2.0/24 key:k2.", "Names": [ "*.dyn.example.com", "_acme-challenge.example.com." ],
                                 "Types": [ "A", "txt", "TYPE65280" ] } ],
              "TsigKeys": [ { "Name": "k2.", "Secret": "AAAA" } ] }
            """).AllowUpdate);
        Assert.Equal("192.0.2.0/24 key:k2.", rule.From.ToString());
        Assert.Equal(["*.dyn.example.com.", "_acme-challenge.example.com."],
            rule.Names!.Select(name => name.ToString()));
        Assert.Equal([RRType.A, RRType.TXT, (RRType)65280], rule.Types);
    }

    [Fact]
    public void A_catalog_is_made_of_zones_or_has_a_template_for_its_members()
    {
        IReadOnlyList<ZoneOptions> zones = _folder.Options("""
            { "Templates": { "members": { "AllowTransfer": [ "any" ] } },
              "Zones": [ { "Name": "c.example", "File": "c", "MemberOf": "catalog2.example", "Group": "g1" },
                         { "Name": "catalog.example", "Type": "secondary", "Primaries": [ "192.0.2.1" ], "Catalog": "consumer",
                           "MemberTemplate": "members" },
                         { "Name": "catalog2.example", "Catalog": "producer" } ] }
            """).Zones;
        Assert.Equal([CatalogRole.None, CatalogRole.Consumer, CatalogRole.Producer],
            zones.Select(zone => zone.Catalog));
        Assert.Equal(("catalog2.example.", "g1"), (zones[0].Policy!.MemberOf!.ToString(), zones[0].Policy!.Group));
        Assert.Equal("members", zones[1].MemberTemplate!.Name);
        Assert.Null(zones[2].Path);
    }

    [Fact]
    public void Limits_of_transfers_and_lists_for_all_zones_are_set()
    {
        ServerOptions options = _folder.Options("""
            { "Transfer": { "MaxOctets": "1G", "MaxRecords": 5, "MaxSeconds": 6, "MaxIncoming": 7, "MaxOutgoing": 9 },
              "Notify": [ "192.0.2.7" ], "AllowNotify": [ "192.0.2.1" ], "MinRefresh": "5m" }
            """);
        Assert.Equal(
            new Dns.Replication.TransferOptions
                { MaxOctets = 1 << 30, MaxRecords = 5, MaxSeconds = 6, MaxIncoming = 7, MaxOutgoing = 9 },
            options.Transfer);
        Assert.Equal(("192.0.2.7:53", "192.0.2.1"), (options.Notify[0].ToString(), options.AllowNotify![0].ToString()));
        Assert.Equal(TimeSpan.FromMinutes(5), options.MinRefresh);
        Assert.Null(_folder.Options("{ }").AllowNotify);
    }

    [Fact]
    public void A_list_of_servers_has_a_bound()
    {
        string list =
            string.Join(", ", Enumerable.Range(0, 1001).Select(i => $"\"192.0.{2 + i / 250}.{1 + i % 250}\""));
        Assert.EndsWith(
            "Dns:Notify has 1001 servers: expected at most 1000",
            Assert.Single(_folder.Problems($$"""{ "Dns": { "Notify": [ {{list}} ] } }""")));
    }

    [Fact]
    public void The_number_of_templates_has_a_bound()
    {
        string list = string.Join(", ", Enumerable.Range(0, 10_001).Select(i => $"\"t{i}\": {{ }}"));
        Assert.EndsWith(
            "Dns:Templates has 10001 templates: expected at most 10000",
            Assert.Single(_folder.Problems($$"""{ "Dns": { "Templates": { {{list}} } } }""")));
    }
}
