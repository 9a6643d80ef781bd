using Xunit;

namespace Dns.Zones.Tests;

[Trait("RFC", "4034 3.1.5, 4035 5.3.1")]
public sealed class ExpiredSignatureTests : IDisposable
{
    private readonly ZoneFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void The_first_expired_signature_is_named_and_the_others_are_counted()
    {
        Zone zone = Load("20200101000000", "20300101000000", "20200101000001");
        RecordDiagnostic found = ExpiredSignatures.Find(zone, Seconds(2026))!;
        Assert.Equal("found an RRSIG over SOA at example.com. that expired 2020-01-01 00:00:00Z (and 1 more): "
            + "validating resolvers reject them", found.Message);
        ZoneDiagnostic located = Assert.Single(RecordDiagnostic.Locate(
            [found], DomainName.Parse("example.com"), Path.Combine(_folder.Root, "zone")));
        Assert.Equal((Severity.Warning, 4), (located.Severity, located.Line));
    }

    [Fact]
    public void Signatures_that_are_valid_are_no_diagnostic() =>
        Assert.Null(ExpiredSignatures.Find(Load("20300101000000", "20300101000000", "20300101000000"), Seconds(2026)));

    [Fact]
    public void A_time_beyond_32_bits_is_compared_as_a_serial() =>
        Assert.Null(ExpiredSignatures.Find(Load("21070101000000", "21070101000000", "21070101000000"), Seconds(2100)));

    private Zone Load(params string[] expirations) => _folder.Load(ZoneFolder.Start + string.Concat(
        new[] { "SOA", "NS", "NSEC" }.Zip(expirations, (type, expiration) =>
            $"@ RRSIG {type} 13 2 300 {expiration} 20190101000000 1 @ AAAA\n")) + "@ NSEC @ NS SOA RRSIG NSEC\n").Zone!;

    private static uint Seconds(int year) =>
        (uint)new DateTimeOffset(year, 1, 1, 0, 0, 0, TimeSpan.Zero).ToUnixTimeSeconds();
}
