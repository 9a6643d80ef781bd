namespace Dns.Dnssec.Tests;

/// <summary>Signed zones are valid, and each kind of damage is reported at its place.</summary>
public class ZoneVerifierTests
{
    // A delegation with DS needs a record in an opt-out chain, too.
    private const string SignedDelegation = "sub4.example.net. 3600 IN DS 1 13 2 "
        + "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\nsub4.example.net. 3600 IN NS ";

    [Theory]
    [InlineData("nsec")]
    [InlineData("nsec3")]
    [InlineData("opt-out")]
    [InlineData("salted")]
    public void What_is_signed_here_is_good(string denial)
    {
        SigningPlan plan = Plans.With([Plans.Ksk], [Plans.Zsk], Plans.Denial(denial)) with { Zonemd = true };
        ZoneVerification found = Verify(SignedSource.Sign(plan));
        Assert.Empty(found.Diagnostics);
        Assert.True(found.IsGood);
        Assert.True(found.Signatures > 20);
        Assert.InRange(found.FirstExpiration!.Value, Plans.Now, Plans.Now.AddDays(14));
    }

    [Theory]
    [InlineData("nsec", "ns.example.net. 3600 IN RRSIG A ", "", "found no RRSIG over A at ns.example.net.")]
    [InlineData("nsec", "192.0.2.2", "192.0.2.9",
        "over A at mail.example.net.: the signature is not that of the key over these records")]
    [InlineData("nsec", "mail.example.net. 300 IN NSEC ", "", "found no NSEC at mail.example.net.")]
    [InlineData("nsec", "mail.example.net. 300 IN NSEC ", "",
        "NSEC at d.example.net.: found mail.example.net. as the next name")]
    [InlineData("nsec", "*.wild.example.net. 3600 IN MX ", "",
        "NSEC at *.wild.example.net.: found the types MX TXT RRSIG NSEC, expected TXT RRSIG NSEC")]
    [InlineData("nsec", "*.wild.example.net. 3600 IN MX ", "", "RRSIG over MX at *.wild.example.net., where no MX is")]
    [InlineData("nsec", "sub2.example.net. 3600 IN NS ", "sub2.example.net. 1800 IN NS ", null)]
    [InlineData("nsec", "mail.example.net. 3600 IN AAAA ", "mail.example.net. 1800 IN AAAA ",
        "found the original TTL 3600, expected 1800")]
    [InlineData("nsec3", " 300 IN NSEC3 1 0 0 - ", "", "expected one at ")]
    [InlineData("nsec3", " 300 IN NSEC3 1 0 0 - ", "", "found the next hash")]
    [InlineData("nsec3", "mail.example.net. 3600 IN AAAA ", "", "expected A RRSIG")]
    [InlineData("nsec3", "example.net. 0 IN NSEC3PARAM ", "", "neither NSEC nor NSEC3PARAM")]
    [InlineData("opt-out", "sub4.example.net. 3600 IN NS ", "", null)]
    [InlineData("opt-out", "sub4.example.net. 3600 IN NS ", SignedDelegation, "found no NSEC3 for sub4.example.net.")]
    [InlineData("nsec3", "sub4.example.net. 3600 IN NS ", "", "the hash of no name of the zone")]
    [InlineData("opt-out", "sub4.example.net. 3600 IN NS ", "sub9.example.net. 3600 IN NS ", null)]
    [InlineData("nsec3", "sub4.example.net. 3600 IN NS ", "sub9.example.net. 3600 IN NS ",
        "found no NSEC3 for sub9.example.net.")]
    public void Damage_is_found(string denial, string record, string replacement, string? expected)
    {
        List<string> lines = SignedSource.Lines(SignedSource.Sign(Plans.OneKey(Plans.Denial(denial))));
        int at = lines.FindIndex(line => line.Contains(record));
        Assert.True(at >= 0, string.Join('\n', lines));
        if (replacement.Length == 0) lines.RemoveAt(at);
        else lines[at] = lines[at].Replace(record, replacement);
        ZoneVerification found = Verify(SignedSource.Load(lines));
        Assert.Equal(expected is null, found.IsGood);
        if (expected is not null) Assert.Contains(found.Diagnostics, one => one.Message.Contains(expected));
    }

    [Fact]
    [Trait("RFC", "5155 7.1")]
    public void Each_NSEC3_that_is_missing_breaks_the_chain()
    {
        List<string> lines = SignedSource.Lines(SignedSource.Sign(Plans.OneKey(Plans.Denial("nsec3"))));
        int[] chain = [.. Enumerable.Range(0, lines.Count).Where(at => lines[at].Contains(" 300 IN NSEC3 1 0 0 - "))];
        Assert.True(chain.Length > 5);
        foreach (int at in chain)
        {
            ZoneVerification found = Verify(SignedSource.Load([.. lines[..at], .. lines[(at + 1)..]]));
            Assert.Single(found.Diagnostics, one => one.Message.Contains("found the next hash"));
        }
    }

    [Fact]
    public void A_signature_at_glue_or_over_a_delegation_is_found()
    {
        List<string> lines = SignedSource.Lines(SignedSource.Sign(Plans.OneKey()));
        string signature =
            lines.First(line => line.StartsWith("ns.example.net. 3600 IN RRSIG A ", StringComparison.Ordinal));
        lines.Add("ns.sub." + signature[3..].Replace("A 13 3", "A 13 4"));
        lines.Add("sub." + signature[3..].Replace("RRSIG A ", "RRSIG NS "));
        ZoneVerification found = Verify(SignedSource.Load(lines));
        Assert.Equal(2, found.ErrorCount);
        Assert.All(found.Diagnostics, one => Assert.Contains("which is not the zone's own data", one.Message));
    }

    [Theory]
    [InlineData(15, "expired at 2026-01-1")]
    [InlineData(-1, "is not valid before 2026-01-02")]
    public void A_signature_out_of_its_time_is_found(int days, string expected)
    {
        Zone zone = SignedSource.Sign(Plans.OneKey());
        ZoneVerification found = ZoneVerifier.Verify(zone, new ZoneVerifierSettings { Now = Plans.Now.AddDays(days) });
        Assert.False(found.IsGood);
        Assert.Contains(found.Diagnostics, diagnostic => diagnostic.Message.Contains(expected));
        Assert.All(found.Diagnostics, diagnostic => Assert.NotEmpty(diagnostic.Rdata));
    }

    [Fact]
    public void Each_algorithm_of_the_keys_has_to_sign()
    {
        using SigningKey other = SigningKey.Generate(DnssecAlgorithm.EcdsaP384Sha384, isSep: false);
        SigningPlan plan = Plans.OneKey();
        Zone zone = SignedSource.Sign(plan with { Published = [.. plan.Published, other.Public] });
        ZoneVerification found = Verify(zone);
        Assert.All(found.Diagnostics,
            diagnostic => Assert.Contains("found no RRSIG of ecdsap384sha384 over", diagnostic.Message));
        Assert.NotEmpty(found.Diagnostics);
    }

    [Fact]
    [Trait("RFC", "6781 4.1.4")]
    public void A_signature_of_an_algorithm_without_keys_is_a_warning_beside_a_valid_one()
    {
        using SigningKey gone = SigningKey.Generate(DnssecAlgorithm.EcdsaP384Sha384, isSep: false);
        SigningPlan plan = Plans.With([Plans.Ksk], [Plans.Zsk, gone]);
        List<string> lines = SignedSource.Lines(
            SignedSource.Sign(plan with { Published = [Plans.Ksk.Public, Plans.Zsk.Public] }));
        ZoneVerification found = Verify(SignedSource.Load(lines));
        Assert.True(found.IsGood);
        Assert.NotEmpty(found.Diagnostics);
        Assert.All(found.Diagnostics, one => Assert.Contains("found no DNSKEY of that algorithm", one.Message));
        // An error is what a validator has nothing else for.
        Assert.Equal(1, lines.RemoveAll(line => line.StartsWith("ns.example.net. 3600 IN RRSIG A 13 ",
            StringComparison.Ordinal)));
        found = Verify(SignedSource.Load(lines));
        Assert.False(found.IsGood);
        Assert.Single(found.Diagnostics, one => one.Severity == Severity.Error
            && one.Message.Contains("over A at ns.example.net.: found no DNSKEY of that algorithm"));
    }

    [Fact]
    public void The_key_set_has_to_be_signed_by_a_secure_entry_point()
    {
        SigningPlan plan = Plans.With([Plans.Zsk], [Plans.Zsk]);
        Assert.Empty(Verify(SignedSource.Sign(plan)).Diagnostics);
        RecordDiagnostic diagnostic = Assert.Single(
            Verify(SignedSource.Sign(plan with { Published = [.. plan.Published, Plans.Ksk.Public] })).Diagnostics);
        Assert.Contains("that no key with the SEP flag signs", diagnostic.Message);
    }

    [Fact]
    public void An_unsigned_zone_is_not_good()
    {
        ZoneVerification found = Verify(SignedSource.Load(SignedSource.Text.Split('\n')));
        Assert.Contains("found no DNSKEY", Assert.Single(found.Diagnostics).Message);
    }

    [Fact]
    public void A_zone_that_was_changed_after_its_digest_is_found()
    {
        List<string> lines = SignedSource.Lines(SignedSource.Sign(Plans.OneKey() with { Zonemd = true }));
        Assert.Empty(Verify(SignedSource.Load(lines)).Diagnostics);
        lines.Add("ns.sub2.example.net. 3600 IN A 192.0.2.77");
        Assert.Contains("the digest is not that", Assert.Single(Verify(SignedSource.Load(lines)).Diagnostics).Message);
    }

    [Fact]
    public void Diagnostics_have_the_lines_of_the_file()
    {
        List<string> lines = SignedSource.Lines(SignedSource.Sign(Plans.OneKey()));
        int at = lines.FindIndex(line => line.Contains("192.0.2.2"));
        lines[at] = lines[at].Replace("192.0.2.2", "192.0.2.9");
        int signature =
            lines.FindIndex(line => line.StartsWith("mail.example.net. 3600 IN RRSIG A ", StringComparison.Ordinal));
        string file = Path.GetTempFileName();
        try
        {
            File.WriteAllLines(file, lines);
            ZoneVerification found = Verify(SignedSource.Load(lines));
            ZoneDiagnostic diagnostic = Assert.Single(
                RecordDiagnostic.Locate(found.Diagnostics, DomainName.Parse("example.net"), file));
            Assert.Equal((signature + 1, Severity.Error, file),
                (diagnostic.Line, diagnostic.Severity, diagnostic.File));
        }
        finally
        {
            File.Delete(file);
        }
    }

    private static ZoneVerification Verify(Zone zone) =>
        ZoneVerifier.Verify(zone, new ZoneVerifierSettings { Now = Plans.Now });
}
