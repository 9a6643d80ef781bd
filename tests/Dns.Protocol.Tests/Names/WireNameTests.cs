using System.Runtime.Intrinsics;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace Dns.Protocol.Tests;

public class WireNameTests
{
    private static void ForAllNames(Action<NameGenerator> check, int cases = 300) =>
        Prop.ForAll(Gen.Choose(int.MinValue, int.MaxValue).ToArbitrary(), seed => check(new NameGenerator(seed)))
            .Check(Config.QuickThrowOnFailure.WithMaxTest(cases));

    [Fact]
    public void Lowering_agrees_with_the_plain_way() => ForAllNames(names =>
    {
        byte[] name = names.Next(), lowered = new byte[name.Length];
        WireName.ToLower(name, lowered);
        Assert.Equal(PlainName.ToLower(name), lowered);
    });

    [Fact]
    public void Lowering_leaves_what_is_behind_the_name() => ForAllNames(names =>
    {
        byte[] name = names.Next(), lowered = new byte[name.Length + 16];
        Array.Fill(lowered, (byte)0xCC);
        WireName.ToLower(name, lowered);
        Assert.All(lowered[name.Length..], octet => Assert.Equal(0xCC, octet));
    });

    [Fact]
    public void Every_octet_is_lowered_alike_by_word_vector_and_one_by_one()
    {
        for (int octet = 0; octet < 256; octet++)
        {
            byte expected = PlainName.ToLower((byte)octet);
            Assert.Equal(expected, WireName.ToLower((byte)octet));
            Assert.Equal(expected * 0x0101010101010101ul, WireName.ToLower((ulong)octet * 0x0101010101010101ul));
            Assert.Equal(Vector128.Create(expected), WireName.ToLower(Vector128.Create((byte)octet)));
        }
    }

    [Fact]
    public void Octets_of_a_word_do_not_disturb_their_neighbours() => ForAllNames(names =>
    {
        byte[] octets = names.Label(8);
        Assert.Equal(BitConverter.ToUInt64(PlainName.ToLower(octets)), WireName.ToLower(BitConverter.ToUInt64(octets)));
    });

    [Fact]
    public void A_spelling_does_not_make_another_name() => ForAllNames(names =>
    {
        byte[] name = names.Next();
        Assert.True(WireName.EqualsIgnoreCase(name, names.Respell(name)));
    });

    [Fact]
    public void Equality_agrees_with_the_plain_way_when_one_octet_differs() => ForAllNames(names =>
    {
        byte[] name = names.Next(), other = [.. name];
        other[names.Random.Next(other.Length)] ^= (byte)(1 << names.Random.Next(8));
        Assert.Equal(PlainName.EqualsIgnoreCase(name, other), WireName.EqualsIgnoreCase(name, other));
    });

    [Fact]
    public void Validity_agrees_with_the_plain_way() => ForAllNames(names =>
    {
        byte[] octets = names.Random.Next(2) == 0 ? names.Next() : names.Label(names.Random.Next(1, 40));
        if (names.Random.Next(2) == 0) octets[names.Random.Next(octets.Length)] = (byte)names.Random.Next(70);
        Assert.Equal(PlainName.Labels(octets) is not null, WireName.IsValid(octets));
    });

    [Fact]
    [Trait("RFC", "1035 2.3.4")]
    public void A_name_has_at_most_255_octets_and_a_label_63()
    {
        byte[] label = [63, .. new byte[63]];
        Assert.True(WireName.IsValid([.. label, .. label, .. label, 61, .. new byte[61], 0]));
        Assert.False(WireName.IsValid([.. label, .. label, .. label, 62, .. new byte[62], 0]));
        Assert.False(WireName.IsValid([64, .. new byte[64], 0]));
        Assert.False(WireName.IsValid([]));
    }

    [Fact]
    public void Ancestry_agrees_with_the_plain_way() => ForAllNames(names =>
    {
        byte[] ancestor = names.Next(), front = names.Next();
        byte[] name = [.. front[..^1], .. names.Respell(ancestor)];
        if (name.Length > 255) return;
        Assert.True(WireName.IsAtOrBelow(name, ancestor));
        Assert.Equal(PlainName.IsAtOrBelow(front, ancestor), WireName.IsAtOrBelow(front, ancestor));
        Assert.Equal(PlainName.IsAtOrBelow(ancestor, name), WireName.IsAtOrBelow(ancestor, name));
    });

    [Fact]
    public void A_suffix_of_octets_that_is_none_of_labels_is_no_ancestor() =>
        Assert.False(WireName.IsAtOrBelow([3, (byte)'x', 1, (byte)'a', 0], [1, (byte)'a', 0]));

    [Fact]
    public void Labels_are_counted() => ForAllNames(names =>
    {
        byte[] name = names.Next();
        Assert.Equal(PlainName.Labels(name)!.Count, WireName.CountLabels(name));
    });
}
