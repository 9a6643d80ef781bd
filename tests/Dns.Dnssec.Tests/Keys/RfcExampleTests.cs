using Dns.Testing;

namespace Dns.Dnssec.Tests;

/// <summary>Keys, DS records and signatures that RFCs print.</summary>
public class RfcExampleTests
{
    private const string Sha256Key =
        "256 3 8 AwEAAcFcGsaxxdgiuuGmCkVImy4h99CqT7jwY3pexPGcnUFtR2Fh36BponcwtkZ4cAgtvd4Qs8PkxUdp6p/DlUmObdk=";
    private const string Sha512Key =
        "256 3 10 AwEAAdHoNTOW+et86KuJOWRDp1pndvwb6Y83nSVXXyLA3DLroROUkN6X0O6pnWnjJQujX/AyhqFDxj13tOnD9u/1kTg7cV6rklMr"
        + "ZDtJCQ5PCl/D7QNPsgVsMu1J2Q8gpMpztNFLpPBz1bWXjDtaR7ZQBlZ3PFY12ZTSncorffcGmhOL";
    private const string P256Key =
        "257 3 13 GojIhhXUN/u4v54ZQqGSnyhWJwaubCvTmeexv7bR6edbkrSqQpF64cYbcB7wNcP+e+MAnLr+Wi9xMWyQLc8NAA==";
    private const string P384Key =
        "257 3 14 xKYaNhWdGOfJ+nPrL8/arkwf2EY3MDJ+SErKivBVSum1w/egsXvSADtNJhyem5RCOpgQ6K8X1DRSEkrbYQ+OB+v8/uX45NBwY8rp65F6"
        + "Glur8I/mlVNgF6W/qTI37m40";
    private const string Ed25519Key = "257 3 15 l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=";

    [Theory]
    [Trait("RFC", "5702 6.1")]
    [InlineData(Sha256Key, "192.0.2.91", 9033,
        "A 8 3 3600 20300101000000 20000101000000 9033 example.net. "
        + "kRCOH6u7l0QGy9qpC9l1sLncJcOKFLJ7GhiUOibu4teYp5VE9RncriShZNz85mwlMgNEacFYK/lPtPiVYP4bwg==")]
    [InlineData(Sha512Key, "192.0.2.91", 3740,
        "A 10 3 3600 20300101000000 20000101000000 3740 example.net. "
        +
        "tsb4wnjRUDnB1BUi+t6TMTXThjVnG+eCkWqjvvjhzQL1d0YRoOe0CbxrVDYd0xDtsuJRaeUw1ep94PzEWzr0iGYgZBWm/zpq+9fOuagYJRfDqfReKBzMweOLDiNa"
        + "8iP5g9vMhpuv6OPlvpXwm9Sa9ZXIbNl1MBGk0fthPgxdDLw=")]
    [Trait("RFC", "6605 6")]
    [InlineData(P256Key, "192.0.2.1", 55648,
        "A 13 3 3600 20100909100439 20100812100439 55648 example.net. "
        + "qx6wLYqmh+l9oCKTN6qIc+bw6ya+KJ8oMz0YP107epXAyGmt+3SNruPFKG7tZoLBLlUzGGus7ZwmwWep666VCw==")]
    [InlineData(P384Key, "192.0.2.1", 10771,
        "A 14 3 3600 20100909102025 20100812102025 10771 example.net. "
        +
        "/L5hDKIvGDyI1fcARX3z65qrmPsVz73QD1Mr5CEqOiLP95hxQouuroGCeZOvzFaxsT8Glr74hbavRKayJNuydCuzWTSSPdz7wnqXL5bdcJzusdnI0RSMROxxwGip"
        + "WcJm")]
    public void The_signature_of_an_example_verifies(string keyText, string address, int tag, string rrsig)
    {
        Assert.True(Dnskey.TryRead(SignedText.Rdata(RRType.DNSKEY, keyText), out Dnskey? key));
        Assert.Equal(tag, key.Tag);
        Zone zone = ZoneText.Load("example.net", $"""
            @ 3600 SOA ns hostmaster 1 2 3 4 5
            @ 3600 NS ns.example.
            www 3600 A {address}
            www 3600 RRSIG {rrsig}
            """);
        Assert.True(SignedText.Verifies(zone, "www.example.net", RRType.A, key));
    }

    [Fact]
    [Trait("RFC", "8080 6")]
    public void The_Ed25519_signature_of_an_example_is_made_again()
    {
        Assert.SkipUnless(DnssecAlgorithms.CanSign(DnssecAlgorithm.Ed25519), "libcrypto.so.3 is not here");
        byte[] secret = Convert.FromBase64String("ODIyNjAzODQ2MjgwODAxMjI2NDUxOTAyMDQxNDIyNjI=");
        using PrivateKeyParameters parameters = PrivateKeyParameters.TryMake(DnssecAlgorithm.Ed25519, secret)!;
        Assert.True(SigningKey.TryImport(parameters, 257, out SigningKey? key));
        using SigningKey signing = key;
        Assert.Equal(SignedText.Rdata(RRType.DNSKEY, Ed25519Key), key.Public.Rdata.ToArray());
        byte[] rrsig = SignedText.Rdata(RRType.RRSIG, "MX 15 2 3600 1440021600 1438207200 3613 example.com. "
            + "oL9krJun7xfBOIWcGHi7mag5/hdZrKWw15jPGrHpjQeRAvTdszaPD+QLs3fx8A4M3e23mRZ9VrbpMngwcrqNAg==");
        Assert.True(RrsigFields.TryRead(rrsig, out RrsigFields fields));
        CanonicalRRset canonical = new();
        canonical.Begin(WireOctets.Name("example.com"), RRType.MX, 3600);
        canonical.Add(SignedText.Rdata(RRType.MX, "10 mail.EXAMPLE.com."));
        canonical.End();
        byte[] signature = new byte[key.SignatureOctets];
        Assert.True(key.TrySign(canonical.SignedData(fields.Prefix), signature, out _));
        Assert.Equal(fields.Signature.ToArray(), signature);
        Assert.True(key.Public.Verify(canonical.SignedData(fields.Prefix), signature));
    }

    [Theory]
    [Trait("RFC", "4034 5.4")]
    [InlineData("dskey.example.com",
        "256 3 5 AQOeiiR0GOMYkDshWoSKz9XzfwJr1AYtsmx3TGkJaNXVbfi/2pHm822aJ5iI9BMzNXxeYCmZDRD99WYwYqUSdjMmmAphXdvxegXd"
        + "/M5+X7OrzKBaMbCVdFLUUh6DhweJBjEVv5f2wwjM9XzcnOf+EPbtG9DMBmADjFDc2w/rljwvFw==",
        "60485 5 1 2BB183AF5F22588179A53B0A98631FAD1A292118")]
    [InlineData("dskey.example.com",
        "256 3 5 AQOeiiR0GOMYkDshWoSKz9XzfwJr1AYtsmx3TGkJaNXVbfi/2pHm822aJ5iI9BMzNXxeYCmZDRD99WYwYqUSdjMmmAphXdvxegXd"
        + "/M5+X7OrzKBaMbCVdFLUUh6DhweJBjEVv5f2wwjM9XzcnOf+EPbtG9DMBmADjFDc2w/rljwvFw==",
        "60485 5 2 D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A")]
    [InlineData("example.net", P256Key, "55648 13 2 B4C8C1FE2E7477127B27115656AD6256F424625BF5C1E2770CE6D6E37DF61D17")]
    [InlineData("EXAMPLE.net", P384Key,
        "10771 14 4 72D7B62976CE06438E9C0BF319013CF801F09ECC84B8D7E9495F27E305C6A9B0563A9B5F4D288405C3008A946DF983D6")]
    [InlineData("example.com", Ed25519Key,
        "3613 15 2 3AA5AB37EFCE57F737FC1627013FEE07BDF241BD10F3B1964AB55C78E79A304B")]
    public void The_DS_of_an_example_is_made_and_recognised(string owner, string keyText, string ds)
    {
        Assert.True(Dnskey.TryRead(SignedText.Rdata(RRType.DNSKEY, keyText), out Dnskey? key));
        byte[] expected = SignedText.Rdata(RRType.DS, ds), name = WireOctets.Name(owner);
        Assert.True(key.TryMakeDs(name, (DsDigest)expected[3], out byte[] rdata));
        Assert.Equal(expected, rdata);
        Assert.True(key.IsNamedBy(name, expected));
        expected[^1] ^= 1;
        Assert.False(key.IsNamedBy(name, expected));
    }

    [Fact]
    [Trait("RFC", "6605 6")]
    public void The_private_key_of_an_example_has_its_public_key()
    {
        byte[] secret = Convert.FromBase64String("GU6SnQ/Ou+xC5RumuIUIuJZteXT2z0O/ok1s38Et6mQ=");
        using PrivateKeyParameters parameters = PrivateKeyParameters.TryMake(DnssecAlgorithm.EcdsaP256Sha256, secret)!;
        Assert.True(SigningKey.TryImport(parameters, 257, out SigningKey? key));
        using (key) Assert.Equal(SignedText.Rdata(RRType.DNSKEY, P256Key), key.Public.Rdata.ToArray());
    }
}
