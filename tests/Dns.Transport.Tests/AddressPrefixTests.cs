using System.Net;

namespace Dns.Transport.Tests;

/// <summary>Hashes of client addresses, which clients choose.</summary>
public sealed class AddressPrefixTests
{
    [Fact]
    public void Addresses_that_fold_to_equal_words_have_hashes_of_their_own()
    {
        // Both halves of each interface identifier are equal, so that they cancel out in the hash of a ulong.
        AddressPrefix[] chosen = [.. Enumerable.Range(0, 1000).Select(i => Of($"2001:db8::{i:x}:1:{i:x}:1"))];
        Assert.Single(chosen.Select(address => address.Low.GetHashCode()).Distinct());
        Assert.InRange(chosen.Select(address => address.GetHashCode()).Distinct().Count(), 998, 1000);
    }

    [Fact]
    public void Every_word_of_an_address_counts()
    {
        AddressPrefix.Factors key = new(7, 3UL << 32, 5UL << 32, 11UL << 32, 13UL << 32);
        Assert.Equal(0, Of("::").Hash(in key));
        Assert.Equal([3, 5, 11, 13],
            new[] { "0:1::", "::1:0:0:0:0", "::1:0:0", "::1" }.Select(text => Of(text).Hash(in key)));
    }

    [Fact]
    public void Each_process_has_a_key_of_its_own()
    {
        AddressPrefix.Factors one = AddressPrefix.Factors.Draw();
        AddressPrefix.Factors other = AddressPrefix.Factors.Draw();
        Assert.NotEqual(one, other);
        Assert.Equal(5, new[] { one.Addend, one.First, one.Second, one.Third, one.Fourth }.Distinct().Count());
        AddressPrefix address = Of("2001:db8::1");
        Assert.NotEqual(address.Hash(in one), address.Hash(in other));
        Assert.Equal(address.GetHashCode(), Of("2001:db8::1").GetHashCode());
    }

    private static AddressPrefix Of(string address)
    {
        ClientAddress client = ClientAddress.From(new IPEndPoint(IPAddress.Parse(address), 1));
        return AddressPrefix.Client(ref client);
    }
}
