using Dns.Testing;

namespace Dns.Dnssec.Tests;

/// <summary>The canonical form of RRsets does not depend on how they were received (RFC 4034 §6).</summary>
public class CanonicalRRsetTests
{
    private static readonly byte[] Owner = WireOctets.Name("www.example");
    private static readonly byte[] Address = [192, 0, 2, 1];

    private readonly CanonicalRRset _canonical = new();

    private byte[] Octets(string owner, params byte[][] records)
    {
        _canonical.Begin(WireOctets.Name(owner), RRType.A, 60);
        foreach (byte[] rdata in records) _canonical.Add(rdata);
        _canonical.End();
        return _canonical.Octets.ToArray();
    }

    [Fact]
    [Trait("RFC", "4034 6.3")]
    public void Neither_order_nor_duplicates_nor_letter_case_matter()
    {
        byte[] first = Address, second = [192, 0, 2, 2], third = [192, 0, 2, 3];
        byte[] expected = Octets("www.example", first, second, third);
        Assert.Equal(3, _canonical.Count);
        Assert.Equal(expected, Octets("www.example", third, first, second));
        Assert.Equal(expected, Octets("WWW.eXample", second, third, first));
        Assert.Equal(expected, Octets("www.example", second, third, second, first, third));
        Assert.Equal(3, _canonical.Count);
    }

    [Fact]
    public void The_case_of_the_signer_does_not_matter()
    {
        byte[] prefix = new byte[RrsigFields.MaxPrefixOctets];
        byte[] Signed(string signer)
        {
            Octets("www.example", Address);
            int octets =
                RrsigFields.WritePrefix(prefix, RRType.A, Plans.Zsk.Public, 2, 60, 1000, 2000, WireOctets.Name(signer));
            return _canonical.SignedData(prefix.AsSpan(0, octets)).ToArray();
        }
        Assert.Equal(Signed("example"), Signed("EXAMPLE"));
    }

    [Theory]
    [Trait("RFC", "4034 3.1.3")]
    [InlineData(".", 0)]
    [InlineData("*", 0)]
    [InlineData("example", 1)]
    [InlineData("*.example", 1)]
    [InlineData("*x.example", 2)]
    [InlineData("www.*.example", 3)]
    public void An_asterisk_that_begins_a_name_is_no_label_of_a_signature(string owner, int labels) =>
        Assert.Equal(labels, CanonicalRRset.LabelsOf(WireOctets.Name(owner)));

    [Fact]
    [Trait("RFC", "4035 5.3.2")]
    public void Fewer_labels_mean_a_wildcard_and_more_are_wrong()
    {
        Assert.False(_canonical.TryBegin(Owner, RRType.A, 60, 3));
        Assert.False(_canonical.TryBegin(WireOctets.Name("*.example"), RRType.A, 60, 2));
        byte[] expected = Octets("*.example", Address);
        Assert.True(_canonical.TryBegin(WireOctets.Name("a.WWW.example"), RRType.A, 60, 1));
        _canonical.Add(Address);
        _canonical.End();
        Assert.Equal(expected, _canonical.Octets.ToArray());
        Assert.True(_canonical.TryBegin(WireOctets.Name("*.example"), RRType.A, 60, 1));
        _canonical.Add(Address);
        _canonical.End();
        Assert.Equal(expected, _canonical.Octets.ToArray());
    }
}
