using Dns.Testing;

namespace Dns.Dnssec.Tests;

/// <summary>Each field of an RRSIG counts, though the signature itself is good (RFC 4035 §5.3.1).</summary>
public class SignatureCheckTests
{
    private static readonly byte[] Owner = WireOctets.Name("www.example");

    [Fact]
    public void The_fields_of_a_good_signature_are_checked()
    {
        byte[] zone = WireOctets.Name("example");
        Assert.Equal(SignatureVerdict.Valid, Check(Plans.Zsk, zone));
        Assert.Equal(SignatureVerdict.Valid, Check(Plans.Zsk, zone, now: 1000));
        Assert.Equal(SignatureVerdict.Valid, Check(Plans.Zsk, zone, now: 2000));
        Assert.Equal(SignatureVerdict.NotYetValid, Check(Plans.Zsk, zone, now: 999));
        Assert.Equal(SignatureVerdict.Expired, Check(Plans.Zsk, zone, now: 2001));
        Assert.Equal(SignatureVerdict.Expired, Check(Plans.Zsk, zone, from: 2000, to: 1000));
        Assert.Equal(SignatureVerdict.WrongSigner, Check(Plans.Zsk, zone, signer: WireOctets.Name("www.example")));
        Assert.Equal(SignatureVerdict.WrongSigner,
            Check(Plans.Zsk, WireOctets.Name("test"), signer: WireOctets.Name("test")));
        Assert.Equal(SignatureVerdict.WrongLabels, Check(Plans.Zsk, zone, labels: 0));
        Assert.Equal(SignatureVerdict.WrongLabels, Check(Plans.Zsk, zone, labels: 3));
        Assert.Equal(SignatureVerdict.Malformed, Check(Plans.Zsk, zone, covered: RRType.AAAA));
        using SigningKey revoked = Plans.Zsk.WithFlags(Dnskey.ZoneFlag | Dnskey.RevokeFlag),
            none = Plans.Zsk.WithFlags(0);
        Assert.Equal(SignatureVerdict.NoKey, Check(revoked, zone));
        Assert.Equal(SignatureVerdict.NoKey, Check(none, zone));
    }

    // Signs any fields, so that only the fields can be wrong.
    private static SignatureVerdict Check(
        SigningKey key, byte[] zone, byte[]? signer = null, int labels = 2, uint from = 1000, uint to = 2000,
        uint now = 1500, RRType covered = RRType.A)
    {
        CanonicalRRset canonical = new();
        canonical.TryBegin(Owner, RRType.A, 60, Math.Min(labels, 2));
        canonical.Add([192, 0, 2, 1]);
        canonical.End();
        byte[] rdata = new byte[400];
        int prefix = RrsigFields.WritePrefix(rdata, covered, key.Public, labels, 60, from, to, signer ?? zone);
        Assert.True(key.TrySign(canonical.SignedData(rdata.AsSpan(0, prefix)), rdata.AsSpan(prefix), out int octets));
        Assert.True(RrsigFields.TryRead(rdata.AsSpan(0, prefix + octets), out RrsigFields fields));
        return new SignatureCheck(zone, [key.Public], DateTimeOffset.FromUnixTimeSeconds(now)).Check(Owner, RRType.A,
            canonical, in fields);
    }
}
