using Xunit;

namespace Dns.Forwarding.Tests;

/// <summary>With the filter on, public names have no private addresses.</summary>
public class PrivateAddressTests
{
    private static readonly AcceptanceRules Filter = Taken.Plain with { DropPrivateAddresses = true };

    private static Taken Take(string question, params string[] lines) =>
        Taken.From(question, ReplyText.Build(question, lines), Filter);

    [Theory]
    [InlineData("A 10.1.2.3")]
    [InlineData("A 0.0.0.0")]
    [InlineData("A 127.0.0.1")]
    [InlineData("A 100.64.0.1")]
    [InlineData("A 169.254.1.1")]
    [InlineData("A 172.31.255.255")]
    [InlineData("A 192.168.0.1")]
    [InlineData("AAAA ::")]
    [InlineData("AAAA ::1")]
    [InlineData("AAAA ::ffff:10.0.0.1")]
    [InlineData("AAAA 64:ff9b::10.0.0.1")]
    [InlineData("AAAA fd00::1")]
    [InlineData("AAAA fe80::1")]
    [InlineData("HTTPS 1 . ipv4hint=192.0.2.1,10.0.0.1")]
    [InlineData("SVCB 1 . port=53 ipv6hint=fd00::1")]
    public void A_private_address_is_dropped(string data)
    {
        Taken taken = Take($"www.example. {data.Split(' ')[0]}", "NOERROR", $"answer www.example. 60 {data}");
        Assert.Equal("NOERROR", taken.Text);
        Assert.Equal(ExtendedErrorCode.Blocked, taken.Answer.Header.Error);
        Assert.Equal(60u, taken.LifetimeSeconds);
    }

    [Theory]
    [InlineData("A 172.32.0.1")]
    [InlineData("A 172.15.255.255")]
    [InlineData("A 100.63.255.255")]
    [InlineData("A 169.253.255.255")]
    [InlineData("A 192.167.255.255")]
    [InlineData("A 100.128.0.1")]
    [InlineData("A 11.0.0.1")]
    [InlineData("AAAA 2001:db8::1")]
    [InlineData("AAAA ::ffff:192.0.2.1")]
    [InlineData("HTTPS 1 . ipv4hint=192.0.2.1 ipv6hint=2001:db8::1")]
    public void A_public_address_is_kept(string data) =>
        Assert.Equal($"NOERROR\nanswer www.example. 60 {data}",
            Take($"www.example. {data.Split(' ')[0]}", "NOERROR", $"answer www.example. 60 {data}")
            .Text.Replace("\"", ""));

    [Fact]
    public void A_private_address_behind_a_compressed_name_is_dropped()
    {
        // 1, a pointer to the question's name, ipv4hint=10.0.0.1
        byte[] rdata = [0, 1, 0xC0, 12, 0, 4, 0, 4, 10, 0, 0, 1];
        Taken taken = Taken.From("www.example. HTTPS", AcceptanceLimitTests.Compressed(RRType.HTTPS, rdata), Filter);
        Assert.Equal("NOERROR", taken.Text);
        Assert.Equal(ExtendedErrorCode.Blocked, taken.Answer.Header.Error);
    }

    [Fact]
    public void What_is_public_of_a_set_is_kept_without_its_signature()
    {
        byte[] reply = ReplyText.Build("www.example. A",
            "NOERROR ad", "answer www.example. 60 A 192.0.2.1", "answer www.example. 60 A 10.0.0.1",
            "answer www.example. 60 RRSIG A 13 2 300 20300101000000 20200101000000 1 example. AAAA");
        Taken taken = Taken.From("www.example. A", reply, Filter, QuestionFlags.DnssecOk, trust: true);
        Assert.Equal("NOERROR\nanswer www.example. 60 A 192.0.2.1", taken.Text);
    }
}
