using System.Security.Cryptography;
using Dns.Testing;

namespace Dns.Dnssec.Tests;

public class ZonemdTests
{
    [Fact]
    [Trait("RFC", "8976 A.1")]
    public void The_digest_of_the_example_is_good()
    {
        Zone zone = ZoneText.Load("example", """
            @ 86400 IN SOA ns1 admin 2018031900 1800 900 604800 86400
            @ 86400 IN NS ns1
            @ 86400 IN NS ns2
            @ 86400 IN ZONEMD 2018031900 1 1 c68090d90a7aed716bc459f9340e3d7c1370d4d24b7e2fc3a1ddc0b9a87153b9a9713b3c9ae5cc27777f98b8e730044c
            ns1 3600 IN A 203.0.113.63
            ns2 3600 IN AAAA 2001:db8::63
            """);
        Assert.True(ZonemdCheck.Verify(zone));
    }

    [Theory]
    [InlineData("2018031901", "1 1", false)]
    [InlineData("2018031900", "2 1", null)]
    [InlineData("2018031900", "1 3", null)]
    [InlineData("2018031900", "1 2", false)]
    public void A_digest_of_another_zone_scheme_or_hash_is_not_good(string serial, string kind, bool? expected)
    {
        string digest = new('a', kind == "1 2" ? 128 : 96);
        Zone zone = ZoneText.Load("example", $"""
            @ 86400 IN SOA ns1 admin 2018031900 1800 900 604800 86400
            @ 86400 IN NS ns1
            @ 86400 IN ZONEMD {serial} {kind} {digest}
            ns1 3600 IN A 203.0.113.63
            """);
        Assert.Equal(expected, ZonemdCheck.Verify(zone));
    }

    [Fact]
    [Trait("RFC", "8976 3.3.1")]
    public void Only_the_digests_of_the_apex_are_not_digested()
    {
        const string text = "@ 1 SOA ns1 admin 1 1 1 1 1\n@ 1 NS ns1\nns1 1 A 203.0.113.63\n";
        string record = $"1 ZONEMD 1 1 1 {new string('a', 96)}\n";
        byte[] Digest(string more) =>
            ZoneDigester.Compute(ZoneText.Load("example", text + more), HashAlgorithmName.SHA384);
        Assert.Equal(Digest(""), Digest($"@ {record}"));
        Assert.NotEqual(Digest(""), Digest($"ns1 {record}"));
    }

    [Fact]
    public void SHA_512_is_verified()
    {
        const string text = "@ 1 SOA ns1 admin 1 1 1 1 1\n@ 1 NS ns1\nns1 1 A 203.0.113.63\n";
        byte[] digest = ZoneDigester.Compute(ZoneText.Load("example", text), HashAlgorithmName.SHA512);
        Assert.True(
            ZonemdCheck.Verify(ZoneText.Load("example", $"{text}@ 1 ZONEMD 1 1 2 {Convert.ToHexString(digest)}\n")));
    }
}
