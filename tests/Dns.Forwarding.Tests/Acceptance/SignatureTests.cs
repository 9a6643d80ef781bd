using Xunit;

namespace Dns.Forwarding.Tests;

/// <summary>Signatures and denials belong to their records, for clients that set DO.</summary>
public class SignatureTests
{
    private const string Tail = "13 2 300 20300101000000 20200101000000 1 example. AAAA";
    private const string Soa = "SOA ns.example. host.example. 1 7200 900 86400 300";

    private static readonly string[] Denial =
    [
        "NXDOMAIN", $"authority example. 300 {Soa}", $"authority example. 300 RRSIG SOA {Tail}",
        "authority a.example. 300 NSEC z.example. A RRSIG NSEC", $"authority a.example. 300 RRSIG NSEC {Tail}",
    ];

    [Fact]
    public void A_signature_is_taken_for_who_wants_it()
    {
        string[] lines = ["NOERROR", "answer a.example. 60 A 192.0.2.1", $"answer a.example. 50 RRSIG A {Tail}",
            $"answer a.example. 60 RRSIG TXT {Tail}"];
        Assert.Equal($"NOERROR\nanswer a.example. 50 A 192.0.2.1\nanswer a.example. 50 RRSIG A {Tail}",
            Taken.Signed("a.example. A", lines).Text);
        Assert.Equal("NOERROR\nanswer a.example. 60 A 192.0.2.1", Taken.From("a.example. A", lines).Text);
    }

    [Fact]
    public void Signatures_that_are_asked_for_are_the_answer() =>
        Assert.Equal($"NOERROR\nanswer a.example. 60 RRSIG A {Tail}", Taken.From("a.example. RRSIG",
            "NOERROR", $"answer a.example. 60 RRSIG A {Tail}").Text);

    [Fact]
    public void A_denial_is_taken_for_who_wants_it()
    {
        Assert.Equal(string.Join('\n', Denial), Taken.Signed("m.example. A", Denial).Text);
        Assert.Equal(string.Join('\n', Denial[..2]), Taken.From("m.example. A", Denial).Text);
    }

    [Fact]
    public void A_denial_that_nobody_above_the_name_signed_is_left()
    {
        string[] lines =
            [.. Denial.Select(line =>
                line.Replace("authority a.example.", "authority a.test.").Replace("1 example. AAAA", "1 test. AAAA"))];
        lines[2] = Denial[2];
        Assert.Equal(string.Join('\n', Denial[..3]), Taken.Signed("m.example. A", lines).Text);
    }

    [Fact]
    public void The_proof_of_a_wildcard_goes_with_its_answer()
    {
        string[] lines = ["NOERROR", "answer m.example. 300 A 192.0.2.1", $"answer m.example. 300 RRSIG A {Tail}",
            .. Denial[3..]];
        Assert.Equal(string.Join('\n', lines), Taken.Signed("m.example. A", lines).Text);
    }

    [Fact]
    public void Denials_have_a_bound()
    {
        string[] denials = [.. Enumerable.Range(0, 100).SelectMany(i => new[]
        {
            $"authority n{i}.example. 300 NSEC z.example. A RRSIG NSEC",
            $"authority n{i}.example. 300 RRSIG NSEC {Tail}",
        })];
        Assert.Equal(1 + 2 * 32,
            Taken.Signed("m.example. A", [Denial[0], Denial[1], .. denials]).Answer.Header.AuthorityCount);
    }
}
