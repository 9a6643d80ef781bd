namespace Dns.Dnssec.Tests;

/// <summary>Signatures that are due are replaced in steps, and no others.</summary>
public sealed class SignatureRefreshTests
{
    [Theory]
    [InlineData("nsec"), InlineData("nsec3")]
    public void Steps_of_a_round_replace_all_that_is_due_a_bounded_number_at_a_time(string denial)
    {
        SigningPlan plan = Plans.OneKey(Plans.Denial(denial));
        Zone signed = ZoneSigner.SignWhole(WholeSigningTests.Many(200), plan, Plans.Now).Zone!;
        DateTimeOffset now = Plans.Now + plan.SignatureLifetime - plan.RefreshBefore;
        RefreshRound round = new();
        int steps = 0;
        SigningResult step;
        do
        {
            step = ZoneSigner.Refresh(signed, plan, now, budget: 50, round);
            Assert.True(step.IsSigned, step.Error);
            Assert.InRange(step.SignaturesMade, 0, 55);
            if (step.Delta is { } delta)
                Assert.Equal(SignedZoneText.Of(ZoneEditor.From(signed).Apply(delta).Zone!),
                    SignedZoneText.Of(step.Zone));
            signed = step.Zone;
            steps++;
        }
        while (!step.IsRoundComplete);
        Assert.InRange(steps, 8, 12);
        SignedZoneText.AssertGood(signed, now);
        Assert.All(SignedZoneText.Expirations(signed),
            end => Assert.True(end > RrsigFields.SecondsOf(now + plan.RefreshBefore)));
        DateTimeOffset first = RrsigFields.TimeOf(SignedZoneText.Expirations(signed).Min(), now) - plan.RefreshBefore;
        Assert.Equal(first, step.NextRefresh);
    }

    [Fact]
    public void What_is_not_due_stays_and_the_moment_of_the_next_is_known()
    {
        SigningPlan plan = Plans.OneKey();
        SigningResult whole = ZoneSigner.SignWhole(WholeSigningTests.Many(20), plan, Plans.Now);
        SigningResult step = ZoneSigner.Refresh(whole.Zone!, plan, Plans.Now.AddDays(1), 100, new RefreshRound());
        Assert.Same(whole.Zone, step.Zone);
        Assert.Null(step.Delta);
        Assert.Equal(0, step.SignaturesMade);
        Assert.True(step.IsRoundComplete);
        Assert.Equal(whole.NextRefresh, step.NextRefresh);
    }

    [Fact]
    public void A_year_of_refreshing_leave_no_signature_that_has_ended_and_keep_ZONEMD_good()
    {
        SigningPlan plan = Plans.OneKey(DenialPlan.Nsec3) with { Zonemd = true };
        SigningResult last = ZoneSigner.SignWhole(WholeSigningTests.Source(), plan, Plans.Now);
        DateTimeOffset now = Plans.Now;
        for (int i = 0; i < 1000; i++)
        {
            // The service checks at the returned time.
            Assert.NotNull(last.NextRefresh);
            Assert.True(last.NextRefresh > now);
            now = last.NextRefresh.Value;
            last = ZoneSigner.Refresh(last.Zone!, plan, now, 1000, new RefreshRound());
            Assert.True(last.IsSigned, last.Error);
            Assert.True(last.IsRoundComplete);
            if (i % 50 != 0) continue;
            SignedZoneText.AssertGood(last.Zone, now);
            Assert.True(ZonemdCheck.Verify(last.Zone));
        }
        Assert.True(now > Plans.Now.AddDays(300));
    }

    [Fact]
    public void Rounds_are_a_part_of_the_time_of_refreshing_apart_however_many_signatures_there_are()
    {
        SigningPlan plan = Plans.OneKey();
        SigningResult last = ZoneSigner.SignWhole(WholeSigningTests.Many(1000), plan, Plans.Now);
        DateTimeOffset end = Plans.Now + plan.SignatureLifetime;
        int rounds = 0;
        for (DateTimeOffset now = last.NextRefresh!.Value; now < end; now = last.NextRefresh!.Value, rounds++)
        {
            last = ZoneSigner.Refresh(last.Zone!, plan, now, int.MaxValue, new RefreshRound());
            Assert.True(last.NextRefresh > now + plan.RefreshBefore / 33);
        }
        Assert.InRange(rounds, 1, 5);
    }

    [Fact]
    public void The_serial_of_each_step_is_greater()
    {
        SigningPlan plan = Plans.OneKey() with { Serial = SerialPolicy.UnixTime };
        Zone signed = ZoneSigner.SignWhole(WholeSigningTests.Source(), plan, Plans.Now).Zone!;
        DateTimeOffset now = Plans.Now + plan.SignatureLifetime;
        Zone next = ZoneSigner.Refresh(signed, plan, now, 1000, new RefreshRound()).Zone!;
        Assert.Equal((uint)now.ToUnixTimeSeconds(), next.Serial);
        Assert.True(SerialNumber.IsGreater(next.Serial, signed.Serial));
    }
}
