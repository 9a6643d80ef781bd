namespace Dns.Dnssec.Tests;

/// <summary>CDS and CDNSKEY that a parent cannot act on, or should not, are found.</summary>
[Trait("RFC", "7344 section 4.1")]
public class CdsCheckTests
{
    private static readonly byte[] OwnCds = Cds(Plans.Ksk), OwnCdnskey = Plans.Ksk.Public.Rdata.ToArray();

    [Fact]
    public void Records_of_the_key_that_signs_the_keys_are_good()
    {
        Assert.Empty(Verify([OwnCds], [OwnCdnskey]));
        Assert.Empty(Verify([OwnCds], []));
        Assert.Empty(Verify([], [OwnCdnskey]));
    }

    [Fact]
    [Trait("RFC", "8078 section 4")]
    public void The_delete_form_is_good_alone()
    {
        byte[] cds = SigningPlan.DeleteCds.ToArray(), cdnskey = SigningPlan.DeleteCdnskey.ToArray();
        Assert.Empty(Verify([cds], [cdnskey]));
        Assert.Contains("deletes the DS RRset beside others", One(Verify([cds, OwnCds], [])));
        Assert.Contains("expected 0 0 0 00", One(Verify([[0, 0, 0, 2, 0]], [])));
        Assert.Contains("expected 0 3 0 AA==", One(Verify([], [[1, 1, 3, 0, 0]])));
        Assert.All(
            Verify([cds], [OwnCdnskey]),
            found => Assert.Contains("expected both RRsets to be of the same keys", found.Message));
    }

    [Fact]
    public void Records_of_no_key_that_signs_the_keys_are_found()
    {
        RecordDiagnostic[] stranger = Verify([Cds(Plans.NextKsk)], []);
        Assert.Contains(
            stranger, found => found.Severity == Severity.Error && found.Message.Contains("the zone would be bogus"));
        Assert.Contains(
            stranger,
            found => found.Severity == Severity.Warning && found.Message.Contains("of no DNSKEY at the apex"));
        // A key of the set, which does not sign it.
        Assert.Contains("the zone would be bogus", One(Verify([Cds(Plans.Zsk)], [])));
    }

    [Fact]
    public void A_key_that_stands_by_is_a_warning()
    {
        RecordDiagnostic found = Assert.Single(Verify([OwnCds, Cds(Plans.NextKsk)], []));
        Assert.Equal(Severity.Warning, found.Severity);
        Assert.Contains("a CDS record of no DNSKEY", found.Message);
    }

    [Fact]
    public void Records_that_do_not_agree_are_found()
    {
        byte[] other = Plans.NextKsk.Public.Rdata.ToArray();
        RecordDiagnostic[] found = Verify([OwnCds], [OwnCdnskey, other]);
        Assert.Contains(
            found, one => one.Type == RRType.CDNSKEY && one.Message.Contains("without the CDS record of the same key"));
    }

    [Fact]
    public void Signatures_of_a_zone_key_alone_are_found()
    {
        // As a signer that takes CDS for any other type makes them.
        SigningPlan plan = Plan([OwnCds], [OwnCdnskey]);
        List<string> lines = SignedSource.Lines(SignedSource.Sign(plan));
        SigningPlan byZsk = Plans.With([Plans.Zsk], [Plans.Zsk]) with { Cds = plan.Cds, Cdnskey = plan.Cdnskey };
        List<string> other = SignedSource.Lines(SignedSource.Sign(byZsk));
        lines.RemoveAll(IsSignature);
        lines.AddRange(other.Where(IsSignature));
        RecordDiagnostic[] found = Verify(SignedSource.Load(lines));
        Assert.Equal(2, found.Length);
        Assert.All(found, one => Assert.Contains("alone, expected a key that signs the DNSKEY RRset", one.Message));

        static bool IsSignature(string line) => line.Contains("RRSIG CDS ") || line.Contains("RRSIG CDNSKEY ");
    }

    [Fact]
    public void Records_below_the_apex_are_found()
    {
        Zone zone = SignedSource.Sign(Plan([], []), SignedSource.Text + "\nmail CDS 1 13 2 " + new string('A', 64));
        Assert.Contains("expected it at the apex alone", One(Verify(zone)));
    }

    private static string One(RecordDiagnostic[] found) => Assert.Single(found).Message;

    private static RecordDiagnostic[] Verify(byte[][] cds, byte[][] cdnskey) =>
        Verify(SignedSource.Sign(Plan(cds, cdnskey)));

    private static RecordDiagnostic[] Verify(Zone zone) =>
        [.. ZoneVerifier.Verify(zone, new ZoneVerifierSettings { Now = Plans.Now }).Diagnostics];

    private static SigningPlan Plan(byte[][] cds, byte[][] cdnskey) =>
        Plans.With([Plans.Ksk], [Plans.Zsk]) with { Cds = cds, Cdnskey = cdnskey };

    private static byte[] Cds(SigningKey key)
    {
        DomainName apex = DomainName.Parse(SignedSource.Apex);
        Assert.True(key.Public.TryMakeDs(apex.Octets, DsDigest.Sha256, out byte[] rdata));
        return rdata;
    }
}
