using System.Net;
using Dns.Testing;
using Xunit;

namespace Dns.Answering.Tests;

/// <summary>
/// Whole answers from zones that were edited, octet by octet beside those from the same records in a zone built anew.
/// </summary>
public class EditedZoneTests(ITestOutputHelper output)
{
    private const string Apex = "z.test";
    private const int Sequences = 150;
    private const int Edits = 40;

    private static readonly string[] Labels = ["a", "b", "ns", "*"];
    private static readonly RRType[] Asked =
        [RRType.A, RRType.AAAA, RRType.NS, RRType.MX, RRType.SRV, RRType.DS, RRType.TXT, RRType.CNAME, RRType.SOA,
            RRType.ANY];

    private static readonly RRType[] Added =
        [RRType.A, RRType.A, RRType.AAAA, RRType.NS, RRType.NS, RRType.MX, RRType.SRV, RRType.CNAME, RRType.DNAME,
            RRType.TXT, RRType.DS];

    [Fact]
    public void Answers_from_an_edited_zone_are_those_from_one_built_anew()
    {
        int seed = int.TryParse(Environment.GetEnvironmentVariable("DNS_FUZZ_SEED"), out int given)
            ? given : Environment.TickCount;
        output.WriteLine($"DNS_FUZZ_SEED={seed}");
        Random random = new(seed);
        int applied = 0, referrals = 0;
        for (int sequence = 0; sequence < Sequences; sequence++)
        {
            Zone zone = ZoneText.Load(Apex, "$TTL 60\n@ SOA ns h 1 2 3 4 5\n@ NS ns\nns A 192.0.2.1\n");
            for (int edit = 0; edit < Edits; edit++)
            {
                ZoneEditResult result = ZoneEditor.From(zone).Apply(Next(zone, random));
                if (!result.IsApplied) continue;
                zone = result.Zone;
                applied++;
            }
            Responder edited = Serve(zone), anew = Serve(Rebuilt(zone));
            for (int question = 0; question < 40; question++)
            {
                QueryMessage query =
                    QueryMessage.For($"{NextName(random)} {RRTypeText.Format(Asked[random.Next(Asked.Length)])}");
                byte[] octets = (question % 2 == 0 ? query : query.WithEdns(1232, question % 4 == 1)).ToOctets();
                // Three times: if the answer is cached, the third is copied from the second.
                for (int again = 0; again < 3; again++)
                {
                    byte[] found = Answer(edited, octets), expected = Answer(anew, octets);
                    Assert.True(found.SequenceEqual(expected),
                        $"DNS_FUZZ_SEED={seed}: {Convert.ToHexString(found)}, expected " +
                            $"{Convert.ToHexString(expected)}");
                    if (Reply.Read(found) is { Answer.Count: 0, Additional.Count: > 1 }) referrals++;
                }
            }
        }
        output.WriteLine($"{applied} changes, {referrals} answers with glue");
        Assert.InRange(applied, Sequences, Sequences * Edits);
        Assert.InRange(referrals, 10, int.MaxValue);
    }

    private static ZoneDelta Next(Zone zone, Random random)
    {
        ZoneDeltaBuilder delta = new(DomainName.Parse(Apex), zone.Serial);
        if (random.Next(3) == 0)
        {
            int skipped = random.Next(zone.NameCount);
            foreach (ZoneNode node in zone)
            {
                if (skipped-- != 0 || node.Name.Length == zone.Apex.Length) continue;
                foreach (RRset rrset in node) delta.Remove(node.Name, rrset.Type, rrset.First);
            }
        }
        else
        {
            RRType type = Added[random.Next(Added.Length)];
            delta.Add(WireOctets.Name(NextName(random)), type, 60, NextRdata(type, random));
        }
        return delta.Build();
    }

    private static byte[] NextRdata(RRType type, Random random) => type switch
    {
        RRType.A => [192, 0, 2, (byte)random.Next(4)],
        RRType.AAAA => [32, 1, .. new byte[13], (byte)random.Next(4)],
        RRType.MX => [0, 1, .. WireOctets.Name(NextName(random))],
        RRType.SRV => [0, 1, 0, 1, 0, 53, .. WireOctets.Name(NextName(random))],
        RRType.TXT => [1, (byte)'x'],
        RRType.DS => [0, 1, 8, 2, .. new byte[32]],
        _ => WireOctets.Name(random.Next(4) == 0 ? "NS.A.Z.Test" : NextName(random)),
    };

    private static string NextName(Random random)
    {
        string name = Apex;
        for (int depth = random.Next(4); depth > 0; depth--) name = $"{Labels[random.Next(Labels.Length)]}.{name}";
        return name;
    }

    private static Zone Rebuilt(Zone zone)
    {
        ZoneBuilder builder = new(zone.Apex);
        foreach (ZoneNode node in zone)
            foreach (RRset rrset in node)
                foreach (ReadOnlySpan<byte> rdata in rrset)
                    builder.Add(node.Name, false, rrset.Type, rrset.Ttl, rdata);
        return builder.Build();
    }

    private static Responder Serve(Zone zone)
    {
        ZoneSlot slot = new(DomainName.Parse(Apex));
        slot.Publish(zone);
        return new ServedZones(new ResponderOptions(), slot).Responder;
    }

    private static byte[] Answer(Responder responder, byte[] query)
    {
        byte[] room = new byte[1232];
        query.CopyTo(room, 0);
        ClientAddress client = ClientAddress.From(new IPEndPoint(IPAddress.Loopback, 53000));
        return room[..responder.Respond(room, query.Length, default, ref client)];
    }
}
