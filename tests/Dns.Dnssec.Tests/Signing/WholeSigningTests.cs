using Dns.Testing;

namespace Dns.Dnssec.Tests;

/// <summary>Whole signings: signed RRsets, chains, and signatures kept from an earlier signing.</summary>
public sealed class WholeSigningTests
{
    private const string Text = """
        @ 3600 SOA ns host 7 7200 3600 1209600 300
        @ 3600 NS ns
        ns 3600 A 192.0.2.1
        *.w 60 TXT "any"
        a.b.c 60 A 192.0.2.2
        plain.d 60 NS ns.plain.d
        ns.plain.d 60 A 192.0.2.3
        secure 60 NS ns
        secure 60 DS 1 13 2 AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
        dn 60 DNAME elsewhere.test.
        """;

    [Theory]
    [InlineData("nsec"), InlineData("nsec3"), InlineData("opt-out"), InlineData("salted")]
    public void A_signed_zone_is_good_to_the_verifier(string denial)
    {
        SigningResult result =
            ZoneSigner.SignWhole(Source(), Plans.OneKey(Plans.Denial(denial)) with { Zonemd = true }, Plans.Now);
        Assert.True(result.IsSigned, result.Error);
        SignedZoneText.AssertGood(result.Zone, Plans.Now);
        Assert.Equal(result.SignaturesMade, SignedZoneText.VerifyAll(result.Zone));
        Assert.True(ZonemdCheck.Verify(result.Zone));
    }

    [Fact]
    public void Delegations_and_glue_are_not_signed_and_their_DS_is()
    {
        Zone signed = ZoneSigner.SignWhole(Source(), Plans.OneKey(), Plans.Now).Zone!;
        Assert.Equal(["NS", "NSEC", "RRSIG NSEC"], Types(signed, "plain.d.example."));
        Assert.Equal(["A"], Types(signed, "ns.plain.d.example."));
        Assert.Equal(["DS", "NS", "NSEC", "RRSIG DS", "RRSIG NSEC"], Types(signed, "secure.example."));
        Assert.Empty(Types(signed, "b.c.example."));
    }

    [Fact]
    public void NSEC_names_follow_each_other_in_canonical_order_and_list_what_the_zone_owns()
    {
        Zone signed = ZoneSigner.SignWhole(Source(), Plans.OneKey(), Plans.Now).Zone!;
        Assert.Equal("a.b.c.example. NS SOA RRSIG NSEC DNSKEY", Record(signed, "example.", RRType.NSEC));
        Assert.Equal("plain.d.example. A RRSIG NSEC", Record(signed, "a.b.c.example.", RRType.NSEC));
        Assert.Equal("dn.example. NS RRSIG NSEC", Record(signed, "plain.d.example.", RRType.NSEC));
        Assert.Equal("*.w.example. NS DS RRSIG NSEC", Record(signed, "secure.example.", RRType.NSEC));
        Assert.Equal("example. TXT RRSIG NSEC", Record(signed, "*.w.example.", RRType.NSEC));
    }

    [Theory]
    [InlineData("nsec3", "plain.d.example.", true), InlineData("opt-out", "plain.d.example.", false)]
    [InlineData("opt-out", "secure.example.", true), InlineData("opt-out", "b.c.example.", true)]
    [InlineData("nsec3", "ns.plain.d.example.", false)]
    public void NSEC3_covers_empty_non_terminals_and_with_opt_out_no_unsigned_delegations(string denial, string name,
        bool isThere)
    {
        DenialPlan plan = Plans.Denial(denial);
        Zone signed = ZoneSigner.SignWhole(Source(), Plans.OneKey(plan), Plans.Now).Zone!;
        Assert.Equal(isThere, SourceNames.TryFind(signed, HashedOwner(name, plan), out ZoneNode node) &&
            node.TryFind(RRType.NSEC3, out _));
        Assert.Equal("1 0 0 -", Record(signed, "example.", RRType.NSEC3PARAM));
        Assert.True(DenialPlan.TryRead(signed, out DenialPlan? read));
        Assert.Equal(plan, read);
    }

    [Fact]
    public void TTL_of_denial_is_the_lower_of_minimum_and_SOA()
    {
        Zone source = ZoneText.Load("example.", Text.Replace("@ 3600 SOA", "@ 120 SOA", StringComparison.Ordinal));
        Zone signed = ZoneSigner.SignWhole(source, Plans.OneKey(), Plans.Now).Zone!;
        Assert.True(signed.ApexNode.TryFind(RRType.NSEC, out RRset nsec));
        Assert.Equal(120u, nsec.Ttl);
    }

    [Fact]
    public void The_same_input_gives_the_same_times_on_one_thread_and_on_four()
    {
        SigningPlan plan = Plans.OneKey(DenialPlan.Nsec3);
        string one = Times(new SigningOptions { Threads = 1 }), four = Times(new SigningOptions { Threads = 4 });
        Assert.Equal(one, four);

        string Times(SigningOptions options) =>
            SignedZoneText.Of(ZoneSigner.SignWhole(Source(), plan, Plans.Now, options).Zone!, hasTimes: true);
    }

    [Fact]
    public void Signatures_end_at_different_times_within_the_jitter()
    {
        SigningPlan plan = Plans.OneKey();
        List<uint> ends = SignedZoneText.Expirations(ZoneSigner.SignWhole(Many(500), plan, Plans.Now).Zone!);
        uint last = RrsigFields.SecondsOf(Plans.Now + plan.SignatureLifetime);
        uint first = RrsigFields.SecondsOf(Plans.Now + plan.SignatureLifetime - plan.Jitter);
        Assert.All(ends, end => Assert.InRange(end, first, last));
        Assert.True(ends.Distinct().Count() > ends.Count * 9 / 10);
    }

    [Fact]
    public void A_signed_zone_that_nothing_changes_stays_the_same_version()
    {
        SigningPlan plan = Plans.OneKey();
        Zone signed = ZoneSigner.SignWhole(Source(), plan, Plans.Now).Zone!;
        SigningResult again = ZoneSigner.SignWhole(
            signed, plan, Plans.Now.AddDays(1), new SigningOptions { Previous = signed, VerifiesPrevious = true });
        Assert.Same(signed, again.Zone);
        Assert.Equal(0, again.SignaturesMade);
    }

    [Fact]
    public void A_damaged_signature_of_a_file_is_replaced_and_the_others_are_kept()
    {
        SigningPlan plan = Plans.OneKey();
        Zone signed = ZoneSigner.SignWhole(Source(), plan, Plans.Now).Zone!;
        Zone damaged = Damage(signed, "ns.example.", RRType.A);
        SigningResult again = ZoneSigner.SignWhole(
            damaged, plan, Plans.Now.AddHours(1), new SigningOptions { Previous = damaged, VerifiesPrevious = true });
        SignedZoneText.AssertGood(again.Zone!, Plans.Now.AddHours(1));
        // That one, and the SOA's for the serial.
        Assert.Equal(2, again.SignaturesMade);
        Assert.Equal(signed.Serial + 1, again.Zone!.Serial);
    }

    [Fact]
    public void Another_chain_keeps_the_signatures_of_what_stays()
    {
        Zone signed = ZoneSigner.SignWhole(Source(), Plans.OneKey(), Plans.Now).Zone!;
        SigningResult hashed =
            ZoneSigner.Sign(signed, null, Source(), null, Plans.OneKey(DenialPlan.Nsec3), Plans.Now.AddHours(1));
        SignedZoneText.AssertGood(hashed.Zone!, Plans.Now.AddHours(1));
        Assert.False(hashed.Zone!.ApexNode.TryFind(RRType.NSEC, out _));
        Assert.True(hashed.SignaturesKept >= 6);
    }

    [Fact]
    public void Keys_in_a_source_that_was_not_signed_are_published_and_those_of_a_signed_one_are_replaced()
    {
        string foreign = Rdata.Format(RRType.DNSKEY, Plans.NextZsk.Public.Rdata);
        Zone source = ZoneText.Load("example.", Text + $"\n@ 3600 DNSKEY {foreign}\n@ 3600 CDS 0 0 0 00\n");
        Zone signed = ZoneSigner.SignWhole(source, Plans.OneKey(), Plans.Now).Zone!;
        Assert.Equal(2, Count(signed, RRType.DNSKEY));
        Assert.Equal(1, Count(signed, RRType.CDS));
        Zone again = ZoneSigner.SignWhole(signed, Plans.OneKey(), Plans.Now).Zone!;
        Assert.Equal(1, Count(again, RRType.DNSKEY));
        Assert.Equal(0, Count(again, RRType.CDS));
        SignedZoneText.AssertGood(again, Plans.Now);
    }

    [Theory, Trait("RFC", "8901 3")]
    [InlineData("of no key")]
    [InlineData("of a key, over other records")]
    [InlineData("of a key, over an earlier version")]
    public void A_signature_that_does_not_prove_a_signed_source_removes_no_key_of_another_signer(string signature)
    {
        string key = $"@ 3600 DNSKEY {Rdata.Format(RRType.DNSKEY, Plans.NextZsk.Public.Rdata)}\n";
        string times = "20360101000000 20200101000000";
        string more = $"@ 3600 CDS 0 0 0 00\n@ 3600 RRSIG DNSKEY 13 1 3600 {times} ";
        more += signature == "of no key"
            ? "1 example. AAAA" : $"{Plans.NextZsk.Public.Tag} example. {new string('A', 86)}==";
        if (signature.EndsWith("earlier version", StringComparison.Ordinal))
        {
            // As a signer that has stopped may leave it behind.
            Zone other = ZoneSigner.SignWhole(Source(), Plans.With([Plans.NextZsk], [Plans.NextZsk]), Plans.Now).Zone!;
            Assert.True(other.ApexNode.TryFindSignatures(RRType.DNSKEY, out RRset made));
            key += $"@ 3600 DNSKEY {Rdata.Format(RRType.DNSKEY, Plans.NextKsk.Public.Rdata)}\n";
            more = $"@ 3600 CDS 0 0 0 00\n@ 3600 RRSIG {Rdata.Format(RRType.RRSIG, made.First)}";
        }
        Zone source = ZoneText.Load("example.", $"{Text}\n{key}{more}\n");
        Zone signed = ZoneSigner.SignWhole(source, Plans.OneKey(), Plans.Now).Zone!;
        Assert.Equal(1 + Count(source, RRType.DNSKEY), Count(signed, RRType.DNSKEY));
        Assert.Equal(1, Count(signed, RRType.CDS));
        Assert.Equal([Plans.Csk.Public.Tag], SignedZoneText.Signers(signed, RRType.DNSKEY));
        SignedZoneText.AssertGood(signed, Plans.Now);
    }

    [Fact]
    public void The_keys_of_a_signed_source_are_replaced_when_its_signatures_have_expired_too()
    {
        Zone old = ZoneSigner.SignWhole(Source(), Plans.With([Plans.NextKsk], [Plans.NextZsk]), Plans.Now).Zone!;
        Zone signed = ZoneSigner.SignWhole(old, Plans.OneKey(), Plans.Now.AddYears(1)).Zone!;
        Assert.Equal(1, Count(signed, RRType.DNSKEY));
    }

    [Fact]
    public void Each_key_signs_what_its_role_says()
    {
        SigningPlan plan = Plans.With([Plans.Ksk], [Plans.Zsk]) with
        {
            Cds = [[.. SigningPlan.DeleteCds]], Cdnskey = [[.. SigningPlan.DeleteCdnskey]],
        };
        Zone signed = ZoneSigner.SignWhole(Source(), plan, Plans.Now).Zone!;
        Assert.Equal(Plans.Ksk.Public.Tag, SignedZoneText.Signers(signed, RRType.DNSKEY).Single());
        Assert.Equal(Plans.Ksk.Public.Tag, SignedZoneText.Signers(signed, RRType.CDS).Single());
        Assert.Equal(Plans.Ksk.Public.Tag, SignedZoneText.Signers(signed, RRType.CDNSKEY).Single());
        Assert.Equal(Plans.Zsk.Public.Tag, SignedZoneText.Signers(signed, RRType.SOA).Single());
        SignedZoneText.AssertGood(signed, Plans.Now);
    }

    [Fact]
    public void Keys_with_one_tag_both_sign_and_both_signatures_are_kept()
    {
        (SigningKey first, SigningKey second) = Twins();
        SigningPlan plan = Plans.With([first, second], [first, second]);
        Zone signed = ZoneSigner.SignWhole(Source(), plan, Plans.Now).Zone!;
        Assert.Equal([first.Public.Tag, first.Public.Tag], SignedZoneText.Signers(signed, RRType.SOA));
        SigningResult again =
            ZoneSigner.SignWhole(Source(), plan, Plans.Now.AddDays(1), new SigningOptions { Previous = signed });
        Assert.Same(signed, again.Zone);
    }

    [Fact]
    public void Signatures_made_elsewhere_are_added_as_they_are()
    {
        Zone made = ZoneSigner.SignWhole(Source(), Plans.With([Plans.Ksk], [Plans.Zsk]), Plans.Now).Zone!;
        Assert.True(made.ApexNode.TryFindSignatures(RRType.DNSKEY, out RRset signatures));
        SigningPlan plan = Plans.With([Plans.Ksk], [Plans.Zsk]) with { KeySigners = [],
            KeySetSignatures = [signatures.First.ToArray()] };
        Zone signed = ZoneSigner.SignWhole(Source(), plan, Plans.Now).Zone!;
        SignedZoneText.AssertGood(signed, Plans.Now);
        // Nothing is due for them here, however soon they end.
        DateTimeOffset later = Plans.Now + plan.SignatureLifetime - TimeSpan.FromHours(13);
        SigningResult refreshed = ZoneSigner.Refresh(signed, plan, later, int.MaxValue, new RefreshRound());
        Assert.True(refreshed.NextRefresh > later);
        SignedZoneText.AssertGood(refreshed.Zone!, later);
    }

    [Fact]
    public void A_name_at_its_limits_has_room_for_what_signing_adds()
    {
        ZoneLimits limits = new(RecordsPerType: 1, TypesPerName: 3);
        SigningPlan plan = Plans.With([Plans.Ksk, Plans.Csk], [Plans.Zsk, Plans.Csk]);
        Zone source =
            ZoneText.Load("example.", "@ 60 SOA ns host 1 1 1 1 1\n@ 60 NS ns\n@ 60 A 192.0.2.1\nns 60 A 192.0.2.1\n");
        Zone signed = ZoneSigner.SignWhole(source, plan, Plans.Now, new SigningOptions { Limits = limits }).Zone!;
        SignedZoneText.AssertGood(signed, Plans.Now);
        Assert.Equal(3, Count(signed, RRType.DNSKEY));
    }

    [Fact]
    public void A_root_zone_is_signed_as_any_other()
    {
        Zone source =
            ZoneText.Load(".",
                ". 60 SOA ns.test. host.test. 1 1 1 1 1\n. 60 NS ns.test.\ntest. 60 NS ns.test.\nns.test. 60 A " +
                    "192.0.2.1\n");
        foreach (string denial in (string[])["nsec", "nsec3"])
            SignedZoneText.AssertGood(
                ZoneSigner.SignWhole(source, Plans.OneKey(Plans.Denial(denial)), Plans.Now).Zone!, Plans.Now);
    }

    [Fact]
    public void A_signing_that_is_cancelled_ends()
    {
        using CancellationTokenSource cancelled = new();
        cancelled.Cancel();
        Assert.Throws<OperationCanceledException>(() =>
            ZoneSigner.SignWhole(Many(2000), Plans.OneKey(), Plans.Now, null, cancelled.Token));
    }

    [Fact]
    public void A_key_that_cannot_sign_is_an_error_and_no_exception()
    {
        SigningKey key = SigningKey.Generate(DnssecAlgorithm.EcdsaP256Sha256, isSep: true);
        key.Dispose();
        Assert.NotNull(ZoneSigner.SignWhole(Source(), Plans.With([key], [key]), Plans.Now).Error);
    }

    [Fact]
    public void A_plan_that_cannot_be_carried_out_says_why()
    {
        SigningPlan plan = Plans.OneKey();
        Assert.Contains("no key", (plan with { ZoneSigners = [] }).FindFault(), StringComparison.Ordinal);
        Assert.Contains("not published", (plan with { ZoneSigners = [Plans.Zsk] }).FindFault(),
            StringComparison.Ordinal);
        Assert.Contains("refresh", (plan with { RefreshBefore = plan.SignatureLifetime }).FindFault(),
            StringComparison.Ordinal);
        Assert.Contains("iterations", (plan with { Denial = DenialPlan.Hashed(101, [], false) }).FindFault(),
            StringComparison.Ordinal);
        Assert.Null(plan.FindFault());
    }

    [Fact]
    public void Plans_of_denial_are_equal_if_they_deny_alike()
    {
        DenialPlan[] plans =
        [
            DenialPlan.Nsec, DenialPlan.Nsec3, DenialPlan.Nsec3OptOut, DenialPlan.Compact,
            DenialPlan.Hashed(1, [], false), DenialPlan.Hashed(1, [1], false),
        ];
        Assert.Equal(plans.Length, plans.Distinct().Count());
        Assert.Equal(plans[5], DenialPlan.Hashed(1, [1], false));
    }

    internal static Zone Source() => ZoneText.Load("example.", Text);

    internal static Zone Many(int names) => ZoneText.Load(
        "example.", "@ 3600 SOA ns host 7 7200 3600 1209600 300\n@ 3600 NS ns\nns 60 A 192.0.2.1\n$GENERATE 1-" +
            names + " h$ 60 A 192.0.2.1\n");

    private static (SigningKey First, SigningKey Second) Twins()
    {
        Dictionary<ushort, SigningKey> known = [];
        while (true)
        {
            SigningKey key = SigningKey.Generate(DnssecAlgorithm.EcdsaP256Sha256, isSep: true);
            if (known.TryGetValue(key.Public.Tag, out SigningKey? twin)) return (twin, key);
            known.Add(key.Public.Tag, key);
        }
    }

    private static Zone Damage(Zone signed, string owner, RRType type)
    {
        ZoneNode node = SignedText.Find(signed, owner);
        Assert.True(node.TryFindSignatures(type, out RRset signatures));
        byte[] damaged = signatures.First.ToArray();
        damaged[^1] ^= 1;
        ZoneDeltaBuilder builder = new(DomainName.FromOctets(signed.Apex), signed.Serial);
        builder.Remove(node.Name, RRType.RRSIG, signatures.First);
        builder.Add(node.Name, RRType.RRSIG, signatures.Ttl, damaged);
        return ZoneEditor.From(signed).Apply(builder.Build()).Zone!;
    }

    private static string[] Types(Zone zone, string owner)
    {
        List<string> types = [];
        foreach (RRset rrset in SignedText.Find(zone, owner))
        {
            bool isSignature = RrsigFields.TryRead(rrset.First, out RrsigFields fields) && rrset.Type == RRType.RRSIG;
            types.Add(isSignature ? $"RRSIG {RRTypeText.Format(fields.TypeCovered)}" : RRTypeText.Format(rrset.Type));
        }
        return [.. types.Order(StringComparer.Ordinal)];
    }

    private static string Record(Zone zone, string owner, RRType type) =>
        SignedText.Find(zone, owner).TryFind(type, out RRset rrset) ? Rdata.Format(type, rrset.First) : "";

    private static int Count(Zone zone, RRType type) => zone.ApexNode.TryFind(type, out RRset rrset) ? rrset.Count : 0;

    private static byte[] HashedOwner(string name, DenialPlan plan)
    {
        byte[] hash = new byte[Nsec3Hash.LengthOctets], owner = new byte[WireName.MaxOctets];
        Nsec3Hash.Compute(WireOctets.Name(name), plan.Salt, plan.Iterations, hash);
        return owner[..DenialRdata.WriteOwner(hash, WireOctets.Name("example."), owner)];
    }
}
