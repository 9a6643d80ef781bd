using System.Text;

namespace Dns.Dnssec.Tests;

/// <summary>Damaged messages: never an exception, and secure only what was signed.</summary>
public class AnswerFuzzTests
{
    private const int Seed = 20260103;
    private const int Rounds = 1500;

    [Theory]
    [InlineData("nsec")]
    [InlineData("nsec3")]
    public void A_damaged_answer_is_never_taken_for_another(string denial)
    {
        SignedTree tree = new(denial);
        // One validator, which knows the chain after the first question: each round costs the answer alone.
        foreach (string question in (string[])["www.example A", "missing.example A", "foo.wild.example TXT",
            "www.example TXT", "far.example A", "www.plain2.example A"])
        {
            Random random = new(Seed);
            string[] words = question.Split(' ');
            RRTypeText.TryParse(Encoding.ASCII.GetBytes(words[1]), out RRType type);
            DomainName name = DomainName.Parse(words[0]);
            byte[] reply = tree.Query(name, type)!;
            AnswerValidator validator = new(tree, SignedTree.Anchors, Plans.Now, ValidationWork.Unbounded);
            ValidationResult good = validator.Validate(reply, name, type);
            Assert.Equal((SecurityStatus.Secure, ""), (good.Status, good.Reason));
            HashSet<string> signed = Records(good);
            for (int round = 0; round < Rounds; round++)
            {
                byte[] damaged = Damage(reply, random);
                ValidationResult result = validator.Validate(damaged, name, type);
                string what = $"seed {Seed}, {question}, round {round}: {Convert.ToHexString(damaged)}";
                Assert.True(result.Status != SecurityStatus.Insecure, what + result.Reason);
                if (result.Status != SecurityStatus.Secure) continue;
                Assert.True(Records(result).IsSubsetOf(signed), what);
                Assert.True(result.IsNegative == good.IsNegative || result.NextName is not null, what);
            }
        }
    }

    [Fact]
    public void A_damaged_chain_is_never_an_exception_nor_insecure()
    {
        Random random = new(Seed);
        SignedTree tree = new("nsec3");
        for (int round = 0; round < 300; round++)
        {
            int damagedOne = random.Next(6), asked = 0;
            tree.OnTheWay = (_, _, reply) => asked++ == damagedOne ? Damage(reply, random) : reply;
            ValidationResult result = tree.Validate("www.child.example", RRType.A);
            Assert.True(result.Status != SecurityStatus.Insecure, $"seed {Seed}, round {round}: {result.Reason}");
        }
    }

    [Fact]
    public void Random_octets_are_bogus()
    {
        Random random = new(Seed);
        AnswerValidator validator = new(new SignedTree("nsec"), SignedTree.Anchors, Plans.Now);
        for (int round = 0; round < 2000; round++)
        {
            byte[] octets = new byte[random.Next(200)];
            random.NextBytes(octets);
            Assert.Equal(SecurityStatus.Bogus, validator.Validate(octets, DomainName.Root, RRType.A).Status);
        }
    }

    private static HashSet<string> Records(ValidationResult result)
    {
        HashSet<string> records = [];
        foreach (ValidatedRRset rrset in result.RRsets)
        {
            if (rrset.Signer is null) continue;
            foreach (byte[] rdata in rrset.Rdata)
            {
                byte[] canonical = [.. rdata];
                Rdata.ToCanonical(rrset.Type, canonical);
                records.Add($"{rrset.Owner} {rrset.Type} {Convert.ToHexString(canonical)}".ToLowerInvariant());
            }
        }
        return records;
    }

    private static byte[] Damage(byte[] reply, Random random)
    {
        byte[] damaged = [.. reply];
        for (int count = random.Next(3); count >= 0; count--)
        {
            int at = random.Next(damaged.Length);
            damaged[at] = random.Next(3) == 0 ? (byte)random.Next(256) : (byte)(damaged[at] ^ 1 << random.Next(8));
        }
        return random.Next(20) == 0 ? damaged[..random.Next(damaged.Length)] : damaged;
    }
}
