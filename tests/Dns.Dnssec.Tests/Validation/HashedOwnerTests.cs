using Dns.Testing;

namespace Dns.Dnssec.Tests;

public class HashedOwnerTests
{
    [Theory]
    [Trait("RFC", "5155 A")]
    [InlineData("example", "0p9mhaveqvm6t7vbl5lop2u3t2rp3tom")]
    [InlineData("a.example", "35mthgpgcu1qg68fab165klnsnk3dpvl")]
    [InlineData("*.w.example", "r53bq7cc2uvmubfu5ocmm6pers9tk9en")]
    [InlineData("xx.example", "t644ebqk9bibcna874givr6joj62mlhv")]
    public void The_owner_of_a_hash_is_that_of_the_example(string name, string expected)
    {
        byte[] hash = new byte[Nsec3Hash.LengthOctets], apex = WireOctets.Name("example"), owner = new byte[255],
            read = new byte[20];
        Nsec3Hash.Compute(WireOctets.Name(name), [0xAA, 0xBB, 0xCC, 0xDD], 12, hash);
        int length = HashedOwner.Write(hash, apex, owner);
        Assert.Equal($"{expected}.example.", NameText.ToText(owner.AsSpan(0, length)));
        Assert.True(HashedOwner.TryRead(owner.AsSpan(0, length), read));
        Assert.Equal(hash, read);
    }
}
