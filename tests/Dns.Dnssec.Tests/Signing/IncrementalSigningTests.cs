using Dns.Protocol;
using Dns.Testing;
using Dns.Zones;

namespace Dns.Dnssec.Tests;

/// <summary>Changes of the source, one after the other: the version that is made of the one before is that of a whole signing.</summary>
public sealed class IncrementalSigningTests(ITestOutputHelper output)
{
    private const string Apex = "example.";

    [Theory]
    [InlineData("nsec", 1)]
    [InlineData("nsec", 2)]
    [InlineData("nsec3", 3)]
    [InlineData("opt-out", 4)]
    [InlineData("opt-out", 5)]
    [InlineData("salted", 6)]
    public void Random_changes_make_the_versions_that_whole_signings_make(string denial, int seed)
    {
        output.WriteLine($"seed {seed}");
        SigningPlan plan = Plans.OneKey(Plans.Denial(denial));
        Random random = new(seed);
        Zone source = ZoneText.Load(Apex, "@ 3600 SOA ns.example. host.example. 1 7200 3600 1209600 300\n@ 3600 NS ns.example.\nns A 192.0.2.1\n");
        Zone signed = ZoneSigner.SignWhole(source, plan, Plans.Now).Zone!;
        for (int i = 0; i < 250; i++)
        {
            (Zone next, ZoneDelta delta) = RandomChange.Make(source, random);
            DateTimeOffset now = Plans.Now.AddMinutes(i);
            SigningResult result = ZoneSigner.Sign(signed, source, next, delta, plan, now);
            Assert.True(result.IsSigned, result.Error);
            SigningResult whole = ZoneSigner.SignWhole(next, plan with { Serial = SerialPolicy.Keep }, now, new SigningOptions { Threads = 1 });
            Assert.Equal(Lines(whole.Zone!), Lines(result.Zone));
            if (i % 25 == 0) Assert.True(SignedZoneText.VerifyAll(result.Zone) > 0);
            if (result.Delta is { } made)
                Assert.Equal(SignedZoneText.Of(ZoneEditor.From(signed).Apply(made).Zone!), SignedZoneText.Of(result.Zone));
            (source, signed) = (next, result.Zone);
        }
        SignedZoneText.VerifyAll(signed);
    }

    // The serials of both differ.
    private static string Lines(Zone zone) =>
        string.Join('\n', SignedZoneText.Of(zone).Split('\n').Where(line => !line.Contains(" SOA ns.example.", StringComparison.Ordinal)));
}
