using System.Net;
using Xunit;

namespace Dns.Zones.Tests;

public class UpdatePolicyTests
{
    private static readonly TsigKey Key = TsigKeyOf("k1."), Other = TsigKeyOf("k2.");

    [Fact]
    public void Without_rules_nobody_may()
    {
        ClientAddress client = Client("192.0.2.1");
        Assert.False(UpdatePolicy.Empty.Admits(ref client, Key));
        Assert.False(UpdatePolicy.Empty.Admits(ref client, Key, Name("www.z.test").Octets, RRType.A));
    }

    [Theory]
    [InlineData("www.z.test", "www.z.test", true)]
    [InlineData("www.z.test", "WWW.Z.test", true)]
    [InlineData("www.z.test", "a.www.z.test", false)]
    [InlineData("www.z.test", "z.test", false)]
    [InlineData("*.dyn.z.test", "a.dyn.z.test", true)]
    [InlineData("*.dyn.z.test", "A.B.DYN.z.test", true)]
    [InlineData("*.dyn.z.test", "*.dyn.z.test", true)]
    [InlineData("*.dyn.z.test", "dyn.z.test", false)]
    [InlineData("*.dyn.z.test", "adyn.z.test", false)]
    [InlineData("*.dyn.z.test", "dyn.z.test.other", false)]
    [InlineData("*.z.test", @"a\001z\004test.other", false)]
    [InlineData("*.", "anything.test", true)]
    [InlineData("*.", ".", false)]
    [InlineData(".", ".", true)]
    [InlineData("*z.test", "az.test", false)]
    public void A_name_is_covered_by_itself_and_by_the_label_star_above_it(string pattern, string owner, bool expected)
    {
        UpdateRule rule = Rule("k1.") with { Names = [Name(pattern)] };
        Assert.Equal(expected, rule.Covers(Name(owner).Octets, RRType.A));
    }

    [Theory]
    [InlineData(RRType.A, true)]
    [InlineData(RRType.TXT, true)]
    [InlineData(RRType.MX, false)]
    [InlineData(RRType.ANY, false)]
    public void A_rule_with_types_covers_these_alone(RRType type, bool expected)
    {
        UpdateRule rule = Rule("k1.") with { Types = [RRType.A, RRType.TXT] };
        Assert.Equal(expected, rule.Covers(Name("www.z.test").Octets, type));
    }

    [Fact]
    public void All_types_of_a_name_are_covered_only_by_a_rule_without_types() =>
        Assert.True(Rule("k1.").Covers(Name("www.z.test").Octets, RRType.ANY));

    [Fact]
    public void One_rule_has_to_hold_as_a_whole()
    {
        UpdatePolicy policy = new(
        [
            Rule("k1.") with { Names = [Name("a.test")], Types = [RRType.A] },
            Rule("k2.") with { Names = [Name("b.test")], Types = [RRType.TXT] },
        ]);
        ClientAddress client = Client("192.0.2.1");
        Assert.True(policy.Admits(ref client, Key, Name("a.test").Octets, RRType.A));
        Assert.True(policy.Admits(ref client, Other, Name("b.test").Octets, RRType.TXT));
        Assert.False(policy.Admits(ref client, Key, Name("b.test").Octets, RRType.TXT));
        Assert.False(policy.Admits(ref client, Key, Name("a.test").Octets, RRType.TXT));
        Assert.False(policy.Admits(ref client, null, Name("a.test").Octets, RRType.A));
        Assert.True(policy.Admits(ref client, Other));
        Assert.False(policy.Admits(ref client, null));
    }

    [Fact]
    public void An_address_and_a_key_in_one_rule_must_both_hold_for_an_update()
    {
        UpdatePolicy policy =
            new([new UpdateRule(new PeerRule([IPNetwork.Parse("192.0.2.0/24")], DomainName.Parse("k1.")))]);
        ClientAddress near = Client("192.0.2.1"), far = Client("198.51.100.1");
        Assert.True(policy.Admits(ref near, Key));
        Assert.False(policy.Admits(ref near, Other));
        Assert.False(policy.Admits(ref near, null));
        Assert.False(policy.Admits(ref far, Key));
    }

    private static UpdateRule Rule(string key) => new(new PeerRule(null, DomainName.Parse(key)));

    private static DomainName Name(string text) => DomainName.Parse(text);

    private static ClientAddress Client(string address) =>
        ClientAddress.From(new IPEndPoint(IPAddress.Parse(address), 5300));

    private static TsigKey TsigKeyOf(string name) =>
        new(DomainName.Parse(name), TsigAlgorithm.HmacSha256, new byte[32]);
}
