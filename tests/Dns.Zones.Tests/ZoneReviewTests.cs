using Dns.Testing;
using Xunit;

namespace Dns.Zones.Tests;

/// <summary>Errors of zones whose records do not come from files.</summary>
public sealed class ZoneReviewTests
{
    [Fact]
    public void A_zone_without_fault_has_neither_errors_nor_warnings()
    {
        ZoneReview review = Review("@ SOA 1", "@ NS", "ns A");
        Assert.Empty(review.Errors);
        Assert.Empty(review.Warnings);
    }

    [Theory]
    [InlineData("found no SOA", "@ NS", "ns A")]
    [InlineData("found a DS at the apex", "@ SOA 1", "@ NS", "ns A", "@ DS")]
    [InlineData("beside the CNAME", "@ SOA 1", "@ NS", "ns A", "a CNAME", "a A")]
    public void What_cannot_be_served_is_an_error(string message, params string[] records) =>
        Assert.Contains(message, Assert.Single(Review(records).Errors));

    [Theory]
    [InlineData("found no NS", "@ SOA 1", "ns A")]
    [InlineData("again", "@ SOA 1", "@ NS", "ns A", "ns A")]
    [InlineData("missing address", "@ SOA 1", "@ NS")]
    public void What_looks_wrong_is_a_warning(string message, params string[] records)
    {
        ZoneReview review = Review(records);
        Assert.Empty(review.Errors);
        Assert.Contains(message, Assert.Single(review.Warnings));
    }

    private static ZoneReview Review(params string[] records)
    {
        ZoneBuilder builder = new(WireOctets.Name("z.test"));
        foreach (string[] words in records.Select(record => record.Split(' ')))
        {
            byte[] owner = WireOctets.Name(words[0] == "@" ? "z.test" : words[0] + ".z.test");
            (RRType type, byte[] rdata) = words[1] switch
            {
                "SOA" =>
                    (RRType.SOA, [.. WireOctets.Name("ns.z.test"), .. WireOctets.Name("h.z.test"), .. new byte[20]]),
                "NS" => (RRType.NS, WireOctets.Name("ns.z.test")),
                "CNAME" => (RRType.CNAME, WireOctets.Name("ns.z.test")),
                "DS" => (RRType.DS, [0, 1, 8, 2, .. new byte[32]]),
                _ => (RRType.A, (byte[])[192, 0, 2, 1]),
            };
            builder.Add(owner, sameOwner: false, type, 300, rdata);
        }
        return ZoneReview.Of(builder.Build(), builder.Notes, ZoneLimits.Default);
    }
}
