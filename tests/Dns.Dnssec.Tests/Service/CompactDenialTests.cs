using System.Net;
using Dns.Testing;

namespace Dns.Dnssec.Tests;

/// <summary>Zones with compact denial: their answers, validation and cost (RFC 9824).</summary>
public sealed class CompactDenialTests
{
    private static readonly DnsTransport Udp = DnsTransport.Udp, Tcp = DnsTransport.Tcp;

    [Theory, Trait("RFC", "9824 3")]
    [InlineData("missing A", "NOERROR aa", "missing.example. 60 NSEC \\000.missing.example. RRSIG NSEC NXNAME")]
    [InlineData("x.y.missing A", "NOERROR aa",
        "x.y.missing.example. 60 NSEC \\000.x.y.missing.example. RRSIG NSEC NXNAME")]
    [InlineData("ns AAAA", "NOERROR aa", "ns.example. 60 NSEC \\000.ns.example. A RRSIG NSEC")]
    [InlineData("@ TXT", "NOERROR aa", "example. 60 NSEC \\000.example. NS SOA MX RRSIG NSEC DNSKEY")]
    [InlineData("b A", "NOERROR aa", "b.example. 60 NSEC \\000.b.example. RRSIG NSEC")]
    [InlineData("x.wild A", "NOERROR aa", "x.wild.example. 60 NSEC \\000.x.wild.example. TXT RRSIG NSEC")]
    [InlineData("cut DS", "NOERROR aa", "cut.example. 60 NSEC \\000.cut.example. NS RRSIG NSEC")]
    [InlineData("www.cut A", "NOERROR", "cut.example. 60 NSEC \\000.cut.example. NS RRSIG NSEC")]
    [InlineData("cut NSEC", "NOERROR", "cut.example. 60 NSEC \\000.cut.example. NS RRSIG NSEC")]
    [InlineData("cut RRSIG", "NOERROR", "cut.example. 60 NSEC \\000.cut.example. NS RRSIG NSEC")]
    [InlineData("www.cut NSEC", "NOERROR", "cut.example. 60 NSEC \\000.cut.example. NS RRSIG NSEC")]
    [InlineData("www.cut RRSIG", "NOERROR", "cut.example. 60 NSEC \\000.cut.example. NS RRSIG NSEC")]
    [InlineData("lost A", "NOERROR aa", "missing.example. 60 NSEC \\000.missing.example. RRSIG NSEC NXNAME")]
    [InlineData("odd A", "NOERROR aa", "odd.example. 60 NSEC \\000.odd.example. RRSIG NSEC TYPE1234")]
    public void One_record_at_the_name_denies(string question, string header, string nsec)
    {
        using CompactZone zone = new();
        string[] words = question.Split(' ');
        Reply reply = zone.Ask($"{(words[0] == "@" ? "" : words[0] + ".")}example {words[1]}");
        Assert.Equal(header, reply.Header);
        MessageRecord denial = Assert.Single(reply.Authority, record => record.Type == RRType.NSEC);
        Assert.Equal(nsec, denial.ToString());
        Assert.Contains(reply.Authority, record => record.Type == RRType.RRSIG && record.Owner.Equals(denial.Owner));
        Assert.Equal(header.Contains("aa", StringComparison.Ordinal),
            reply.Authority.Any(record => record.Type == RRType.SOA));
    }

    [Fact]
    public void A_denied_name_is_counted_as_a_name_error_in_whatever_code()
    {
        using CompactZone zone = new();
        zone.Ask("missing.example A");
        zone.Ask(CompactZone.Query("missing.example A", compactOk: true), Udp);
        zone.Ask("lost.example A");
        zone.Ask("ns.example AAAA");
        zone.Ask("missing.example NSEC");
        AnswerCounts counts = zone.Responder.Counters.Read();
        Assert.Equal(
            (2, 1, 2), (counts.Of(AnswerKind.NameError), counts.Of(AnswerKind.NoData), counts.Of(AnswerKind.Positive)));
    }

    [Fact, Trait("RFC", "9824 5.1")]
    public void Clients_that_understand_it_get_the_code_and_others_only_without_signatures()
    {
        using CompactZone zone = new();
        Reply compact = zone.Ask(CompactZone.Query("missing.example A"), Udp);
        Assert.Equal((Rcode.NoError, 0x8000u), (compact.Rcode, compact.Opt!.Ttl));
        Reply restored = zone.Ask(CompactZone.Query("missing.example A", compactOk: true), Udp);
        Assert.Equal((Rcode.NXDomain, 0xC000u), (restored.Rcode, restored.Opt!.Ttl & 0xFFFF));
        Assert.Contains("NXNAME", restored.ToString());
        Reply exists = zone.Ask(CompactZone.Query("ns.example AAAA", compactOk: true), Udp);
        Assert.Equal((Rcode.NoError, 0xC000u), (exists.Rcode, exists.Opt!.Ttl));
        // CO means nothing without DO.
        Reply plain = zone.Ask(QueryMessage.For("missing.example A").With(WireOctets.Opt(1232, 0, 0x4000, [])), Udp);
        Assert.Equal((Rcode.NXDomain, 0u), (plain.Rcode, plain.Opt!.Ttl & 0xFFFF));
        Assert.Equal("NXDOMAIN aa", zone.Ask(QueryMessage.For("missing.example A"), Udp).Header);
        Assert.DoesNotContain(plain.Authority, record => record.Type is RRType.NSEC or RRType.RRSIG);
    }

    [Theory, Trait("RFC", "9824 3.3")]
    [InlineData("ns.example A", "answer ns.example. 300 A 192.0.2.1")]
    [InlineData("x.wild.example TXT", "answer x.wild.example. 300 TXT \"any\"")]
    [InlineData("safe.example DS",
        "answer safe.example. 300 DS 12345 13 2 3AA5AB37EFCE57F737FC1627013FEE07BDF241BD10F3B1964AB55C78E79A304B")]
    [InlineData("example MX", "answer example. 300 MX 10 ns.example.")]
    public void An_answer_has_signatures_of_its_own_name_and_needs_no_proof(string question, string answer)
    {
        using CompactZone zone = new();
        Reply reply = zone.Ask(question);
        Assert.Equal(answer, reply.Lines[1]);
        MessageRecord signature = Assert.Single(reply.Answer, record => record.Type == RRType.RRSIG);
        Assert.True(RrsigFields.TryRead(signature.Rdata, out RrsigFields fields));
        Assert.Equal(CanonicalRRset.LabelsOf(signature.Owner.Octets), fields.Labels);
        // Additional addresses would need signatures too.
        Assert.Empty(reply.Authority);
        Assert.Empty(reply.Additional);
    }

    [Fact]
    public void A_referral_to_a_signed_zone_has_its_ds_signed_and_glue_is_not()
    {
        using CompactZone zone = new();
        Reply reply = zone.Ask("www.safe.example A");
        Assert.Equal(["NS", "DS", "RRSIG"], reply.Authority.Select(record => RRTypeText.Format(record.Type)));
        Assert.StartsWith("DS ", reply.Authority[2].RdataText);
        Assert.Equal("ns.safe.example. 300 A 192.0.2.4", Assert.Single(reply.Additional).ToString());
    }

    [Fact]
    public void Who_asks_for_the_record_itself_or_its_signature_gets_it()
    {
        using CompactZone zone = new();
        foreach (string name in (string[])
            ["ns.example", "b.example", "missing.example", "x.wild.example", "example", "alias.example"])
        {
            Reply nsec = zone.Ask($"{name} NSEC");
            Assert.Equal("NOERROR aa", nsec.Header);
            Assert.Equal([RRType.NSEC, RRType.RRSIG], nsec.Answer.Select(record => record.Type));
            Assert.Equal(SecurityStatus.Secure, zone.Validator().Validate(DomainName.Parse(name), RRType.NSEC).Status);
            Assert.All(zone.Ask($"{name} RRSIG").Answer, record => Assert.Equal(RRType.RRSIG, record.Type));
        }
    }

    [Fact, Trait("RFC", "4035 2.5")]
    public void The_record_beside_an_alias_is_answered_there()
    {
        using CompactZone zone = new();
        Reply reply = zone.Ask("alias.example NSEC");
        Assert.Equal(["alias.example. 60 NSEC \\000.alias.example. CNAME RRSIG NSEC"],
            reply.Answer.Where(record => record.Type != RRType.RRSIG).Select(record => record.ToString()));
        Assert.Empty(reply.Authority);
        Assert.Equal("NOERROR aa", zone.Ask(QueryMessage.For("alias.example NSEC"), Udp).Header);
        Assert.Empty(zone.Ask(QueryMessage.For("alias.example NSEC"), Udp).Answer);
    }

    [Fact]
    public void Every_answer_validates_and_a_name_error_counts_as_one()
    {
        using CompactZone zone = new();
        AnswerValidator validator = zone.Validator();
        foreach (string question in (string[])
            ["ns A", "ns AAAA", "b A", "a.b A", "x.wild TXT", "x.wild A", "alias A", "alias AAAA", "lost A", "a.tree A",
                "missing.tree A", "cut DS",
                "safe DS", "www.safe A", "missing A", "x.y.missing TXT", "odd TYPE1234", "odd MX", "ns ANY",
                "missing ANY", "b ANY"])
        {
            string[] words = question.Split(' ');
            Assert.True(RRTypeText.TryParse(System.Text.Encoding.ASCII.GetBytes(words[1]), out RRType type));
            ValidationResult result = validator.Validate(DomainName.Parse(words[0] + ".example"), type);
            // What is at an unsigned delegation is not ours to sign.
            Assert.True(result.Status == SecurityStatus.Secure,
                $"{question}: {result.Status} {result.Reason}\n{zone.Ask($"{words[0]}.example {words[1]}")}");
        }
        DomainName missing = DomainName.Parse("missing.example");
        byte[] restored = zone.Ask(CompactZone.Query("missing.example A", compactOk: true), Tcp).Octets;
        Assert.Equal(SecurityStatus.Secure, validator.Validate(restored, missing, RRType.A).Status);
        // The record of another name, or of one that exists, proves no name error.
        byte[] noData = zone.Ask("ns.example AAAA").Octets;
        noData[3] |= (byte)Rcode.NXDomain;
        Assert.Equal(SecurityStatus.Bogus,
            validator.Validate(noData, DomainName.Parse("ns.example"), RRType.AAAA).Status);
    }

    [Fact]
    public void A_signature_is_made_once_and_kept_over_versions_of_the_zone()
    {
        using CompactZone zone = new();
        string first = zone.Ask("ns.example A").ToString();
        long made = zone.Made;
        Assert.Equal(1, made);
        Assert.Equal(first, zone.Ask("NS.example A").ToString().Replace("NS.", "ns."));
        zone.Rig
            .Publish(ZoneText.Load("example", CompactZone.Text.Replace(" 1 3600", " 2 3600") + "\nnew A 192.0.2.9"));
        Assert.Equal(first, zone.Ask("ns.example A").ToString());
        Assert.Equal(made, zone.Made);
        zone.Ask("new.example A");
        Assert.Equal(made + 1, zone.Made);
        // Another RRset at the name has another signature.
        zone.Rig.Publish(ZoneText.Load("example",
            CompactZone.Text.Replace(" 1 3600", " 3 3600").Replace("192.0.2.1\n", "192.0.2.11\n")));
        Assert.NotEqual(first, zone.Ask("ns.example A").ToString());
        Assert.Equal(SecurityStatus.Secure, zone.Validator().Validate(DomainName.Parse("ns.example"), RRType.A).Status);
    }

    [Fact]
    public void Signatures_are_renewed_in_time_and_none_that_has_expired_is_sent()
    {
        using CompactZone zone =
            new(CompactZone.Policy with { SignatureLifetime = TimeSpan.FromDays(2), Refresh = TimeSpan.FromHours(12) });
        HashSet<string> seen = [];
        zone.Rig.Advance(TimeSpan.FromDays(20), TimeSpan.FromHours(5), () =>
        {
            uint now = RrsigFields.SecondsOf(zone.Rig.Clock.GetUtcNow());
            foreach (string question in (string[])["ns.example A", "missing.example A", "example DNSKEY"])
                foreach (MessageRecord record in zone.Ask(question).Answer.Concat(zone.Ask(question).Authority))
                {
                    if (record.Type != RRType.RRSIG) continue;
                    Assert.True(RrsigFields.TryRead(record.Rdata, out RrsigFields fields));
                    Assert.False(fields.IsEarly(now) ||
                        SerialNumber.IsGreater(unchecked(now + 12 * 3600), unchecked(fields.Expiration + 1)));
                    seen.Add(record.ToString());
                }
            Assert.Equal(SecurityStatus.Secure,
                zone.Validator().Validate(DomainName.Parse("ns.example"), RRType.A).Status);
        });
        Assert.InRange(seen.Count, 4 * 9, 4 * 40);
        // A clock that is set back makes no signature that has not begun.
        zone.Rig.Clock.Set(TimeSpan.FromDays(-3));
        zone.Rig.Advance(TimeSpan.FromMinutes(2), TimeSpan.FromMinutes(1));
        ValidationResult result = zone.Validator().Validate(DomainName.Parse("ns.example"), RRType.A);
        Assert.True(result.Status == SecurityStatus.Secure, result.Reason);
    }

    [Fact]
    public void After_a_rollover_only_the_new_key_signs_and_on_the_way_every_answer_validates()
    {
        using CompactZone zone =
            new(CompactZone.Policy with { ZskLifetime = TimeSpan.FromDays(10), Keys = KeyScheme.KskAndZsk });
        HashSet<ushort> signers = [];
        zone.Rig.Advance(TimeSpan.FromDays(30), TimeSpan.FromHours(3), () =>
        {
            foreach (string question in (string[])["ns A", "missing A", "x.wild TXT"])
            {
                string[] words = question.Split(' ');
                RRTypeText.TryParse(System.Text.Encoding.ASCII.GetBytes(words[1]), out RRType type);
                ValidationResult result = zone.Validator().Validate(DomainName.Parse(words[0] + ".example"), type);
                Assert.True(result.Status == SecurityStatus.Secure, $"{question}: {result.Reason}");
            }
            signers.Add(SignerOf(zone.Ask("ns.example A")));
        });
        Assert.InRange(signers.Count, 3, 4);
    }

    [Fact]
    public void An_algorithm_that_is_left_signs_until_its_keys_are_gone()
    {
        using CompactZone zone = new(DnssecPolicy.Default with { Algorithm = DnssecAlgorithm.RsaSha256 });
        Assert.Equal(1, Signatures());
        zone.Rig.Policies["default"] = CompactZone.Policy;
        zone.Rig.Signing.Use(name => zone.Rig.Policies.GetValueOrDefault(name));
        zone.Rig.Work();
        HashSet<int> counts = [Signatures()];
        zone.Rig.Advance(TimeSpan.FromDays(60), TimeSpan.FromHours(12), () =>
        {
            counts.Add(Signatures());
            Assert.Equal(SecurityStatus.Secure,
                zone.Validator().Validate(DomainName.Parse("ns.example"), RRType.A).Status);
            if (zone.Rig.Signing.StatusOf(DomainName.Parse("example"))!.Waits
                .Any(wait => wait.For?.Kind == KeyConditionKind.DsAtParent))
                zone.Rig.AtParent = [.. Cds()];
        });
        Assert.Contains(2, counts);

        int Signatures() => zone.Ask("ns.example A").Answer.Count(record => record.Type == RRType.RRSIG);
        IEnumerable<byte[]> Cds() =>
            zone.Ask("example CDS").Answer.Where(record => record.Type == RRType.CDS).Select(record => record.Rdata);
    }

    [Fact]
    public void Any_zone_may_begin_and_end_to_be_signed_so()
    {
        using CompactZone zone = new(DnssecPolicy.Default);
        foreach (DenialMethod denial in (DenialMethod[])[DenialMethod.Compact, DenialMethod.Nsec3, DenialMethod.Compact,
            DenialMethod.Nsec])
        {
            zone.Rig.Policies["default"] = DnssecPolicy.Default with { Denial = denial };
            zone.Rig.Signing.Use(name => zone.Rig.Policies.GetValueOrDefault(name));
            zone.Rig.Work();
            Assert.Equal(denial == DenialMethod.Compact, zone.Rig.Slot.Zone!.OnlineSigner is not null);
            Assert.Equal(denial == DenialMethod.Compact, zone.Rig.Slot.Zone!.Denial is null);
            Assert.Equal(denial, zone.Rig.Signing.StatusOf(DomainName.Parse("example"))!.Denial);
            foreach (string name in (string[])["ns.example", "missing.example", "b.example"])
                Assert.Equal(SecurityStatus.Secure, zone.Validator().Validate(DomainName.Parse(name), RRType.A).Status);
        }
    }

    [Fact]
    public void A_restart_serves_what_is_on_disk()
    {
        using CompactZone zone = new();
        uint serial = zone.Rig.Slot.Zone!.Serial;
        long made = zone.Rig.SignaturesMade;
        zone.Rig.Start();
        zone.Rig.Publish(ZoneText.Load("example", CompactZone.Text));
        zone.Responder = new Responder(zone.Rig.Registry.Published, new ResponderOptions());
        Assert.Equal((serial, made), (zone.Rig.Slot.Zone!.Serial, zone.Rig.SignaturesMade));
        Assert.Equal(SecurityStatus.Secure,
            zone.Validator().Validate(DomainName.Parse("missing.example"), RRType.A).Status);
    }

    [Fact]
    public void A_flood_of_names_makes_so_many_signatures_and_what_is_cached_goes_on()
    {
        SigningLimiter limiter = new(new SigningLimits { PerSecond = 80, PerNetwork = 40 });
        using CompactZone zone = new(limiter: limiter);
        zone.Ask(CompactZone.Query("ns.example A"), Udp);
        int answered = 0;
        for (int i = 0; i < 100; i++)
            answered += zone.Ask(CompactZone.Query($"n{i}.example A"), Udp).IsTruncated ? 0 : 1;
        // An eighth of a second's share of the network, of which one was taken by the first question.
        Assert.Equal((4, 96), (answered, limiter.Refused));
        Assert.False(zone.Ask(CompactZone.Query("ns.example A"), Udp).IsTruncated);
        Assert.Equal("NXDOMAIN aa", zone.Ask(QueryMessage.For("n99.example A").WithEdns(), Udp).Header);
        // A real client retries over TCP, with a separate rate; beyond it is an error.
        Assert.Equal("NOERROR aa", zone.Ask(CompactZone.Query("n99.example A"), Tcp).Header);
        for (int i = 0; i < 4; i++) zone.Ask(CompactZone.Query($"t{i}.example A"), Tcp);
        Assert.Equal("SERVFAIL", zone.Ask(CompactZone.Query("t4.example A"), Tcp).Header);
        // Another network has its own, until the share of all is used up.
        zone.Client = ClientAddress.From(new IPEndPoint(IPAddress.Parse("198.51.100.1"), 53000));
        Assert.False(zone.Ask(CompactZone.Query("other.example A"), Udp).IsTruncated);
        for (int network = 2; network < 20; network++)
        {
            zone.Client = ClientAddress.From(new IPEndPoint(IPAddress.Parse($"198.51.{network}.1"), 53000));
            zone.Ask(CompactZone.Query($"m{network}.example A"), Udp);
        }
        Assert.True(zone.Ask(CompactZone.Query("last.example A"), Udp).IsTruncated);
        limiter.Tick(TimeSpan.FromSeconds(1));
        Assert.False(zone.Ask(CompactZone.Query("last.example A"), Udp).IsTruncated);
    }

    [Fact]
    public void Where_none_may_be_made_a_signature_goes_on_until_its_end_and_not_longer()
    {
        SigningLimiter limiter = new(new SigningLimits { PerSecond = 8, PerNetwork = 8 });
        using CompactZone zone =
            new(CompactZone.Policy with { SignatureLifetime = TimeSpan.FromDays(2), Refresh = TimeSpan.FromHours(12) },
                limiter);
        string first = zone.Ask(CompactZone.Query("ns.example A"), Udp).ToString();
        zone.Rig.Clock.Advance(TimeSpan.FromHours(37));
        zone.Rig.Work();
        Assert.Equal(first, zone.Ask(CompactZone.Query("ns.example A"), Udp).ToString());
        Assert.InRange(limiter.Refused, 1, 10);
        zone.Rig.Clock.Advance(TimeSpan.FromHours(12));
        zone.Rig.Work();
        Assert.True(zone.Ask(CompactZone.Query("ns.example A"), Udp).IsTruncated);
        limiter.Tick(TimeSpan.FromSeconds(1));
        Assert.NotEqual(first, zone.Ask(CompactZone.Query("ns.example A"), Udp).ToString());
    }

    [Theory]
    [InlineData("ns.example A")]
    [InlineData("missing.example A")]
    [InlineData("lost.example A")]
    [InlineData("x.wild.example TXT")]
    [InlineData("www.cut.example A")]
    public void An_answer_from_the_cache_allocates_nothing(string question)
    {
        using CompactZone zone = new();
        byte[] query = CompactZone.Query(question).ToOctets(), room = new byte[ushort.MaxValue];
        ClientAddress client = zone.Client;
        Assert.Equal(0, AllocatedOctets.Least(() =>
        {
            for (int i = 0; i < 500; i++)
            {
                query.CopyTo(room, 0);
                zone.Responder.Respond(room, query.Length, Udp, ref client);
            }
        }));
    }

    [Fact]
    public void Keys_that_have_left_memory_are_no_exception()
    {
        using CompactZone zone = new();
        Zone served = zone.Rig.Slot.Zone!;
        zone.Rig.Signing.Dispose();
        Assert.Same(served, zone.Rig.Slot.Zone);
        Assert.Equal("SERVFAIL", zone.Ask("never.example A").Header);
        Assert.Equal("NOERROR aa tc", zone.Ask(CompactZone.Query("never.example A"), Udp).Header);
    }

    [Fact]
    public void Threads_that_ask_together_get_signatures_that_validate()
    {
        // So small that entries are written over all the time.
        using CompactZone zone = new(cacheOctets: 4096);
        AnswerValidator[] validators = [zone.Validator(), zone.Validator(), zone.Validator()];
        zone.Ask("example DNSKEY");
        long bogus = 0;
        Parallel.For(0, validators.Length, worker =>
        {
            byte[] room = new byte[ushort.MaxValue];
            ClientAddress client = zone.Client;
            Random random = new(worker);
            for (int i = 0; i < 400; i++)
            {
                string name = random.Next(3) switch { 0 => "ns.example", 1 => $"n{random.Next(30)}.example",
                    _ => $"n{random.Next(30)}.wild.example" };
                byte[] query = CompactZone.Query($"{name} A").ToOctets();
                query.CopyTo(room, 0);
                int length = zone.Responder.Respond(room, query.Length, Tcp, ref client);
                lock (validators)
                {
                    ValidationResult result = zone.Validator()
                        .Validate(room.AsSpan(0, length), DomainName.Parse(name), RRType.A);
                    if (result.Status != SecurityStatus.Secure) bogus++;
                }
            }
        });
        Assert.Equal(0, bogus);
    }

    [Fact]
    public void A_policy_that_cannot_be_says_why()
    {
        Assert.Empty(CompactZone.Policy.FindErrors());
        Assert.Contains((CompactZone.Policy with { Zonemd = true }).FindErrors(), error => error.Setting == "Zonemd");
        Assert.Contains((CompactZone.Policy with { OptOut = true }).FindErrors(), error => error.Setting == "OptOut");
        Assert.Empty((CompactZone.Policy with { Algorithm = DnssecAlgorithm.Ed25519 }).FindErrors());
        foreach (DnssecAlgorithm slow in (DnssecAlgorithm[])[DnssecAlgorithm.RsaSha512,
            DnssecAlgorithm.EcdsaP384Sha384])
            Assert.Contains((CompactZone.Policy with { Algorithm = slow }).FindErrors(),
                error => error.Setting == "Algorithm");
    }

    private static ushort SignerOf(Reply reply)
    {
        MessageRecord signature = Assert.Single(reply.Answer, record => record.Type == RRType.RRSIG);
        Assert.True(RrsigFields.TryRead(signature.Rdata, out RrsigFields fields));
        return fields.KeyTag;
    }
}
