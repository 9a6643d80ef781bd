using System.Globalization;
using System.Net;
using Dns.Testing;
using Xunit;

namespace Dns.Answering.Tests;

/// <summary>
/// Every proof of generated signed zones, judged by what a validator would see in the answer, beside the answer of the
/// same zone without signatures; also while the zone is edited.
/// </summary>
public class DenialOracleTests(ITestOutputHelper output)
{
    private const string Apex = "z.test";
    private static readonly int Rounds = Setting("DNS_FUZZ_CASES", 20);

    private static readonly RRType[] Asked =
    [
        RRType.A, RRType.A, RRType.TXT, RRType.NS, RRType.DS, RRType.CNAME, RRType.MX, RRType.SOA, RRType.ANY,
        RRType.NSEC, RRType.NSEC3, RRType.RRSIG, RRType.DNSKEY, RRType.DNAME,
    ];

    private static readonly HashSet<RRType> Added = [RRType.RRSIG, RRType.NSEC, RRType.NSEC3, RRType.NSEC3PARAM,
        RRType.DNSKEY];

    public static TheoryData<SigningStyle> Styles =>
    [
        new SigningStyle(false), new SigningStyle(true), new SigningStyle(true, OptsOut: true),
        new SigningStyle(true, OptsOut: true, Iterations: 3, Salt: "AABB", HasSecondChain: true),
    ];

    [Theory, MemberData(nameof(Styles)), Trait("RFC", "4035 3.1.3")]
    public void Every_answer_of_a_generated_zone_proves_what_it_says(SigningStyle style)
    {
        Random random = Random(out int seed);
        int proofs = 0;
        for (int round = 0; round < Rounds; round++)
        {
            PlainTruth truth = new(round % 10 == 0 ? "" : Apex);
            truth.SetApex(1);
            for (int change = random.Next(40); change > 0; change--) truth.Change(random);
            Judged judged = new(truth, style, Build(truth.Apex, SignedZone.Sign(truth.Apex, truth.Records, style)));
            for (int question = 0; question < 80; question++)
                proofs += judged.Ask(truth.NextName(random), Asked[random.Next(Asked.Length)], $"DNS_FUZZ_SEED={seed}");
        }
        output.WriteLine($"{proofs} records of proofs");
        Assert.InRange(proofs, Rounds * 20, int.MaxValue);
    }

    [Theory, MemberData(nameof(Styles))]
    public void A_signed_zone_that_is_edited_for_long_answers_as_one_built_anew(SigningStyle style)
    {
        Random random = Random(out int seed);
        PlainTruth truth = new(Apex);
        truth.SetApex(1);
        IReadOnlyList<PlainRecord> records = SignedZone.Sign(Apex, truth.Records, style);
        Zone zone = Build(Apex, records);
        for (uint serial = 2; serial < 15 * Rounds; serial++)
        {
            for (int change = random.Next(1, 4); change > 0; change--) truth.Change(random);
            truth.SetApex(serial);
            IReadOnlyList<PlainRecord> next = SignedZone.Sign(Apex, truth.Records, style);
            ZoneEditResult result = ZoneEditor.From(zone).Apply(Delta(serial - 1, records, next));
            Assert.True(result.IsApplied, $"DNS_FUZZ_SEED={seed}: {result.Error?.Message}");
            (zone, records) = (result.Zone, next);
            if (serial % 10 != 0) continue;
            Zone built = Build(Apex, next);
            Assert.Equal(built.Denial!.Count, zone.Denial!.Count);
            Judged judged = new(truth, style, zone), anew = new(truth, style, built);
            for (int question = 0; question < 60; question++)
            {
                (string name, RRType type) = (truth.NextName(random), Asked[random.Next(Asked.Length)]);
                judged.Ask(name, type, $"DNS_FUZZ_SEED={seed} serial {serial}");
                Assert.Equal(anew.Text(name, type), judged.Text(name, type));
            }
        }
    }

    [Theory, MemberData(nameof(Styles)), Trait("RFC", "8482 7")]
    public void Signatures_asked_for_through_a_DNAME_that_leads_to_its_owner_are_sent_once(SigningStyle style)
    {
        PlainTruth truth = new(Apex);
        truth.SetApex(1);
        truth.Add(new PlainRecord($"b1.{Apex}", RRType.DNAME, 300, Wire(Apex)));
        Judged judged = new(truth, style, Build(Apex, SignedZone.Sign(Apex, truth.Records, style)));
        judged.Ask($"b1.b1.{Apex}", RRType.RRSIG, "");
        Assert.Single(judged.Text($"b1.b1.{Apex}", RRType.RRSIG).Split('\n'), line => line.Contains("RRSIG DNAME"));
    }

    private Random Random(out int seed)
    {
        seed = Setting("DNS_FUZZ_SEED", Environment.TickCount);
        output.WriteLine($"DNS_FUZZ_SEED={seed}");
        return new Random(seed);
    }

    private static int Setting(string name, int fallback) =>
        int.TryParse(Environment.GetEnvironmentVariable(name), CultureInfo.InvariantCulture, out int value)
            ? value : fallback;

    private static byte[] Wire(string name) => WireOctets.Name(name.Length == 0 ? "." : name);

    private static Zone Build(string apex, IEnumerable<PlainRecord> records)
    {
        ZoneBuilder builder = new(Wire(apex));
        foreach (PlainRecord record in records)
            builder.Add(Wire(record.Owner), false, record.Type, record.Ttl, record.Rdata);
        return builder.Build();
    }

    private static ZoneDelta Delta(uint serial, IEnumerable<PlainRecord> before, IEnumerable<PlainRecord> after)
    {
        ZoneDeltaBuilder builder = new(DomainName.Parse(Apex), serial);
        HashSet<string> old = [.. before.Select(record => record.Key)], now = [.. after.Select(record => record.Key)];
        foreach (PlainRecord record in before.Where(record => !now.Contains(record.Key)))
            builder.Remove(Wire(record.Owner), record.Type, record.Rdata, record.Ttl);
        foreach (PlainRecord record in after.Where(record => !old.Contains(record.Key)))
            builder.Add(Wire(record.Owner), record.Type, record.Ttl, record.Rdata);
        return builder.Build();
    }

    /// <summary>A signed zone, the same one without signatures, and the expected answers.</summary>
    private sealed class Judged(PlainTruth truth, SigningStyle style, Zone signed)
    {
        private static readonly ResponderOptions Options = new() { MaxUdpPayload = 16384, MinimalAny = false };

        private readonly Responder _signed = Serve(truth.Apex, signed),
            _plain = Serve(truth.Apex, Build(truth.Apex, truth.Records));
        private readonly HashSet<(string, RRType)> _signatures =
            Signatures(SignedZone.Sign(truth.Apex, truth.Records, style));

        public string Text(string name, RRType type) => Sorted(Reply(_signed, name, type, dnssecOk: true));

        /// <summary>Asks and judges. Returns how many records of proofs there were.</summary>
        public int Ask(string name, RRType type, string context)
        {
            Reply reply = Reply(_signed, name, type, dnssecOk: true), plain = Reply(_plain, name, type, dnssecOk: true);
            string? fault = FaultOf(reply, plain, name, type) ?? FaultWithoutFlag(name, type);
            Assert.True(fault is null,
                $"{context}: {style} {name} {type}: {fault}\n{reply}\nwithout signatures\n{plain}\n"
                +
                string.Join('\n',
                    truth.Records.Select(
                        record => $"{record.Owner} {record.Type} {Rdata.Format(record.Type, record.Rdata)}")));
            return reply.Authority.Count(IsDenial);
        }

        private static Responder Serve(string apex, Zone zone)
        {
            ZoneSlot slot = new(DomainName.FromOctets(Wire(apex)));
            slot.Publish(zone);
            PublishedZones published = new();
            published.Publish(ZoneSet.Create([slot]));
            return new Responder(published, Options);
        }

        private Reply Reply(Responder responder, string name, RRType type, bool dnssecOk)
        {
            QueryMessage query = new() { Question = WireOctets.Question(name.Length == 0 ? "." : name, type) };
            byte[] octets = query.WithEdns(16384, dnssecOk).ToOctets(), room = new byte[16384];
            octets.CopyTo(room, 0);
            ClientAddress client = ClientAddress.From(new IPEndPoint(IPAddress.Loopback, 53000));
            int length = responder.Respond(room, octets.Length, default(DnsTransport), ref client);
            // Owners in the root zone point to the octet that ends the question's name.
            Reply reply = Testing.Reply.Read(room[..length], isForeign: truth.Apex.Length == 0);
            ReplyRules.Check(octets, reply, room.Length);
            return reply;
        }

        private static HashSet<(string, RRType)> Signatures(IEnumerable<PlainRecord> records) =>
        [
            .. records.Where(record => record.Type == RRType.RRSIG)
                .Select(record => (record.Owner, (RRType)(record.Rdata[0] << 8 | record.Rdata[1]))),
        ];

        private static bool IsDenial(MessageRecord record) => record.Type is RRType.NSEC or RRType.NSEC3;

        private string? FaultOf(Reply reply, Reply plain, string name, RRType type)
        {
            if (reply.IsTruncated) return "TC";
            if (!Added.Contains(type) && type != RRType.ANY && Stripped(reply) != Stripped(plain))
                return "not the answer of the plain zone";
            return FaultOfSignatures(reply) ?? FaultOfProof(reply, name, type);
        }

        private string? FaultWithoutFlag(string name, RRType type)
        {
            if (Added.Contains(type) || type == RRType.ANY) return null;
            Reply reply = Reply(_signed, name, type, dnssecOk: false);
            return Sorted(reply) == Sorted(Reply(_plain, name, type, dnssecOk: false)) ? null : $"without DO {reply}";
        }

        private static string Sorted(Reply reply) => string.Join('\n', reply.Lines.Order());

        private static string Stripped(Reply reply) => string.Join('\n', (string[])
        [
            reply.Header, .. Lines("answer", reply.Answer), .. Lines("authority", reply.Authority),
            .. Lines("additional", reply.Additional),
        ]);

        private static IEnumerable<string> Lines(string section, IEnumerable<MessageRecord> records) =>
            records.Where(record => record.Type != RRType.RRSIG && !IsDenial(record))
                .Select(record => $"{section} {record}").Order();

        /// <summary>Every RRset that the zone has signatures for has them, in its section.</summary>
        private string? FaultOfSignatures(Reply reply)
        {
            foreach (IReadOnlyList<MessageRecord> section in (IReadOnlyList<MessageRecord>[])[reply.Answer,
                reply.Authority, reply.Additional])
                foreach (MessageRecord record in section.Where(record => record.Type != RRType.RRSIG))
                {
                    string owner = ProofJudge.Text(record.Owner);
                    (LookupOutcome outcome, string node, _) = truth.Lookup(owner, RRType.DS);
                    string source = outcome == LookupOutcome.Wildcard ? node : owner;
                    bool isSynthesised = record.Type == RRType.CNAME && outcome == LookupOutcome.Redirection;
                    bool expected = !isSynthesised &&
                        _signatures.Contains((section == reply.Authority ? owner : source, record.Type));
                    bool found = section.Any(other => other.Type == RRType.RRSIG && other.Owner.Equals(record.Owner)
                        && (RRType)(other.Rdata[0] << 8 | other.Rdata[1]) == record.Type);
                    if (found != expected) return $"{(found ? "a signature" : "no signature")} for {record}";
                }
            return null;
        }

        private string? FaultOfProof(Reply reply, string name, RRType type)
        {
            MessageRecord[] records = [.. reply.Authority.Where(IsDenial)];
            List<Func<ProofJudge, bool>> claims = Claims(reply, name, type);
            bool Holds(IEnumerable<MessageRecord> left) => claims.All(claim => claim(new ProofJudge(truth.Apex, left)));
            if (!Holds(records)) return "no proof";
            MessageRecord? needless = records.FirstOrDefault(record => Holds(records.Where(other => other != record)));
            if (needless is not null) return $"not needed: {needless}";
            return reply.Additional.Any(IsDenial) ? "a proof in the additional section" : null;
        }

        /// <summary>What the answer must prove for each name that it passes.</summary>
        private List<Func<ProofJudge, bool>> Claims(Reply reply, string name, RRType type)
        {
            List<Func<ProofJudge, bool>> claims = [];
            HashSet<string> seen = [];
            while (NameOrder.IsAtOrBelow(name, truth.Apex))
            {
                string here = name;
                (LookupOutcome outcome, string node, string encloser) = truth.Lookup(name, type);
                bool hasAnswer = reply.Answer.Any(record => ProofJudge.Text(record.Owner) == here
                    && (record.Type == type || record.Type == RRType.CNAME || type == RRType.ANY));
                if (!seen.Add(name)) break;
                if (outcome == LookupOutcome.NameError) claims.Add(judge => judge.DeniesName(here, encloser));
                if (outcome == LookupOutcome.Found && !hasAnswer) claims.Add(judge => judge.DeniesType(here, type));
                if (outcome == LookupOutcome.Wildcard && hasAnswer)
                    claims.Add(judge => judge.DeniesCloser(here, encloser));
                if (outcome == LookupOutcome.Wildcard && !hasAnswer)
                    claims.Add(judge => judge.DeniesTypeOfWildcard(here, encloser, type));
                if (outcome == LookupOutcome.Delegation && !truth.Has(node, RRType.DS))
                    claims.Add(judge => judge.DeniesDs(node));
                MessageRecord? alias = reply.Answer.FirstOrDefault(
                    record => record.Type == RRType.CNAME && ProofJudge.Text(record.Owner) == here);
                if (alias is null || type is RRType.CNAME or RRType.ANY) break;
                name = ProofJudge.Text(DomainName.FromOctets(alias.Rdata));
            }
            return claims;
        }
    }
}
