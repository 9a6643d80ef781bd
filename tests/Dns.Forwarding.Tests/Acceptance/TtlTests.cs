using Xunit;

namespace Dns.Forwarding.Tests;

/// <summary>How long an answer is cached.</summary>
public class TtlTests
{
    private static Taken Take(uint ttl, CacheOptions options) => Taken.From(
        "www.example. A", ReplyText.Build("www.example. A", "NOERROR", $"answer www.example. {ttl} A 192.0.2.1"),
        new AcceptanceRules(DomainName.Root, options));

    private static Taken Deny(uint ttl, uint minimum, CacheOptions options) => Taken.From(
        "www.example. A",
        ReplyText.Build("www.example. A", "NXDOMAIN",
            $"authority example. {ttl} SOA ns.example. host.example. 1 2 3 4 {minimum}"),
        new AcceptanceRules(DomainName.Root, options));

    [Theory]
    [InlineData(300, 300)]
    [InlineData(0, 0)]
    [InlineData(86400 * 7, 86400)] // capped by a day
    [InlineData(0x80000000, 0)] // RFC 2181 §8: the top bit means 0
    [InlineData(uint.MaxValue, 0)]
    public void A_ttl_is_capped_and_0_is_not_kept(uint ttl, uint lifetime)
    {
        Taken taken = Take(ttl, new CacheOptions());
        Assert.Equal(lifetime, taken.LifetimeSeconds);
        Assert.EndsWith($" {lifetime} A 192.0.2.1", taken.Text);
    }

    [Fact]
    public void An_alias_made_from_a_redirection_with_the_top_bit_set_has_a_ttl_of_0() => Assert.Equal(
        "NOERROR\nanswer example. 0 DNAME example.net.\nanswer www.example. 0 CNAME www.example.net.",
        Taken.From("www.example. A", "NOERROR", "answer example. 2147483749 DNAME example.net.").Text);

    [Fact]
    public void A_ttl_below_the_least_is_raised() =>
        Assert.Equal(30u, Take(0, new CacheOptions { MinTtl = TimeSpan.FromSeconds(30) }).LifetimeSeconds);

    [Fact]
    public void The_greatest_ttl_wins_over_the_least() =>
        Assert.Equal(10u, Take(5,
            new CacheOptions { MinTtl = TimeSpan.FromSeconds(30), MaxTtl = TimeSpan.FromSeconds(10) }).LifetimeSeconds);

    [Theory]
    [InlineData(3600, 300, 300)] // RFC 2308 §5: the lower of TTL and MINIMUM
    [InlineData(60, 300, 60)]
    [InlineData(86400, 86400, 10800)] // three hours at most
    [InlineData(3600, 0x80000001, 0)]
    public void A_negative_answer_is_kept_by_soa_and_minimum(uint ttl, uint minimum, uint lifetime)
    {
        Taken taken = Deny(ttl, minimum, new CacheOptions());
        Assert.Equal(lifetime, taken.LifetimeSeconds);
        Assert.Contains($"authority example. {lifetime} SOA", taken.Text);
    }

    [Fact]
    public void Each_offset_leads_to_a_ttl()
    {
        Taken taken = Taken.From("a.example. A",
            "NOERROR", "answer a.example. 70 CNAME b.example.", "answer b.example. 50 A 192.0.2.1",
            "answer b.example. 50 A 192.0.2.2");
        uint[] ttls = [.. taken.Answer.TtlOffsets.ToArray().Select(offset =>
            System.Buffers.Binary.BinaryPrimitives.ReadUInt32BigEndian(taken.Answer.Records[offset..]))];
        Assert.Equal([70u, 50u, 50u], ttls);
    }
}
