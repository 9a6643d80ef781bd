using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace Dns.Protocol.Tests;

public class LookupNameTests
{
    private static void ForAllNames(Action<NameGenerator> check) =>
        Prop.ForAll(Gen.Choose(int.MinValue, int.MaxValue).ToArbitrary(), seed => check(new NameGenerator(seed)))
            .Check(Config.QuickThrowOnFailure.WithMaxTest(300));

    [Fact]
    public void Reading_lowers_the_name_and_finds_its_suffixes() => ForAllNames(names =>
    {
        byte[] name = names.Next();
        byte[] message = [.. names.Label(5), .. name, .. names.Label(names.Random.Next(1, 20))];
        LookupName lookup = default;
        Assert.True(lookup.TryRead(message, 5, 5 + name.Length));
        byte[] lowered = PlainName.ToLower(name);
        Assert.Equal(lowered, lookup.Octets.ToArray());
        Assert.Equal(PlainName.Labels(name)!.Count, lookup.LabelCount);
        byte[] rest = lowered;
        for (int skipped = 0; skipped < lookup.LabelCount; skipped++)
        {
            Assert.Equal(rest, lookup.Suffix(skipped).ToArray());
            rest = rest[(rest[0] + 1)..];
        }
        Assert.Equal([0], lookup.Suffix(lookup.LabelCount).ToArray());
    });

    [Fact]
    public void The_hash_of_a_suffix_is_that_of_the_suffix_as_a_name() => ForAllNames(names =>
    {
        byte[] name = names.Next();
        LookupName lookup = default;
        Assert.True(lookup.TryRead(name, 0, name.Length));
        for (int skipped = 0; skipped <= lookup.LabelCount; skipped++)
            Assert.Equal(NameHash.Compute(lookup.Suffix(skipped)), lookup.SuffixHash(skipped));
        Assert.Equal(lookup.Hash, lookup.SuffixHash(0));
        Assert.Equal(NameHash.Root, lookup.SuffixHash(lookup.LabelCount));
    });

    [Fact]
    public void Spellings_and_neighbours_do_not_change_the_hash() => ForAllNames(names =>
    {
        byte[] name = names.Next();
        byte[] message = [.. names.Respell(name), .. names.Label(20)];
        LookupName lookup = default;
        Assert.True(lookup.TryRead(message, 0, message.Length));
        Assert.Equal(NameHash.Compute(name), lookup.Hash);
    });

    [Fact]
    public void A_dirty_buffer_shows_nothing_of_the_name_before() => ForAllNames(names =>
    {
        LookupName lookup = default;
        lookup.Set(names.Next());
        byte[] name = names.Next();
        lookup.Set(name);
        Assert.Equal(NameHash.Compute(name), lookup.Hash);
        Assert.Equal(PlainName.ToLower(name), lookup.Octets.ToArray());
    });

    [Fact]
    public void Names_that_differ_in_one_octet_have_different_hashes() => ForAllNames(names =>
    {
        byte[] name = names.Next();
        byte[] other = [.. name];
        if (name.Length < 3) return;
        int at = 1 + names.Random.Next(name[0]);
        other[at] ^= 0x01;
        Assert.Equal(PlainName.EqualsIgnoreCase(name, other), NameHash.Compute(name) == NameHash.Compute(other));
    });

    [Fact]
    public void A_name_of_other_label_lengths_has_another_hash()
    {
        Assert.NotEqual(NameHash.Compute([2, 1, 97, 0]), NameHash.Compute([1, 1, 1, 97, 0]));
        Assert.NotEqual(NameHash.Compute([1, 0, 0]), NameHash.Compute([2, 0, 0, 0]));
    }

    [Theory]
    [InlineData("C00C")]
    [InlineData("0161C00C")]
    [InlineData("0161")]
    [InlineData("40")]
    [InlineData("0261")]
    public void A_name_that_is_malformed_or_compressed_is_not_read(string hex)
    {
        LookupName lookup = default;
        byte[] message = [.. new byte[12], .. Convert.FromHexString(hex)];
        Assert.False(lookup.TryRead(message, 12, message.Length));
    }

    [Fact]
    public void A_name_that_runs_past_the_message_is_not_read_though_the_buffer_goes_on() => ForAllNames(names =>
    {
        byte[] name = names.Next();
        LookupName lookup = default;
        for (int end = 0; end < name.Length; end++) Assert.False(lookup.TryRead([.. name, .. new byte[64]], 0, end));
    });

    [Fact]
    public void A_suffix_is_found_in_a_message_as_the_plain_way_finds_it() => ForAllNames(names =>
    {
        byte[] name = names.Next();
        byte[] message = [.. new byte[12], .. names.Respell(name), .. names.Label(names.Random.Next(1, 20))];
        LookupName lookup = default;
        lookup.Set(name);
        if (names.Random.Next(2) == 0)
            message[12 + names.Random.Next(name.Length)] ^= (byte)(1 << names.Random.Next(8));
        byte[] expanded = new byte[WireName.MaxOctets];
        for (int skipped = 0; skipped <= lookup.LabelCount; skipped++)
        {
            int offset = 12 + lookup.Start(skipped), position = offset;
            bool isName = WireName.TryExpand(message, ref position, expanded, out int length);
            bool isSame = isName && PlainName.EqualsIgnoreCase(expanded[..length], lookup.Suffix(skipped).ToArray());
            Assert.Equal(isSame, lookup.IsSuffixAt(skipped, message, offset));
        }
    });

    [Fact]
    public void A_suffix_is_found_behind_a_pointer()
    {
        LookupName lookup = default;
        lookup.Set(DomainName.Parse("b.a").Octets);
        byte[] message = [.. new byte[12], 1, (byte)'A', 0, 1, (byte)'B', 0xC0, 12];
        Assert.True(lookup.IsSuffixAt(0, message, 15));
        Assert.True(lookup.IsSuffixAt(1, message, 12));
        Assert.False(lookup.IsSuffixAt(0, message, 12));
        Assert.False(lookup.IsSuffixAt(0, message[..^1], 15));
        Assert.False(lookup.IsSuffixAt(0, message, message.Length));
    }

    [Theory]
    [InlineData("C00C")]
    [InlineData("C00E00")]
    [InlineData("C00EC00C")]
    [InlineData("0142C00E")]
    public async Task A_suffix_is_not_found_behind_a_pointer_to_itself_or_forward(string hex)
    {
        byte[] message = [.. new byte[12], .. Convert.FromHexString(hex)];
        // On a thread of its own: a walk that does not end fails the test and does not hold it up.
        bool[] found = await Task.Run(() =>
        {
            LookupName lookup = default;
            lookup.Set(DomainName.Parse("b").Octets);
            return new[] { lookup.IsSuffixAt(0, message, 12), lookup.IsSuffixAt(1, message, 12) };
        }).WaitAsync(TimeSpan.FromMinutes(1));
        Assert.Equal([false, false], found);
    }

    [Fact]
    public void A_compressed_name_is_expanded()
    {
        LookupName lookup = default;
        int position = 15;
        Assert.True(lookup.TryExpand([.. new byte[12], 1, (byte)'A', 0, 1, (byte)'B', 0xC0, 12], ref position));
        Assert.Equal(19, position);
        Assert.Equal("b.a.", NameText.ToText(lookup.Octets));
        Assert.Equal(NameHash.Compute(lookup.Octets), lookup.Hash);
    }

    [Fact]
    public void The_longest_names_are_read_and_longer_ones_refused()
    {
        byte[] label = [63, .. new byte[63]];
        byte[] longest = [.. label, .. label, .. label, 61, .. new byte[61], 0];
        byte[] tooLong = [.. label, .. label, .. label, 62, .. new byte[62], 0];
        byte[] mostLabels = [.. Enumerable.Repeat(new byte[] { 1, 65 }, 127).SelectMany(octets => octets), 0];
        byte[] tooManyLabels = [1, 65, .. mostLabels];
        LookupName lookup = default;
        Assert.True(lookup.TryRead(longest, 0, longest.Length));
        Assert.Equal(255, lookup.Length);
        Assert.False(lookup.TryRead(tooLong, 0, tooLong.Length));
        Assert.True(lookup.TryRead(mostLabels, 0, mostLabels.Length));
        Assert.Equal(127, lookup.LabelCount);
        Assert.False(lookup.TryRead(tooManyLabels, 0, tooManyLabels.Length));
    }
}
