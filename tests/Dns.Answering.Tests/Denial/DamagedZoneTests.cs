using System.Globalization;
using System.Net;
using Dns.Testing;
using Xunit;

namespace Dns.Answering.Tests;

/// <summary>
/// Signed zones of which records were lost, doubled, moved or changed: they are answered, whatever the answers are
/// worth.
/// </summary>
public class DamagedZoneTests(ITestOutputHelper output)
{
    private static readonly RRType[] Asked =
        [RRType.A, RRType.TXT, RRType.DS, RRType.NS, RRType.CNAME, RRType.ANY, RRType.NSEC, RRType.NSEC3, RRType.RRSIG,
            RRType.NSEC3PARAM, RRType.SOA];

    [Fact]
    public void Nothing_that_a_signed_zone_may_hold_makes_an_answer_fail()
    {
        int seed =
            int.TryParse(Environment.GetEnvironmentVariable("DNS_FUZZ_SEED"), CultureInfo.InvariantCulture,
                out int given)
            ? given : Environment.TickCount;
        output.WriteLine($"DNS_FUZZ_SEED={seed}");
        Random random = new(seed);
        int faulty = 0, edited = 0;
        for (int round = 0; round < 200; round++)
        {
            PlainTruth truth = new("z.test");
            truth.SetApex(1);
            for (int change = random.Next(25); change > 0; change--) truth.Change(random);
            SigningStyle style = new(round % 2 == 0, OptsOut: round % 4 == 0, Iterations: random.Next(3),
                Salt: random.Next(2) == 0 ? "" : "AB");
            List<PlainRecord> records = [.. SignedZone.Sign("z.test", truth.Records, style)];
            for (int damage = random.Next(1, 8); damage > 0; damage--) Damage(records, random);
            Zone zone = Build(records);
            if (zone.DenialCheck is { Fault: not null }) faulty++;
            Ask(zone, truth, random, seed);
            // Edits add further damage and keep the index of the chain.
            for (int edit = 0; edit < 4; edit++)
            {
                if (ZoneEditor.From(zone).Apply(Change(zone, records, random)) is not { Zone: { } next }) continue;
                zone = next;
                edited++;
                Assert.Equal(ReadEarliest(Rebuilt(zone)), zone.Signatures?.Earliest / 3600);
                Ask(zone, truth, random, seed);
            }
        }
        output.WriteLine($"{faulty} zones with faults, {edited} edits");
        Assert.InRange(faulty, 20, 200);
        Assert.InRange(edited, 100, 800);
    }

    private static uint? ReadEarliest(Zone zone) => zone.Signatures?.Earliest / 3600;

    private static void Ask(Zone zone, PlainTruth truth, Random random, int seed)
    {
        ZoneSlot slot = new(DomainName.Parse("z.test"));
        slot.Publish(zone);
        PublishedZones published = new();
        published.Publish(ZoneSet.Create([slot]));
        Responder responder = new(published, new ResponderOptions());
        for (int question = 0; question < 40; question++)
        {
            string name = random.Next(10) == 0
                ? $"{SignedZone.Hash(truth.NextName(random), 0, [])}.z.test" : truth.NextName(random);
            byte[] query = new QueryMessage { Question = WireOctets.Question(name, Asked[random.Next(Asked.Length)]) }
                .WithEdns(random.Next(2) == 0 ? 512 : 1232, dnssecOk: true).ToOctets();
            byte[] room = new byte[1232];
            query.CopyTo(room, 0);
            ClientAddress client = ClientAddress.From(new IPEndPoint(IPAddress.Loopback, 53000));
            int length = responder.Respond(room, query.Length, default(DnsTransport), ref client);
            Assert.True(length > 12, $"DNS_FUZZ_SEED={seed}");
            Reply.Read(room[..length]);
        }
    }

    private static void Damage(List<PlainRecord> records, Random random)
    {
        int[] added = [.. Enumerable.Range(0, records.Count)
            .Where(i => records[i].Type is RRType.NSEC or RRType.NSEC3 or RRType.RRSIG or RRType.NSEC3PARAM)];
        if (added.Length == 0) return;
        int index = added[random.Next(added.Length)];
        PlainRecord record = records[index];
        switch (random.Next(5))
        {
            case 0: records.RemoveAt(index); break;
            case 1: records.Add(record with { Owner = records[random.Next(records.Count)].Owner }); break;
            case 2: records.Add(record with { Rdata = Changed(record, random) }); break;
            case 3: records[index] = record with { Rdata = Changed(record, random) }; break;
            default: records[index] = record with { Owner = $"x.{record.Owner}" }; break;
        }
    }

    /// <summary>RDATA that is still valid, as a file's or a transfer's is.</summary>
    private static byte[] Changed(PlainRecord record, Random random)
    {
        byte[] rdata = [.. record.Rdata];
        rdata[random.Next(rdata.Length)] ^= (byte)(1 << random.Next(8));
        return Rdata.IsValid(record.Type, rdata) ? rdata : record.Rdata;
    }

    private static ZoneDelta Change(Zone zone, List<PlainRecord> records, Random random)
    {
        ZoneDeltaBuilder delta = new(DomainName.Parse("z.test"), zone.Serial);
        List<PlainRecord> before = [.. records];
        Damage(records, random);
        HashSet<string> old = [.. before.Select(record => record.Key)], now = [.. records.Select(record => record.Key)];
        foreach (PlainRecord record in before.Where(record => !now.Contains(record.Key)))
            delta.Remove(WireOctets.Name(record.Owner), record.Type, record.Rdata, record.Ttl);
        foreach (PlainRecord record in records.Where(record => !old.Contains(record.Key)))
            delta.Add(WireOctets.Name(record.Owner), record.Type, record.Ttl, record.Rdata);
        return delta.Build();
    }

    private static Zone Rebuilt(Zone zone)
    {
        ZoneBuilder builder = new(zone.Apex);
        foreach (ZoneNode node in zone)
            foreach (RRset rrset in node)
                foreach (ReadOnlySpan<byte> rdata in rrset) builder.Add(node.Name, false, rrset.Type, rrset.Ttl, rdata);
        return builder.Build();
    }

    private static Zone Build(IEnumerable<PlainRecord> records)
    {
        ZoneBuilder builder = new(WireOctets.Name("z.test"));
        foreach (PlainRecord record in records)
            builder.Add(WireOctets.Name(record.Owner), false, record.Type, record.Ttl, record.Rdata);
        return builder.Build();
    }
}
