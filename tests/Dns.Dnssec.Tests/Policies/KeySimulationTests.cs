using System.Globalization;

namespace Dns.Dnssec.Tests;

/// <summary>
/// Ten years of rollovers, with policies that change, a parent that is late, a machine that stops and a clock that is
/// set: at every moment every combination of DS, DNSKEY and signatures validates that some cache may hold.
/// <c>DNS_SIMULATION_SEEDS</c> runs more of them.
/// </summary>
public sealed class KeySimulationTests(ITestOutputHelper output)
{
    private const int Years = 10;
    private static readonly TimeSpan Step = TimeSpan.FromHours(18);

    private static readonly DnssecPolicy Ordinary = DnssecPolicy.Default with
    {
        DnskeyTtl = TimeSpan.FromHours(1),
        KskLifetime = TimeSpan.FromDays(365),
        ZskLifetime = TimeSpan.FromDays(60),
    };

    private static readonly DnssecAlgorithm[] Algorithms =
        [DnssecAlgorithm.EcdsaP256Sha256, DnssecAlgorithm.Ed25519, DnssecAlgorithm.RsaSha256];

    private static int Seeds =>
        int.Parse(Environment.GetEnvironmentVariable("DNS_SIMULATION_SEEDS") ?? "4", CultureInfo.InvariantCulture);

    [Theory]
    [InlineData(KeyScheme.Csk)]
    [InlineData(KeyScheme.KskAndZsk)]
    public void Keys_roll_over_for_years_and_every_cache_validates(KeyScheme scheme)
    {
        for (int seed = 1; seed <= Seeds; seed++)
        {
            output.WriteLine($"seed {seed}");
            SimulatedZone zone = new(seed, Ordinary with { Keys = scheme });
            while (zone.Elapsed < TimeSpan.FromDays(365 * Years)) zone.Advance(Step);
            KeyRole sep = scheme == KeyScheme.Csk ? KeyRole.Csk : KeyRole.Ksk;
            Assert.InRange(zone.Removed[sep], Years - 3, Years);
            if (scheme == KeyScheme.KskAndZsk) Assert.InRange(zone.Removed[KeyRole.Zsk], Years * 5, Years * 7);
            Assert.Single(zone.Parent);
        }
    }

    [Fact]
    public void Restarts_clocks_and_policies_break_no_chain()
    {
        int restarts = 0, jumps = 0, removed = 0;
        for (int seed = 1; seed <= Seeds * 3; seed++)
        {
            output.WriteLine($"seed {seed}");
            SimulatedZone zone = Disturbed(seed);
            (restarts, jumps, removed) =
                (restarts + zone.Restarts, jumps + zone.Jumps, removed + zone.Removed.Values.Sum());
        }
        Assert.True(restarts > 20 * Seeds && jumps > 20 * Seeds && removed > 20 * Seeds,
            $"{restarts} restarts, {jumps} jumps, {removed} keys");
    }

    [Fact]
    public void A_run_goes_the_same_way_again() => Assert.Equal(Disturbed(7).Log, Disturbed(7).Log);

    private static SimulatedZone Disturbed(int seed)
    {
        Random random = new(seed);
        SimulatedZone zone = new(seed, Ordinary with { Keys = (KeyScheme)random.Next(2) });
        while (zone.Elapsed < TimeSpan.FromDays(365 * Years))
        {
            zone.Advance(Step);
            Disturb(zone, random);
        }
        // Undisturbed, it settles with the keys of its policy, and their DS record at the parent.
        zone.Start();
        zone.IsOn = true;
        zone.Policy = zone.Policy with { KskLifetime = TimeSpan.Zero, ZskLifetime = TimeSpan.Zero };
        DateTimeOffset end = zone.Now + TimeSpan.FromDays(400);
        while (zone.Now < end) zone.Advance(Step);
        KeyRecord[] live = [.. zone.Keys.Keys.Where(key => !key.IsRemoved)];
        string log = string.Join('\n', zone.Log.TakeLast(40));
        Assert.True(live.All(key => KeyStates.Of(zone.Keys, key) == KeyState.Active), log);
        Assert.True(live.Select(key => key.Role).SequenceEqual(zone.Policy.Roles.Order()) ||
            live.Length == zone.Policy.Roles.Count, log);
        Assert.True(live.All(key => key.Id.Algorithm == zone.Policy.Algorithm), log);
        return zone;
    }

    private static void Disturb(SimulatedZone zone, Random random)
    {
        switch (random.Next(600))
        {
            case < 12:
                zone.Stop();
                break;
            case < 60:
                zone.Start();
                break;
            case < 66:
                zone.Jump(TimeSpan.FromDays(random.Next(-200, 200)));
                break;
            case < 68:
                zone.Policy = zone.Policy with { Algorithm = Algorithms[random.Next(Algorithms.Length)] };
                break;
            case < 70:
                zone.Policy = zone.Policy with { Keys = (KeyScheme)random.Next(2) };
                break;
            case < 72:
                zone.IsOn = random.Next(3) > 0;
                break;
            case < 76:
                zone.Want(random.Next(2) == 0, random.Next(2) == 0);
                break;
            case < 80:
                zone.ParentTakes = TimeSpan.FromDays(random.Next(1, 120));
                break;
            case < 82:
                zone.LongestTtl = TimeSpan.FromHours(random.Next(1, 72));
                break;
            case < 84:
                zone.DsTtl = TimeSpan.FromHours(random.Next(1, 72));
                break;
        }
    }
}
