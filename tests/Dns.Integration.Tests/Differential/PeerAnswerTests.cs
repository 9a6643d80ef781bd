using Dns.Testing;
using Xunit;

namespace Dns.Integration.Tests;

/// <summary>What finds faults has to find them.</summary>
public class PeerAnswerTests
{
    private static Reply Refer(string glue) => new Testing.ServedZones(
        ("d0.test", $"$TTL 60\n@ SOA ns host 1 2 3 4 5\n@ NS ns.outside.invalid.\nkid NS ns.kid\n{glue}"))
            .Ask("www.kid.d0.test");

    private static readonly Reply With = Refer("ns.kid A 192.0.2.1"), Without = Refer("");

    [Fact]
    public void Address_that_all_others_give_is_missed() =>
        Assert.Contains("ns.kid.d0.test. 60 a 192.0.2.1, which all others give",
            PeerAnswer.GlueFault(Without, [With, With]));

    [Fact]
    public void Address_that_nobody_else_gives_is_noticed() =>
        Assert.Contains("which nobody else gives", PeerAnswer.GlueFault(With, [Without, Without]));

    [Fact]
    public void Address_that_some_give_may_be_given_or_not()
    {
        Assert.Null(PeerAnswer.GlueFault(With, [With, Without]));
        Assert.Null(PeerAnswer.GlueFault(Without, [With, Without]));
    }

    [Fact]
    public void Another_answer_is_a_difference() =>
        Assert.Equal("the authority", new PeerAnswer("other", With, Refer("kid NS ns2.kid")).Difference);
}
