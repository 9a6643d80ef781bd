using Dns.Testing;

namespace Dns.Dnssec.Tests;

/// <summary>Each field of an RRSIG counts, though the signature itself is good (RFC 4035 §5.3.1).</summary>
public class SignatureCheckTests
{
    private static readonly byte[] Owner = WireOctets.Name("www.example");
    private static readonly byte[] Address = [192, 0, 2, 1];

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
        // In the arithmetic of serial numbers it ends before it begins.
        Assert.Equal(SignatureVerdict.Expired,
            Check(Plans.Zsk, zone, from: 0, to: 0x9000_0000, now: 0x4800_0000));
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
        // The same key with another tag.
        Dnskey other = Plans.Zsk.Public.WithFlags(Dnskey.ZoneFlag | 2);
        Assert.Equal(SignatureVerdict.NoKey, Check(Plans.Zsk, zone, keys: [other]));
    }

    [Fact]
    public void A_bounded_number_of_keys_with_the_tag_of_a_signature_is_tried()
    {
        byte[] zone = WireOctets.Name("example");
        Dnskey right = Plans.Zsk.Public;
        Dnskey[] wrong = [.. WithTagOf(right).Take(ValidationWork.MaxKeysOfTag)];
        Assert.Equal(ValidationWork.MaxKeysOfTag, wrong.Distinct().Count(key => key.Tag == right.Tag));
        Assert.Equal(SignatureVerdict.Valid, Check(Plans.Zsk, zone, keys: [.. wrong[1..], right]));
        Assert.Equal(SignatureVerdict.TooMuchWork, Check(Plans.Zsk, zone, keys: [.. wrong, right]));
        Assert.Equal(SignatureVerdict.Bad, Check(Plans.Zsk, zone, keys: wrong));
    }

    [Fact]
    public void A_bounded_number_of_signatures_of_an_RRset_is_tried()
    {
        byte[] zone = WireOctets.Name("example");
        byte[] good = Sign(Plans.Zsk, zone, 2, 1000, 2000, RRType.A), bad = [.. good];
        bad[^1] ^= 1;
        foreach (int wrong in (int[])[ValidationWork.MaxSignatures - 1, ValidationWork.MaxSignatures])
        {
            ReceivedRRset rrset = new(MessageSection.Answer, Owner, RRType.A);
            rrset.Rdata.Add(Address);
            rrset.Signatures.AddRange([.. Enumerable.Repeat(bad, wrong), good]);
            ValidatedRRset result = new RRsetValidation(zone, [Plans.Zsk.Public],
                DateTimeOffset.FromUnixTimeSeconds(1500), new ValidationWork()).Verify(rrset);
            bool isTried = wrong < ValidationWork.MaxSignatures;
            Assert.Equal(isTried ? SecurityStatus.Secure : SecurityStatus.Bogus, result.Status);
            if (!isTried) Assert.EndsWith(": the bound of verifications is reached", result.Reason);
        }
    }

    [Fact]
    public void RDATA_that_ends_with_the_name_of_the_signer_is_malformed()
    {
        byte[] rdata = Sign(Plans.Zsk, WireOctets.Name("example"), 2, 1000, 2000, RRType.A);
        int prefix = RrsigFields.FixedOctets + "example".Length + 2;
        Assert.False(RrsigFields.TryRead(rdata.AsSpan(0, prefix), out _));
        Assert.False(RrsigFields.TryRead(rdata.AsSpan(0, prefix - 1), out _));
        Assert.True(RrsigFields.TryRead(rdata.AsSpan(0, prefix + 1), out _));
    }

    /// <summary>Keys with the tag of another: the tag is a sum, which two exchanged words leave as it is.</summary>
    private static IEnumerable<Dnskey> WithTagOf(Dnskey key)
    {
        for (int at = Dnskey.FixedOctets; at + 4 <= key.Rdata.Length; at += 4)
        {
            byte[] rdata = key.Rdata.ToArray();
            (rdata[at], rdata[at + 1], rdata[at + 2], rdata[at + 3]) =
                (rdata[at + 2], rdata[at + 3], rdata[at], rdata[at + 1]);
            Assert.True(Dnskey.TryRead(rdata, out Dnskey? other));
            if (!other.Equals(key)) yield return other;
        }
    }

    // Signs any fields, so that only the fields can be wrong.
    private static SignatureVerdict Check(
        SigningKey key, byte[] zone, byte[]? signer = null, int labels = 2, uint from = 1000, uint to = 2000,
        uint now = 1500, RRType covered = RRType.A, Dnskey[]? keys = null)
    {
        byte[] rdata = Sign(key, signer ?? zone, labels, from, to, covered);
        Assert.True(RrsigFields.TryRead(rdata, out RrsigFields fields));
        return new SignatureCheck(zone, keys ?? [key.Public], DateTimeOffset.FromUnixTimeSeconds(now))
            .Check(Owner, RRType.A, Canonical(labels), in fields);
    }

    private static CanonicalRRset Canonical(int labels)
    {
        CanonicalRRset canonical = new();
        canonical.TryBegin(Owner, RRType.A, 60, Math.Min(labels, 2));
        canonical.Add(Address);
        canonical.End();
        return canonical;
    }

    private static byte[] Sign(SigningKey key, byte[] signer, int labels, uint from, uint to, RRType covered)
    {
        byte[] rdata = new byte[400];
        int prefix = RrsigFields.WritePrefix(rdata, covered, key.Public, labels, 60, from, to, signer);
        ReadOnlySpan<byte> signed = Canonical(labels).SignedData(rdata.AsSpan(0, prefix));
        Assert.True(key.TrySign(signed, rdata.AsSpan(prefix), out int octets));
        return rdata[..(prefix + octets)];
    }
}
