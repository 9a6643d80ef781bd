namespace Dns.Import.Tests;

/// <summary>How other servers sign their zones, translated.</summary>
public sealed class PolicyImportTests : ImportTestBase
{
    private (DnssecPolicy? Policy, string? Zone, string[] Notes) Bind(string policy, string zone = "dnssec-policy p;")
    {
        var (options, notes, _) = Import("named.conf", $$"""
            options { recursion no; notify no; allow-transfer { none; }; };
            {{policy}}
            zone "z.example" { type primary; file "z"; {{zone}} };
            """, "bind");
        return (options.FindDnssecPolicy("p"), Assert.Single(options.Zones).Policy?.Dnssec, notes);
    }

    private (DnssecPolicy? Policy, string? Zone, string[] Notes) Knot(string policy,
        string zone = "dnssec-signing: on\n    dnssec-policy: p")
    {
        var (options, notes, _) = Import("knot.conf", $"""
            remote:
              - id: parent
                address: 192.0.2.53@5353
            {policy}
            zone:
              - domain: z.example
                {zone}
            """, "knot");
        string? name = Assert.Single(options.Zones).Policy?.Dnssec;
        return (name is null ? null : options.FindDnssecPolicy(name), name, notes);
    }

    [Fact]
    public void A_policy_of_bind_is_translated_with_its_times_and_keys()
    {
        var (policy, zone, notes) = Bind("""
            dnssec-policy "p" {
                keys { ksk lifetime unlimited algorithm rsasha256 3072; zsk key-directory lifetime P30D algorithm 8 3072; };
                nsec3param iterations 0 optout yes salt-length 0;
                signatures-validity P2W; signatures-refresh 3d; dnskey-ttl 600; zone-propagation-delay PT10M; retire-safety 2h;
                parent-ds-ttl PT1H30M; parent-propagation-delay 1h; publish-safety 1h; purge-keys P90D; max-zone-ttl 1d;
            };
            """);
        Assert.Equal(
            new DnssecPolicy("p")
            {
                Algorithm = DnssecAlgorithm.RsaSha256, RsaBits = 3072, Keys = KeyScheme.KskAndZsk,
                Denial = DenialMethod.Nsec3, OptOut = true,
                SignatureLifetime = TimeSpan.FromDays(14), Refresh = TimeSpan.FromDays(3),
                ZskLifetime = TimeSpan.FromDays(30),
                DnskeyTtl = TimeSpan.FromMinutes(10), PropagationDelay = TimeSpan.FromMinutes(10),
                RetireSafety = TimeSpan.FromHours(2),
                ParentDsTtl = TimeSpan.FromMinutes(90), ParentPropagationDelay = TimeSpan.FromHours(1),
            },
            policy);
        Assert.Equal("p", zone);
        Assert.Equal(
            ["cosmetic: purge-keys: keys that are out of use are kept for 90 days",
                "cosmetic: max-zone-ttl: the longest TTL is that of the zone"],
            notes.Where(note => note.Contains("policy p: ")).Select(note => note.Split("policy p: ")[1]));
        Assert.Contains(notes,
            note => note.Contains("zone z.example: blocks the move: dnssec-policy: its keys are not imported"));
        Assert.Contains(notes, note => note.Contains("changes behaviour: its signed version has a greater serial"));
    }

    [Theory]
    [InlineData("named.conf", "zone z.example { type primary; file \"z\"; serial-update-method unixtime; };\n",
        "serial-update-method: signed versions follow the serial of the file, or Serial of their policy")]
    [InlineData("knot.conf", "zone:\n  - domain: z.example\n    serial-policy: unixtime\n",
        "serial-policy: signed versions follow the serial of the file, or Serial of their policy")]
    public async Task Other_serials_are_a_change_of_behaviour(string file, string text, string expected)
    {
        using SettingsFolder folder = new();
        string path = folder.Write(file, text);
        StringWriter output = new(), errors = new();
        await DnsdCommand.InvokeAsync(["import", path], output, errors);
        string[] changes = errors.ToString().Split("cosmetic:")[0].Split("changes behaviour:");
        Assert.Contains(expected, changes[^1]);
    }

    [Theory]
    [InlineData("dnssec-policy default;", "default")]
    [InlineData("dnssec-policy none;", null)]
    [InlineData("dnssec-policy insecure;", null)]
    [InlineData("", null)]
    public void Policies_that_are_built_into_bind_are_known(string zone, string? expected) =>
        Assert.Equal(expected, Bind("", zone).Zone);

    [Theory]
    [InlineData("dnssec-policy p { keys { csk lifetime 0 algorithm ed448; }; };",
        "algorithm ed448: keys are not made of it")]
    [InlineData("dnssec-policy p { keys { ksk lifetime 0 algorithm 13; zsk lifetime 0 algorithm 15; }; };",
        "keys: expected a csk, or a ksk and a zsk of one")]
    [InlineData("dnssec-policy p { keys { csk lifetime P1Z algorithm 13; }; };", "csk p1z: a time up to 3650d")]
    [InlineData("dnssec-policy p { signatures-refresh 30d; };", "Refresh: expected it below SignatureLifetime")]
    [InlineData("", "dnssec-policy: there is no policy p")]
    public void What_cannot_be_translated_blocks_the_move(string policy, string note) =>
        Assert.Contains(Bind(policy).Notes, line => line.Contains("blocks the move") && line.Contains(note));

    [Theory]
    [InlineData("dnssec-policy p { nsec3param iterations 5 optout no salt-length 8; };",
        "nsec3param iterations: NSEC3 has 0 iterations and no salt")]
    [InlineData("dnssec-policy p { keys { csk lifetime 0 algorithm rsasha512 1024; }; };",
        "keys of 1024 bits: they have 2048")]
    [InlineData("dnssec-policy p { offline-ksk yes; };", "offline-ksk: the key set is signed on this machine")]
    public void What_is_done_otherwise_is_told(string policy, string note) =>
        Assert.Contains(Bind(policy).Notes, line => line.Contains("changes behaviour") && line.Contains(note));

    [Fact]
    public void A_policy_of_knot_is_translated_with_its_times_keys_and_parent()
    {
        var (policy, zone, notes) = Knot("""
            submission:
              - id: sub
                parent: [parent]
                parent-delay: 10m
            policy:
              - id: p
                algorithm: ed25519
                ksk-lifetime: 365d
                zsk-lifetime: 60d
                propagation-delay: 2h
                rrsig-lifetime: 20d
                rrsig-refresh: 6d
                dnskey-ttl: 1800
                nsec3: on
                nsec3-opt-out: on
                ksk-submission: sub
                ksk-shared: on
            """);
        Assert.Equal(
            new DnssecPolicy("p")
            {
                Algorithm = DnssecAlgorithm.Ed25519, Keys = KeyScheme.KskAndZsk, Denial = DenialMethod.Nsec3,
                OptOut = true,
                SignatureLifetime = TimeSpan.FromDays(20), Refresh = TimeSpan.FromDays(6),
                KskLifetime = TimeSpan.FromDays(365),
                ZskLifetime = TimeSpan.FromDays(60), PropagationDelay = TimeSpan.FromHours(2),
                DnskeyTtl = TimeSpan.FromMinutes(30),
                ParentPropagationDelay = TimeSpan.FromMinutes(10),
                ParentResolver = System.Net.IPEndPoint.Parse("192.0.2.53:5353"),
            },
            policy);
        Assert.Equal("p", zone);
        Assert.Contains(notes,
            note => note.EndsWith(
                "policy p: changes behaviour: ksk-shared: each zone has keys of its own (the server cannot)"));
    }

    [Fact]
    public void The_policy_that_knot_has_by_default_has_its_times()
    {
        var (policy, zone, _) = Knot("", "dnssec-signing: on");
        Assert.Equal(
            DnssecPolicy.Default with { Keys = KeyScheme.KskAndZsk, ZskLifetime = TimeSpan.FromDays(30),
                PropagationDelay = TimeSpan.FromHours(1) },
            policy);
        Assert.Equal("default", zone);
    }

    [Fact]
    public void A_zone_that_knot_does_not_sign_is_not_signed() =>
        Assert.Null(Knot("policy:\n  - id: p", "dnssec-policy: p").Zone);

    [Theory]
    [InlineData("P1Y", -1)]
    [InlineData("P30D", 2_592_000)]
    [InlineData("P2W", 1_209_600)]
    [InlineData("PT1H1M1S", 3661)]
    [InlineData("1w2d", 777_600)]
    [InlineData("3600", 3600)]
    [InlineData("UNLIMITED", 0)]
    [InlineData("-1", -2)]
    [InlineData("-P1D", -2)]
    [InlineData("soon", -2)]
    [InlineData("P99999999999D", -2)]
    public void Times_of_other_servers_are_read(string text, long expected)
    {
        bool isTime = ImportedPolicy.TryReadTime(text, out long seconds);
        Assert.Equal(expected != -2, isTime);
        // A year has the days that the library gives it.
        if (expected >= 0) Assert.Equal(expected, seconds);
        if (expected == -1) Assert.InRange(seconds, 364 * 86400, 367 * 86400);
    }
}
