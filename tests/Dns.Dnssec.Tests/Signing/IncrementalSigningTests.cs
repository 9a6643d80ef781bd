using Dns.Testing;

namespace Dns.Dnssec.Tests;

/// <summary>
/// Changes of the source, one after the other: the version that is made of the one before is that of a whole signing.
/// </summary>
public sealed class IncrementalSigningTests(ITestOutputHelper output)
{
    private const string Apex = "example.";

    [Theory]
    [InlineData("nsec", 1)]
    [InlineData("nsec", 2)]
    [InlineData("nsec3", 3)]
    [InlineData("opt-out", 4)]
    [InlineData("opt-out", 5)]
    [InlineData("salted", 6)]
    public void Random_changes_make_the_versions_that_whole_signings_make(string denial, int seed)
    {
        output.WriteLine($"seed {seed}");
        SigningPlan plan = Plans.OneKey(Plans.Denial(denial));
        Random random = new(seed);
        Zone source = ZoneText.Load(Apex,
            "@ 3600 SOA ns.example. host.example. 1 7200 3600 1209600 300\n@ 3600 NS ns.example.\nns A 192.0.2.1\n");
        Zone signed = ZoneSigner.SignWhole(source, plan, Plans.Now).Zone!;
        for (int i = 0; i < 170; i++)
        {
            (Zone next, ZoneDelta delta) = RandomChange.Make(source, random);
            DateTimeOffset now = Plans.Now.AddMinutes(i);
            SigningResult result = ZoneSigner.Sign(signed, source, next, delta, plan, now);
            Assert.True(result.IsSigned, result.Error);
            SigningResult whole = ZoneSigner.SignWhole(next, plan with { Serial = SerialPolicy.Keep }, now,
                new SigningOptions { Threads = 1 });
            Assert.Equal(Lines(whole.Zone!), Lines(result.Zone));
            if (i % 10 == 0) SignedZoneText.AssertGood(result.Zone, now);
            if (result.Delta is { } made)
                Assert.Equal(SignedZoneText.Of(ZoneEditor.From(signed).Apply(made).Zone!),
                    SignedZoneText.Of(result.Zone));
            (source, signed) = (next, result.Zone);
        }
        Assert.True(SignedZoneText.VerifyAll(signed) > 0);
    }

    [Theory]
    [InlineData(11), InlineData(12), InlineData(13)]
    public void Random_changes_of_source_plan_and_time_leave_a_zone_that_is_good(int seed)
    {
        output.WriteLine($"seed {seed}");
        Random random = new(seed);
        string[] denials = ["nsec", "nsec3", "opt-out", "salted"];
        SigningPlan plan = Plans.OneKey();
        DateTimeOffset now = Plans.Now;
        Zone source = WholeSigningTests.Source(), signed = ZoneSigner.SignWhole(source, plan, now).Zone!;
        for (int i = 0; i < 60; i++)
        {
            now = now.AddHours(random.Next(72));
            Zone before = source;
            ZoneDelta? delta = null;
            if (random.Next(3) > 0) (source, delta) = RandomChange.Make(source, random);
            if (random.Next(4) == 0)
                plan = Plans.With(Keys(Plans.Ksk), Keys(random.Next(2) == 0 ? Plans.Zsk : Plans.NextZsk));
            if (random.Next(4) == 0) plan = plan with { Denial = Plans.Denial(denials[random.Next(denials.Length)]) };
            if (random.Next(4) == 0) plan = plan with { Zonemd = random.Next(2) == 0 };
            SigningResult result = ZoneSigner.Sign(signed, before, source, delta, plan, now);
            Assert.True(result.IsSigned, result.Error);
            Assert.True(
                ReferenceEquals(result.Zone, signed) || SerialNumber.IsGreater(result.Zone.Serial, signed.Serial));
            signed = result.Zone;
            RefreshRound round = new();
            do signed = ZoneSigner.Refresh(signed, plan, now, budget: 5, round).Zone!;
            while (round.IsUnderWay);
            SignedZoneText.AssertGood(signed, now);
            Assert.Equal(plan.Zonemd ? true : null, ZonemdCheck.Verify(signed));
        }

        SigningKey[] Keys(SigningKey one) => random.Next(3) == 0 ? [one, Plans.Csk] : [one];
    }

    [Theory]
    [Trait("RFC", "8976 2")]
    [InlineData("nsec", true), InlineData("nsec3", true), InlineData("nsec", false)]
    public void A_ZONEMD_record_below_the_apex_is_data(string denial, bool isIncremental)
    {
        SigningPlan plan = Plans.OneKey(Plans.Denial(denial)) with { Zonemd = true };
        string[] changes = ["", "m 60 A 192.0.2.1", "m 60 A 192.0.2.2\nother 60 A 192.0.2.1", "-", "again", "renewed"];
        Zone? source = null, signed = null;
        foreach (string change in changes)
        {
            Zone next = ZoneText.Load(Apex, $"""
                @ 3600 SOA ns.example. host.example. 1 7200 3600 1209600 300
                @ 3600 NS ns.example.
                {(change is "-" ? "" : $"m 60 ZONEMD 1 1 {(change is "again" ? 242 : 241)} {new string('A', 96)}")}
                {(change.Length > 9 ? change : "")}
                """);
            SigningResult result = signed is null || source is null || !isIncremental
                ? ZoneSigner.SignWhole(next, plan, Plans.Now, new SigningOptions { Previous = signed })
                : ZoneSigner.Sign(signed, source, next, ZoneDelta.Between(source, next), plan, Plans.Now);
            Assert.True(result.IsSigned, result.Error);
            (source, signed) = (next, result.Zone);
            SignedZoneText.AssertGood(signed, Plans.Now);
            RRset it = default;
            bool isThere = SourceNames.TryFind(signed, WireOctets.Name("m.example."), out ZoneNode node)
                && node.TryFind(RRType.ZONEMD, out it);
            Assert.Equal((change is not "-", change is "again" ? 242 : 241), (isThere, isThere ? it.First[5] : 241));
            Assert.True(ZonemdCheck.Verify(signed));
        }
        DateTimeOffset late = Plans.Now + plan.SignatureLifetime - plan.RefreshBefore;
        signed = ZoneSigner.Refresh(signed!, plan, late, 1000, new RefreshRound()).Zone!;
        Assert.All(SignedZoneText.Expirations(signed),
            end => Assert.True(end > RrsigFields.SecondsOf(late + plan.RefreshBefore)));
        Assert.True(ZonemdCheck.Verify(signed));
    }

    [Theory]
    [InlineData("nsec"), InlineData("nsec3"), InlineData("opt-out")]
    public void One_changed_name_of_many_is_signed_alone_with_its_neighbour_and_the_SOA(string denial)
    {
        SigningPlan plan = Plans.OneKey(Plans.Denial(denial));
        Zone source = WholeSigningTests.Many(3000);
        Zone signed = ZoneSigner.SignWhole(source, plan, Plans.Now).Zone!;
        (source, signed) = Change(source, signed, plan, "h77.example.", RRType.TXT, "\"new type\"", made: 3);
        (source, signed) = Change(source, signed, plan, "h77.example.", RRType.TXT, "\"again\"", made: 2);
        (source, signed) = Change(source, signed, plan, "new.example.", RRType.A, "192.0.2.9", made: 4);
        // An empty non-terminal is a name for NSEC3 alone.
        (_, signed) =
            Change(source, signed, plan, "x.y.example.", RRType.A, "192.0.2.9", made: denial == "nsec" ? 4 : 6);
        SignedZoneText.AssertGood(signed, Plans.Now);
    }

    [Theory, Trait("RFC", "5155 §7.1")]
    [InlineData("nsec3", RRType.CNAME, "ns.example.")]
    [InlineData("opt-out", RRType.CNAME, "ns.example.")]
    [InlineData("nsec3", RRType.A, "192.0.2.9")]
    [InlineData("nsec3", RRType.NS, "ns.elsewhere.test.")]
    [InlineData("opt-out", RRType.NS, "ns.elsewhere.test.")]
    [InlineData("nsec3", RRType.DNAME, "elsewhere.test.")]
    public void Records_at_the_name_of_an_NSEC3_record_are_signed_like_others(
        string denial, RRType type, string rdata)
    {
        SigningPlan plan = Plans.OneKey(Plans.Denial(denial));
        Zone source = WholeSigningTests.Many(5), signed = ZoneSigner.SignWhole(source, plan, Plans.Now).Zone!;
        foreach (string name in (string[])["h1.example.", "example.", "new.example."])
        {
            byte[] owner = DomainName.Parse($"{RandomChange.Hash(name)}.{Apex}").Octets.ToArray();
            (source, signed) = Edit(source, signed, builder => builder.Add(owner, type, 60, Rdata.Parse(type, rdata)));
        }
        // Then also the name of the NSEC3 record is there.
        (source, signed) = Edit(source, signed,
            builder => builder.Add(DomainName.Parse("new.example.").Octets, RRType.A, 60, [192, 0, 2, 1]));
        byte[] gone = DomainName.Parse($"{RandomChange.Hash("h1.example.")}.{Apex}").Octets.ToArray();
        Edit(source, signed, builder => builder.Remove(gone, type, Rdata.Parse(type, rdata), 60));

        (Zone, Zone) Edit(Zone before, Zone version, Action<ZoneDeltaBuilder> edit)
        {
            ZoneDeltaBuilder builder = new(DomainName.FromOctets(before.Apex), before.Serial);
            edit(builder);
            ZoneDelta delta = builder.Build();
            Zone next = ZoneEditor.From(before).Apply(delta).Zone!;
            SigningResult result = ZoneSigner.Sign(version, before, next, delta, plan, Plans.Now);
            Assert.True(result.IsSigned, result.Error);
            SignedZoneText.AssertGood(result.Zone, Plans.Now);
            return (next, result.Zone);
        }
    }

    [Theory]
    [InlineData("nsec"), InlineData("nsec3"), InlineData("opt-out")]
    public void The_first_change_of_a_version_that_was_read_from_disk_costs_no_more_than_the_next(string denial)
    {
        const int Names = 10_000;
        SigningPlan plan = Plans.OneKey(Plans.Denial(denial));
        Zone source = WholeSigningTests.Many(Names);
        Zone whole = ZoneSigner.SignWhole(source, plan, Plans.Now).Zone!;
        (Zone next, ZoneDelta delta) = Added(source, "new");
        (Zone later, ZoneDelta laterDelta) = Added(next, "newer");
        Zone signed = whole, changed = whole;
        long first = AllocatedOctets.Least(
            () => changed = ZoneSigner.Sign(signed, source, next, delta, plan, Plans.Now).Zone!,
            () => signed = ReadAgain());
        long second = AllocatedOctets.Least(
            () => signed = ZoneSigner.Sign(changed, next, later, laterDelta, plan, Plans.Now).Zone!);
        output.WriteLine($"{first} {second}");
        SignedZoneText.AssertGood(signed, Plans.Now);
        // The order alone has 4 octets for each name.
        Assert.InRange(first, second, second + 4 * Names);

        Zone ReadAgain()
        {
            SigningOptions options = new() { Previous = Copy(whole) };
            Zone read = ZoneSigner.SignWhole(source, plan, Plans.Now, options).Zone!;
            Assert.Same(options.Previous, read);
            return read;
        }
    }

    private static (Zone Zone, ZoneDelta Delta) Added(Zone source, string owner)
    {
        ZoneDeltaBuilder builder = new(DomainName.FromOctets(source.Apex), source.Serial);
        builder.Add(DomainName.Parse($"{owner}.{Apex}").Octets, RRType.A, 60, [192, 0, 2, 77]);
        ZoneDelta delta = builder.Build();
        return (ZoneEditor.From(source).Apply(delta).Zone!, delta);
    }

    private static Zone Copy(Zone zone)
    {
        ZoneBuilder builder = new(zone.Apex);
        foreach (ZoneNode node in zone)
            foreach (RRset rrset in node)
                foreach (ReadOnlySpan<byte> rdata in rrset) builder.Add(node.Name, false, rrset.Type, rrset.Ttl, rdata);
        return builder.Build();
    }

    [Fact]
    public void A_key_that_is_published_changes_the_apex_alone_and_one_that_signs_changes_all()
    {
        Zone source = WholeSigningTests.Many(500);
        SigningPlan plan = Plans.With([Plans.Ksk], [Plans.Zsk]);
        Zone signed = ZoneSigner.SignWhole(source, plan, Plans.Now).Zone!;
        SigningPlan published = plan with { Published = [.. plan.Published, Plans.NextZsk.Public] };
        SigningResult next = ZoneSigner.Sign(signed, source, source, null, published, Plans.Now.AddHours(1));
        // DNSKEY and SOA.
        Assert.Equal(2, next.SignaturesMade);
        SigningPlan rolled = published with { ZoneSigners = [Plans.NextZsk] };
        SigningResult all = ZoneSigner.Sign(next.Zone!, source, source, null, rolled, Plans.Now.AddHours(2));
        Assert.Equal([Plans.NextZsk.Public.Tag], SignedZoneText.Signers(all.Zone!, RRType.SOA));
        Assert.True(all.SignaturesMade > 1000);
        SignedZoneText.AssertGood(all.Zone!, Plans.Now.AddHours(2));
        Assert.Same(all.Zone, ZoneSigner.Sign(all.Zone!, source, source, null, rolled, Plans.Now.AddHours(3)).Zone);
    }

    [Fact]
    public void Changes_keep_ZONEMD_good_and_a_plan_without_it_takes_it_out()
    {
        SigningPlan plan = Plans.OneKey() with { Zonemd = true };
        Zone source = WholeSigningTests.Source();
        Zone signed = ZoneSigner.SignWhole(source, plan, Plans.Now).Zone!;
        (source, signed) = Change(source, signed, plan, "new.example.", RRType.A, "192.0.2.9", made: 5);
        Assert.True(ZonemdCheck.Verify(signed));
        SignedZoneText.AssertGood(signed, Plans.Now);
        SigningResult without = ZoneSigner.Sign(signed, source, source, null, plan with { Zonemd = false }, Plans.Now);
        Assert.False(without.Zone!.ApexNode.TryFind(RRType.ZONEMD, out _));
        SignedZoneText.AssertGood(without.Zone, Plans.Now);
    }

    [Fact]
    public void Another_TTL_of_denial_makes_the_chain_anew()
    {
        SigningPlan plan = Plans.OneKey(DenialPlan.Nsec3);
        Zone source = WholeSigningTests.Many(50);
        Zone signed = ZoneSigner.SignWhole(source, plan, Plans.Now).Zone!;
        source.ApexNode.TryFind(RRType.SOA, out RRset soa);
        byte[] rdata = soa.First.ToArray();
        rdata[^1]++;
        ZoneDeltaBuilder builder = new(DomainName.FromOctets(source.Apex), source.Serial);
        builder.Remove(source.Apex, RRType.SOA, soa.First, soa.Ttl);
        builder.Add(source.Apex, RRType.SOA, soa.Ttl, rdata);
        ZoneDelta delta = builder.Build();
        Zone next = ZoneEditor.From(source).Apply(delta).Zone!;
        SigningResult result = ZoneSigner.Sign(signed, source, next, delta, plan, Plans.Now.AddHours(1));
        SignedZoneText.AssertGood(result.Zone!, Plans.Now.AddHours(1));
        Assert.True(result.SignaturesMade > 50 && result.SignaturesKept > 50);
    }

    [Fact]
    public void A_change_of_too_many_names_is_signed_with_the_whole_zone()
    {
        Zone source = WholeSigningTests.Many(50);
        Zone signed = ZoneSigner.SignWhole(source, Plans.OneKey(), Plans.Now).Zone!;
        ZoneDeltaBuilder builder = new(DomainName.FromOctets(source.Apex), source.Serial);
        for (int i = 0; i < 5; i++)
            builder.Add(DomainName.Parse($"new{i}.{Apex}").Octets, RRType.A, 60, [192, 0, 2, 77]);
        ZoneDelta delta = builder.Build();
        Zone next = ZoneEditor.From(source).Apply(delta).Zone!;
        // And the apex.
        Assert.True(new AffectedNames(next, signed, most: 6, isHashed: false).TryFind(delta));
        Assert.False(new AffectedNames(next, signed, most: 5, isHashed: false).TryFind(delta));
    }

    [Theory]
    [InlineData(false, 2)]
    [InlineData(true, 5)]
    public void Empty_non_terminals_above_a_new_name_are_affected_with_hashed_names_only(bool isHashed, int count)
    {
        Zone source = WholeSigningTests.Many(5);
        Zone signed = ZoneSigner.SignWhole(source, Plans.OneKey(), Plans.Now).Zone!;
        ZoneDeltaBuilder builder = new(DomainName.FromOctets(source.Apex), source.Serial);
        builder.Add(DomainName.Parse($"new.a.b.c.{Apex}").Octets, RRType.A, 60, [192, 0, 2, 77]);
        ZoneDelta delta = builder.Build();
        AffectedNames affected = new(ZoneEditor.From(source).Apply(delta).Zone!, signed, most: 100, isHashed);
        Assert.True(affected.TryFind(delta));
        Assert.Equal(count, affected.Names.Count);
    }

    private static (Zone Source, Zone Signed) Change(
        Zone source, Zone signed, SigningPlan plan, string owner, RRType type, string text, int made)
    {
        ZoneDeltaBuilder builder = new(DomainName.FromOctets(source.Apex), source.Serial);
        byte[] name = WireOctets.Name(owner);
        if (SourceNames.TryFind(source, name, out ZoneNode node) && node.TryFind(type, out RRset before))
            builder.Remove(name, type, before.First, before.Ttl);
        builder.Add(name, type, 60, Rdata.Parse(type, text));
        ZoneDelta delta = builder.Build();
        Zone next = ZoneEditor.From(source).Apply(delta).Zone!;
        SigningResult result = ZoneSigner.Sign(signed, source, next, delta, plan, Plans.Now.AddMinutes(1));
        Assert.Equal(made, result.SignaturesMade);
        Assert.Equal(signed.Serial + 1, result.Zone!.Serial);
        return (next, result.Zone);
    }

    // The serials of both differ.
    private static string Lines(Zone zone) =>
        string.Join('\n', SignedZoneText.Of(zone).Split('\n')
            .Where(line => !line.Contains(" SOA ns.example.", StringComparison.Ordinal)));
}
