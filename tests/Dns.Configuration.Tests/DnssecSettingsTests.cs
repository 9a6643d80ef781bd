using System.Net;

namespace Dns.Configuration.Tests;

/// <summary>Policies of the settings, and which of them a zone has.</summary>
public sealed class DnssecSettingsTests : IDisposable
{
    private readonly SettingsFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    private DnssecPolicy Policy(string policy) =>
        _folder.Options($$"""{ "DnssecPolicies": { "Fast": {{policy}} } }""").FindDnssecPolicy("fast")!;

    [Fact]
    public void A_policy_has_all_that_it_says()
    {
        DnssecPolicy policy = Policy("""
            { "Algorithm": "ED25519", "RsaBits": 3072, "Keys": "ksk+zsk", "Denial": "nsec3", "OptOut": true, "SignatureLifetime": "30s", "Refresh": 10,
              "ZskLifetime": "90d", "KskLifetime": "1w", "PropagationDelay": "1s", "RetireSafety": "2s", "DnskeyTtl": "3s", "ParentDsTtl": "4m",
              "ParentPropagationDelay": "5s", "Zonemd": true, "Serial": "UnixTime", "ParentResolver": "[::1]:5353" }
            """);
        Assert.Equal(
            new DnssecPolicy("Fast")
            {
                Algorithm = DnssecAlgorithm.Ed25519, RsaBits = 3072, Keys = KeyScheme.KskAndZsk,
                Denial = DenialMethod.Nsec3, OptOut = true,
                SignatureLifetime = TimeSpan.FromSeconds(30), Refresh = TimeSpan.FromSeconds(10),
                ZskLifetime = TimeSpan.FromDays(90),
                KskLifetime = TimeSpan.FromDays(7), PropagationDelay = TimeSpan.FromSeconds(1),
                RetireSafety = TimeSpan.FromSeconds(2),
                DnskeyTtl = TimeSpan.FromSeconds(3), ParentDsTtl = TimeSpan.FromMinutes(4),
                ParentPropagationDelay = TimeSpan.FromSeconds(5),
                Zonemd = true, Serial = SerialPolicy.UnixTime, ParentResolver = IPEndPoint.Parse("[::1]:5353"),
            },
            policy);
    }

    [Fact]
    public void What_a_policy_leaves_out_is_that_of_the_one_that_is_built_in()
    {
        Assert.Equal(DnssecPolicy.Default with { Name = "Fast", Zonemd = true }, Policy("""{ "Zonemd": true }"""));
        Assert.Same(DnssecPolicy.Default, new ServerOptions().FindDnssecPolicy("DEFAULT"));
        Assert.Equal(
            (DnssecAlgorithm.EcdsaP256Sha256, KeyScheme.Csk, DenialMethod.Nsec, TimeSpan.FromDays(14), TimeSpan.Zero),
            (DnssecPolicy.Default.Algorithm, DnssecPolicy.Default.Keys, DnssecPolicy.Default.Denial,
                DnssecPolicy.Default.SignatureLifetime, DnssecPolicy.Default.KskLifetime));
    }

    [Fact]
    public void A_zone_has_the_policy_of_its_entry_else_that_of_its_template_and_off_is_none()
    {
        IReadOnlyList<ZoneOptions> zones = _folder.Options("""
            { "Zones": [ { "Name": "a", "File": "a", "Dnssec": "fast" }, { "Name": "b", "File": "b", "Template": "t" },
                         { "Name": "c", "File": "c", "Template": "t", "Dnssec": "OFF" }, { "Name": "d", "File": "d", "Template": "t", "Dnssec": "Default" },
                         { "Directory": ".", "Template": "t" }, { "Name": "e", "Template": "t", "Catalog": "producer" }, { "Name": "f", "File": "f" } ],
              "Templates": { "t": { "Dnssec": "fast", "Notify": [ "192.0.2.1" ] } }, "DnssecPolicies": { "fast": { } } }
            """).Zones;
        Assert.Equal(["fast", "fast", null, "Default", "fast", null, null], zones.Select(zone => zone.Policy?.Dnssec));
        Assert.Equal(6, zones.Count(zone => zone.Policy is not null));
        Assert.Equal(5, zones.Count(zone => zone.Policy?.Notify is not null));
    }

    [Fact]
    public void Off_waits_for_the_parent_and_off_now_does_not()
    {
        IReadOnlyList<ZoneOptions> zones = _folder.Options("""
            { "Zones": [ { "Name": "a", "File": "a", "Dnssec": "off" }, { "Name": "b", "File": "b", "Dnssec": "OFF-NOW" },
                         { "Name": "c", "Catalog": "producer", "Dnssec": "off-now" } ] }
            """).Zones;
        Assert.Equal([false, true, true], zones.Select(zone => zone.Policy!.IsUnsignedAtOnce));
        Assert.All(zones, zone => Assert.Null(zone.Policy!.Dnssec));
    }

    [Theory]
    [InlineData(
        """{ "Zones": [ { "Name": "a", "File": "a", "Dnssec": "fats" } ], "DnssecPolicies": { "fast": { } } }""",
        "dnsd.json:1:51: error: Dns:Zones:0:Dnssec: there is no policy \"fats\" in Dns:DnssecPolicies: did you mean " +
            "\"fast\"?")]
    [InlineData("""{ "Templates": { "t": { "Dnssec": "x" } } }""",
        "dnsd.json:1:34: error: Dns:Templates:t:Dnssec: there is no policy \"x\" in Dns:DnssecPolicies: expected " +
            "one of default, off, off-now")]
    [InlineData("""{ "Zones": [ { "Name": "a", "File": "a", "Dnssec": true } ] }""",
        "dnsd.json:1:51: error: Dns:Zones:0:Dnssec is true: expected default, off, off-now, or the name of a policy " +
            "in Dns:DnssecPolicies")]
    [InlineData("""{ "Zones": [ { "Name": "a", "File": "a", "dnssec-policy": "x" } ] }""",
        "dnsd.json:1:51: error: unknown setting Dns:Zones:0:dnssec-policy: zones are signed by Dnssec in an entry " +
            "of Dns:Zones or in its template")]
    [InlineData("""{ "Zones": [ { "Name": "a", "Catalog": "producer", "Dnssec": "default" } ] }""",
        "dnsd.json:1:61: error: Dns:Zones:0:Dnssec: a catalog is not signed: it is for servers, which do not " +
            "validate it")]
    [InlineData("""{ "StateDirectory": null, "Zones": [ { "Name": "a", "File": "a", "Dnssec": "default" } ] }""",
        "dnsd.json:1:75: error: Dns:Zones:0:Dnssec: keys are kept in Dns:StateDirectory, which is null: expected a " +
            "directory")]
    [InlineData("""{ "DnssecPolicies": { "p": { "Algoritm": "ed25519" } } }""",
        "dnsd.json:1:39: error: unknown setting Dns:DnssecPolicies:p:Algoritm: did you mean \"Algorithm\"?")]
    [InlineData("""{ "DnssecPolicies": { "p": { "Algorithm": "rsasha1" } } }""",
        "dnsd.json:1:39: error: Dns:DnssecPolicies:p:Algorithm is \"rsasha1\": expected one of ")]
    [InlineData("""{ "DnssecPolicies": { "p": { "Keys": "zsk" } } }""",
        "dnsd.json:1:39: error: Dns:DnssecPolicies:p:Keys is \"zsk\": expected one of csk, ksk+zsk")]
    [InlineData("""{ "DnssecPolicies": { "p": { "Refresh": "14d" } } }""",
        "dnsd.json:1:39: error: Dns:DnssecPolicies:p:Refresh: expected it below SignatureLifetime: ")]
    [InlineData("""{ "DnssecPolicies": { "p": { "SignatureLifetime": "0" } } }""",
        "dnsd.json:1:39: error: Dns:DnssecPolicies:p:SignatureLifetime: signatures would never be valid: expected a " +
            "time above 0")]
    [InlineData("""{ "DnssecPolicies": { "p": { "Denial": "compakt" } } }""",
        "dnsd.json:1:39: error: Dns:DnssecPolicies:p:Denial is \"compakt\": expected one of nsec, nsec3, compact")]
    [InlineData("""{ "DnssecPolicies": { "p": { "Denial": "compact", "Zonemd": true } } }""",
        "dnsd.json:1:60: error: Dns:DnssecPolicies:p:Zonemd: ZONEMD needs all signatures of the zone: ")]
    [InlineData("""{ "DnssecPolicies": { "p": { "Denial": "compact", "Algorithm": "rsasha256" } } }""",
        "dnsd.json:1:60: error: Dns:DnssecPolicies:p:Algorithm: clients wait while a signature is made: expected " +
            "ecdsap256sha256 or ed25519")]
    [InlineData("""{ "DnssecPolicies": { "p": { "OptOut": true } } }""",
        "dnsd.json:1:39: error: Dns:DnssecPolicies:p:OptOut: opt-out needs NSEC3: expected \"Denial\": \"nsec3\" " +
            "beside it")]
    [InlineData("""{ "DnssecPolicies": { "p": { "OfflineKsk": true } } }""",
        "dnsd.json:1:39: error: Dns:DnssecPolicies:p:OfflineKsk: a CSK cannot be offline: " +
            "expected \"Keys\": ")]
    [InlineData("""{ "DnssecPolicies": { "p": { "KskLifetime": "9d", "Keys": "ksk+zsk", "OfflineKsk": true } } }""",
        "dnsd.json:1:39: error: Dns:DnssecPolicies:p:KskLifetime: an offline KSK rolls over by " +
            "bundles: expected 0")]
    [InlineData("""{ "DnssecPolicies": { "p": { "KskLifetime": "1h" } } }""",
        "dnsd.json:1:39: error: Dns:DnssecPolicies:p:KskLifetime: the next key would not be known to all caches in " +
            "time: expected 0, or 3900 s ")]
    [InlineData("""{ "DnssecPolicies": { "p": { "SignatureLifetime": "366d" } } }""",
        "dnsd.json:1:39: error: Dns:DnssecPolicies:p:SignatureLifetime is \"366d\": expected a time up to 365d: ")]
    [InlineData("""{ "DnssecPolicies": { "p": { "ParentResolver": "ns1.example" } } }""",
        "dnsd.json:1:39: error: Dns:DnssecPolicies:p:ParentResolver is \"ns1.example\": expected an address with a " +
            "port, ")]
    [InlineData("""{ "DnssecPolicies": { "off": { } } }""",
        "dnsd.json:1:32: error: Dns:DnssecPolicies:off: \"Dnssec\": \"off\" says that a zone is not signed: " +
            "expected another name")]
    [InlineData("""{ "DnssecPolicies": [ ] }""",
        "dnsd.json:1:12: error: Dns:DnssecPolicies is a list: expected an object with a policy under each name")]
    public void What_cannot_be_is_told_with_its_place(string dns, string problem)
    {
        string found = Assert.Single(_folder.Problems($$"""{ "Dns": {{dns}} }"""));
        Assert.StartsWith(problem, found);
    }

    [Theory]
    // A mistake beside them hides no other one.
    [InlineData("""{ "Typo": 1, "Algorithm": "x", "Refresh": "20d", "OfflineKsk": true, "ZskLifetime": "1h" }""",
        "Typo Algorithm Refresh OfflineKsk ZskLifetime")]
    // What a setting would be is unknown when it could not be read: nothing follows from its default.
    [InlineData("""{ "SignatureLifetime": "x", "Refresh": "20d", "OptOut": true }""", "SignatureLifetime OptOut")]
    [InlineData("""{ "Refresh": "x", "SignatureLifetime": "1d" }""", "Refresh")]
    [InlineData("""{ "Keyz": "ksk+zsk", "OfflineKsk": true }""", "Keyz")]
    [InlineData("""{ "Denial": "nsec4", "OptOut": true, "KskLifetime": "1h" }""", "Denial KskLifetime")]
    [InlineData("""{ "Keys": "ksk+zsk", "OfflineKsk": true, "KskLifetime": "1h" }""", "KskLifetime")]
    public void Every_mistake_in_a_policy_is_reported_once(string policy, string settings)
    {
        IEnumerable<string> found = _folder.Problems($$"""{ "Dns": { "DnssecPolicies": { "p": {{policy}} } } }""");
        Assert.Equal(settings.Split(' '),
            found.Select(line => line.Split("Dns:DnssecPolicies:p:")[1].Split([' ', ':'])[0]));
    }

    [Fact]
    public void Times_that_a_rollover_cannot_keep_are_noted()
    {
        Settings settings =
            _folder
                .Read(
                    """{ "Dns": { "DnssecPolicies": { "p": { "Keys": "ksk+zsk", "ZskLifetime": "2d", "Refresh": "1m" } } } }""");
        Assert.Empty(settings.Problems);
        Assert.Equal(
            ["Dns:DnssecPolicies:p:Refresh", "Dns:DnssecPolicies:p:ZskLifetime"],
            settings.Warnings.Select(warning => warning.Message.Split(": ")[0]));
        Assert.Contains("a rollover may take 14 d 2 h with the other times", settings.Warnings[1].Message);
    }
}
