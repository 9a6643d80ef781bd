using System.Buffers.Binary;
using Dns.Testing;
using Xunit;

namespace Dns.Forwarding.Tests;

/// <summary>Arbitrary replies of an upstream: nothing throws, and accepted records are clean.</summary>
public class ReplyMutationTests
{
    private const string Tail = "13 2 300 20300101000000 20200101000000 1 example. AAAA";

    private static readonly (string Question, string[] Lines)[] Samples =
    [
        ("www.example. A", ["NOERROR", "answer www.example. 300 A 192.0.2.1", "answer www.example. 200 A 10.0.0.1",
            $"answer www.example. 300 RRSIG A {Tail}", "additional x.example. 60 A 192.0.2.9"]),
        ("a.example. AAAA",
            ["NOERROR aa", "answer a.example. 60 CNAME b.example.", "answer b.example. 60 CNAME c.d.example.",
            "answer c.d.example. 60 AAAA 2001:db8::1", "authority example. 60 NS ns.example."]),
        ("x.old.example. TXT", ["NOERROR", "answer old.example. 60 DNAME fresh.example.",
            "answer x.old.example. 60 CNAME x.fresh.example.", "answer x.fresh.example. 60 TXT \"one\" \"two\""]),
        ("no.example. MX", ["NXDOMAIN", "authority example. 300 SOA ns.example. host.example. 1 7200 900 86400 300",
            $"authority example. 300 RRSIG SOA {Tail}", "authority a.example. 300 NSEC z.example. A RRSIG NSEC",
            $"authority a.example. 300 RRSIG NSEC {Tail}"]),
        ("m.example. ANY",
            ["NOERROR", "answer m.example. 60 MX 10 mail.m.example.", "answer m.example. 60 SRV 1 2 3 m.example.",
            "answer m.example. 60 SOA ns.m.example. host.m.example. 1 2 3 4 5",
            "answer m.example. 60 HTTPS 1 . ipv4hint=10.0.0.1"]),
    ];

    [Theory]
    [InlineData(20260101)]
    [InlineData(20260102)]
    public void Mutated_replies_never_throw_and_what_is_taken_is_clean(int seed)
    {
        Random random = new(seed);
        AcceptedAnswer answer = new();
        int accepted = 0;
        for (int round = 0; round < 20_000; round++)
        {
            (string question, string[] lines) = Samples[random.Next(Samples.Length)];
            byte[] reply = Mutate(ReplyText.Build(question, lines), random);
            QuestionFlags flags = (QuestionFlags)random.Next(4);
            AcceptanceRules rules = Taken.Plain with { DropPrivateAddresses = random.Next(2) == 0 };
            try
            {
                Taken taken = Taken.From(question, reply, rules, flags, random.Next(2) == 0, answer);
                if (taken.Verdict != ReplyVerdict.Accepted) continue;
                accepted++;
                Check(question, taken, flags);
            }
            catch (Exception error)
            {
                Assert.Fail($"seed {seed}, round {round}, {question} {flags}: {error}\n{Convert.ToHexString(reply)}");
            }
        }
        // Most mutations hit a name or a length; those that do not have to be accepted.
        Assert.InRange(accepted, 2_000, 19_000);
    }

    [Theory]
    [InlineData(7)]
    public void Junk_behind_a_good_question_never_throws(int seed)
    {
        Random random = new(seed);
        AcceptedAnswer answer = new();
        for (int round = 0; round < 300; round++)
        {
            byte[] reply = new byte[random.Next(30, 65536)];
            random.NextBytes(reply);
            ReplyText.Build("www.example. A", "NOERROR").AsSpan().CopyTo(reply);
            for (int section = 1; section <= 3; section++) MessageHeader.SetCount(reply, section, 0xFFFF);
            Assert.Equal(ReplyVerdict.Malformed, Taken.From("www.example. A", reply, answer: answer).Verdict);
        }
    }

    [Fact]
    public void Counts_without_records_cost_nothing()
    {
        AcceptedAnswer answer = new();
        byte[] reply = ReplyText.Build("www.example. A", "NOERROR");
        for (int section = 1; section <= 3; section++) MessageHeader.SetCount(reply, section, 0xFFFF);
        Taken.From("www.example. A", reply, answer: answer);
        byte[] asked = QueryMessage.For("www.example. A").Question;
        LookupName name = default;
        name.Set(asked.AsSpan(0, asked.Length - 4));
        Assert.Equal(0, AllocatedOctets.Least(() =>
        {
            Question question = new(in name, RRType.A, RRClass.IN, 0);
            Assert.True(ReplyReader.Read(in question, reply, Taken.Plain, false, answer) == ReplyVerdict.Malformed);
        }));
    }

    public static TheoryData<string> Costly => ["names", "pointers", "signatures", "exchanges"];

    /// <summary>
    /// Four times the octets cost about four times as much: a record is looked at as often, however many there are.
    /// That a name costs no more than 127 pointers is tested with names.
    /// </summary>
    [Theory]
    [MemberData(nameof(Costly))]
    public void Work_is_linear_in_the_size_of_a_reply(string kind)
    {
        int small = Work(kind, 16_000, out int few), large = Work(kind, 64_000, out int many);
        Assert.InRange(many, 3 * few, 5 * few);
        Assert.InRange(large, 3 * small, 5 * small);
        // 32 denials are looked for three times at the most, the links of the chain a few times.
        Assert.InRange(large, many, (32 * 3 + 16) * many);
    }

    private static int Work(string kind, int octets, out int records)
    {
        AcceptedAnswer answer = new();
        Assert.Equal(ReplyVerdict.Accepted, ReadOnly(Large(kind, octets), answer));
        records = answer.Found.All.Length;
        return answer.RecordsLookedAt;
    }

    private static ReplyVerdict ReadOnly(byte[] reply, AcceptedAnswer answer)
    {
        LookupName name = default;
        name.Set(WireOctets.Name("www.example."));
        Question question = new(in name, RRType.MX, RRClass.IN, QuestionFlags.DnssecOk);
        return ReplyReader.Read(in question, reply, Taken.Plain, false, answer);
    }

    private static byte[] Large(string kind, int octets)
    {
        List<byte> reply = [.. ReplyText.Build("www.example. MX", "NOERROR")];
        int count = 0;
        byte[] signature = [.. WireOctets.Hex("002F 0D 02 0000012C 70DBD880 5E0BE100 0001"),
            .. WireOctets.Name("example."), 1, 2, 3, 4];
        if (kind == "pointers")
        {
            // One record of 127 pointers to pointers in TXT strings, then owners at its end: the most that a name may
            // cost.
            List<byte> row = [254];
            int at = reply.Count + 12;
            for (int i = 0; i < 126; i++)
                row.AddRange(WireOctets.UInt16(0xC000 | (i == 0 ? 12 : at + 1 + (i - 1) * 2)));
            row.AddRange([0, 0]);
            reply.AddRange([0xC0, 12, 0, 16, 0, 1, 0, 0, 0, 1, .. WireOctets.UInt16(row.Count), .. row]);
            count++;
        }
        int deep = reply.Count - 4;
        while (reply.Count < octets)
        {
            byte[] owner = kind switch
            {
                "exchanges" => [0xC0, 12],
                "pointers" => WireOctets.UInt16(0xC000 | deep),
                _ => [4, .. System.Text.Encoding.ASCII.GetBytes($"{count:D4}"), 0xC0, 16],
            };
            reply.AddRange(owner);
            reply.AddRange(kind switch
            {
                "signatures" => [0, 46, 0, 1, 0, 0, 0, 1, .. WireOctets.UInt16(signature.Length), .. signature],
                _ => [0, 15, 0, 1, 0, 0, 0, 1, 0, 9, 0, 1, 4,
                    .. System.Text.Encoding.ASCII.GetBytes($"{count:D4}"), 0xC0, 16],
            });
            count++;
        }
        byte[] message = [.. reply];
        MessageHeader.SetCount(message, kind == "signatures" ? 2 : 1, (ushort)count);
        return message;
    }

    private static byte[] Mutate(byte[] reply, Random random)
    {
        List<byte> octets = [.. reply];
        for (int changes = random.Next(4); changes > 0; changes--)
        {
            int at = random.Next(12, octets.Count), length = Math.Min(random.Next(1, 30), octets.Count - at);
            switch (random.Next(6))
            {
                case 0: octets[at] = (byte)random.Next(256); break;
                case 1: octets[at] ^= (byte)(1 << random.Next(8)); break;
                case 2: octets[at] = new byte[] { 0, 0xC0, 0xFF, 1, 5, 39, 46 }[random.Next(7)]; break;
                case 3: octets.InsertRange(at, octets.GetRange(at, length)); break;
                case 4 when octets.Count - length > 30: octets.RemoveRange(at, length); break;
                default: octets[random.Next(4, 12)] = (byte)random.Next(4); break;
            }
        }
        return [.. octets];
    }

    /// <summary>Every record is read again and has to be on the chain, or a denial.</summary>
    private static void Check(string question, Taken taken, QuestionFlags flags)
    {
        string[] words = question.Split(' ');
        List<DomainName> chain = [DomainName.Parse(words[0])];
        bool isSigned = (flags & QuestionFlags.DnssecOk) != 0;
        int records = 0;
        foreach (string line in taken.Text.Split('\n').Skip(1))
        {
            string[] parts = line.Split(' ');
            DomainName owner = DomainName.Parse(parts[1]);
            records++;
            Assert.InRange(uint.Parse(parts[2]), 0u, 86400u);
            string type = parts[3];
            if (parts[0] == "authority")
            {
                Assert.Contains(type, isSigned ? ["SOA", "NSEC", "NSEC3", "RRSIG"] : new[] { "SOA" });
                continue;
            }
            bool isAbove = type == "DNAME" || (type == "RRSIG" && parts[4] == "DNAME");
            Assert.True(isAbove ? WireName.IsAtOrBelow(chain[^1].Octets, owner.Octets) : chain.Contains(owner), line);
            Assert.True(type == words[1] || words[1] == "ANY" || type is "CNAME" or "DNAME" ||
                (isSigned && type == "RRSIG"), line);
            if (type == "CNAME" && words[1] != "ANY") chain.Add(DomainName.Parse(parts[4]));
        }
        Assert.Equal(records, taken.Answer.TtlOffsets.Length);
        foreach (ushort offset in taken.Answer.TtlOffsets)
            Assert.InRange(BinaryPrimitives.ReadUInt32BigEndian(taken.Answer.Records[offset..]), 0u, 86400u);
        Assert.InRange(taken.LifetimeSeconds, 0u, 86400u);
    }
}
