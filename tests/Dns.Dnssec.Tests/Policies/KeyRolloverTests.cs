namespace Dns.Dnssec.Tests;

/// <summary>
/// When keys come, sign and go. TTLs: DNSKEY 100 s, the longest 1000 s, DS 3000 s; servers follow in 10 s, the parent's
/// in 20 s; safety 5 s.
/// </summary>
public sealed class KeyRolloverTests
{
    private static readonly DnssecPolicy Csk = DnssecPolicy.Default with
    {
        PropagationDelay = TimeSpan.FromSeconds(10),
        ParentPropagationDelay = TimeSpan.FromSeconds(20),
        RetireSafety = TimeSpan.FromSeconds(5),
    };

    private static readonly DnssecPolicy Split =
        Csk with { Keys = KeyScheme.KskAndZsk, ZskLifetime = TimeSpan.FromSeconds(50_000) };

    private static TimelineRun Established(DnssecPolicy policy)
    {
        TimelineRun run = new TimelineRun(policy).Settle();
        run.Wait(1010).SettleParent();
        run.Wait(10_000);
        run.Events.Clear();
        return run;
    }

    [Fact]
    public void The_DS_record_of_a_zone_that_was_unsigned_waits_until_no_cache_has_it_unsigned()
    {
        TimelineRun run = new TimelineRun(Csk).Settle();
        Assert.Equal(["0 key 1 is published", "0 key 1 signs the zone"], run.Events);
        Assert.False(run.Last.Plan.Cds.Count > 0);
        run.Next();
        Assert.Equal("1010 CDS and CDNSKEY request the DS record of key 1", run.Events[^1]);
        Assert.Equal([1], run.Last.Plan.Cds.Select(id => (int)id.Tag));
        Assert.Equal((1, KeyState.Ready), (run.Notifications, run.StateOf(1)));
    }

    [Fact]
    public void What_was_in_the_zone_before_it_was_signed_first_is_waited_for_by_the_TTLs_that_are_known_then()
    {
        TimelineRun run = new(Csk) { Served = ServedKeys.Unsigned };
        run.Settle().Next();
        Assert.Equal("1010 CDS and CDNSKEY request the DS record of key 1", run.Events[^1]);
    }

    [Fact]
    public void A_rollover_that_was_requested_ends_with_signing()
    {
        TimelineRun run = Established(Split);
        run.Keys = run.Keys with
        {
            WantsKsk = true, WantsZsk = true, WantedAlgorithm = DnssecAlgorithm.Ed25519,
            PolicyAlgorithm = Split.Algorithm,
        };
        run.Policy = null;
        run.Settle();
        Assert.Equal((false, false, null),
            (run.Keys.WantsKsk, run.Keys.WantsZsk, run.Keys.WantedAlgorithm));
        run.Policy = Split;
        run.Settle();
        Assert.DoesNotContain(run.Events, line => line.Contains("rolls over", StringComparison.Ordinal));
    }

    [Fact]
    public void An_algorithm_that_a_zone_has_by_request_stays_while_its_keys_do()
    {
        TimelineRun run = Established(Split);
        run.Keys = run.Keys with { WantedAlgorithm = Split.Algorithm, PolicyAlgorithm = DnssecAlgorithm.Ed25519 };
        run.Policy = null;
        run.Settle();
        Assert.Equal(Split.Algorithm, run.Keys.WantedAlgorithm);
        run.SettleParent();
        run.Wait(100_000);
        Assert.All(run.Keys.Keys, key => Assert.True(key.IsRemoved));
        Assert.Equal((null, null), (run.Keys.WantedAlgorithm, run.Keys.PolicyAlgorithm));
    }

    [Fact]
    public void The_old_key_stays_while_the_parent_has_lost_its_DS_records()
    {
        TimelineRun run = Established(Csk);
        run.Keys = run.Keys with { WantsKsk = true };
        run.Settle();
        for (int i = 0; i < 3; i++) run.Wait(2000);
        Assert.Equal([2], run.Keys.WantedDs.Select(id => (int)id.Tag));
        TimeSpan ttl = TimeSpan.FromSeconds(3000);
        KeyIds old = KeyIds.Of(run.Keys.Keys[0].Id);
        for (int i = 0; i < 2; i++)
        {
            run.Settle(new ParentDs(KeyIds.None, ttl));
            for (int day = 0; day < 9; day++) run.Wait(86_400);
            Assert.Equal(2, run.Last.Plan.Published.Count);
            // Put back as it was.
            run.Settle(new ParentDs(old, ttl)).Wait(10_000);
            Assert.Equal(2, run.Last.Plan.Published.Count);
        }
        run.Settle(new ParentDs(KeyIds.None, ttl)).Wait(10_000);
        run.SettleParent();
        run.Wait(10_000);
        Assert.Equal([2], run.Last.Plan.Published.Select(id => (int)id.Tag));
        // Asked for, their removal is final.
        run.Policy = null;
        run.Settle();
        run.SettleParent();
        run.Wait(10_000);
        Assert.Empty(run.Last.Plan.Published);
    }

    [Fact]
    public void A_rollover_of_keys_of_another_server_waits_for_no_DS_record_that_is_not_requested_yet()
    {
        TimelineRun run = Established(Csk);
        // As after an import: the parent has the DS record, and none was requested here.
        run.Keys = run.Keys with { WantedDs = KeyIds.None, SeenDs = null, WantsKsk = true };
        run.Settle();
        Assert.Contains(run.Last.Waits,
            wait => wait is { Action: KeyAction.Remove, For.Kind: KeyConditionKind.EarlierSteps });
        Assert.DoesNotContain(run.Last.Waits, wait => wait.For is { Kind: KeyConditionKind.DsAtParent, Keys.Count: 0 });
    }

    [Fact]
    public void CDS_is_there_until_the_DS_record_is_at_the_parent()
    {
        TimelineRun run = new TimelineRun(Csk).Settle().Next();
        Assert.Contains(run.Last.Waits, wait => KeyText.Of(wait.For) == "the DS record of key 1 at the parent");
        run.Wait(1_000_000);
        Assert.Single(run.Last.Plan.Cds);
        run.SettleParent();
        Assert.Equal((0, KeyState.Active, 1), (run.Last.Plan.Cds.Count, run.StateOf(1), run.Notifications));
    }

    [Fact]
    [Trait("RFC", "7583 3.2.1")]
    public void A_ZSK_is_published_before_it_signs_and_stays_until_no_cache_has_a_signature_of_it()
    {
        TimelineRun run = Established(Split with { ZskLifetime = TimeSpan.FromSeconds(50_000) });
        run.Next();
        // 110 s before the lifetime ends: TTL of DNSKEY and propagation.
        Assert.Equal(["49890 key 013+00002 (zsk) rolls over", "49890 key 3 is published"], run.Events);
        Assert.Equal((KeyState.Retired, KeyState.Published), (run.StateOf(2), run.StateOf(3)));
        run.RenewsLater = true;
        run.Next();
        Assert.Equal("50000 key 3 signs the zone instead of key 2", run.Events[^1]);
        run.Wait(20_000);
        Assert.Contains(run.Last.Waits,
            wait => KeyText.Of(wait.Action) == "remove"
                && KeyText.Of(wait.For) == "the last signatures of key 2 to be renewed");
        run.RenewSignatures();
        Assert.Equal(TimeSpan.FromSeconds(70_000), run.Elapsed);
        run.Next();
        Assert.Equal("71015 key 2 is taken out of the zone", run.Events[^1]);
        run.Next();
        Assert.Equal("71130 key 2 is not used any more", run.Events[^1]);
    }

    [Fact]
    [Trait("RFC", "7583 3.2.1")]
    public void A_ZSK_signs_as_soon_as_all_caches_know_it_and_not_a_second_before()
    {
        TimelineRun run = Established(Split);
        run.Next();
        run.Wait(109);
        Assert.EndsWith(" is published", run.Events[^1]);
        run.Wait(1);
        Assert.Equal("50000 key 3 signs the zone instead of key 2", run.Events[^1]);
    }

    [Fact]
    public void A_key_set_of_an_offline_KSK_waits_until_no_cache_needs_the_keys_that_it_lacks()
    {
        TimelineRun run = new(Split with { OfflineKsk = true })
        {
            Slots =
            [
                TimelineRun.SlotOf(0, 1_000_000, 2), TimelineRun.SlotOf(10_000, 1_000_000, 2, 3),
                TimelineRun.SlotOf(10_010, 1_000_000, 3),
            ],
        };
        run.Settle();
        Assert.Equal(0.0, run.Slot);
        run.Wait(10_000).Wait(109);
        Assert.Equal(10_000.0, run.Slot);
        Assert.Equal("10000 key 3 is published", run.Events[^1]);
        run.Wait(1);
        Assert.Equal("10110 key 3 signs the zone instead of key 2", run.Events[^1]);
        run.Wait(1014);
        Assert.Equal(10_000.0, run.Slot);
        run.Wait(1);
        Assert.Equal(10_010.0, run.Slot);
        Assert.Equal("11125 key 2 is taken out of the zone", run.Events[^1]);
    }

    [Fact]
    public void A_key_set_that_has_ended_is_not_taken()
    {
        TimelineRun run = new(Split with { OfflineKsk = true })
        {
            Slots = [TimelineRun.SlotOf(0, 5000, 2), TimelineRun.SlotOf(4000, 9000, 2)],
        };
        run.Settle();
        run.Wait(9000);
        Assert.Equal(0.0, run.Slot);
        Assert.StartsWith("the signatures of its KSK ended at", KeyText.Of(run.Last.Fault!));
    }

    [Fact]
    [Trait("RFC", "7583 3.3.1")]
    public void A_KSK_stays_until_the_DS_record_of_the_next_one_was_seen_and_no_cache_has_the_old_one()
    {
        TimelineRun run = Established(Split);
        run.Keys = run.Keys with { WantsKsk = true };
        run.Settle();
        run.Next();
        Assert.Equal("11120 CDS and CDNSKEY request the DS record of key 3", run.Events[^1]);
        Assert.Equal([1, 3], run.Last.Plan.KeySigners.Select(id => (int)id.Tag));
        run.Wait(20_000);
        Assert.Equal([1, 2, 3], run.Last.Plan.Published.Select(id => (int)id.Tag));
        Assert.Contains(run.Last.Waits,
            wait => KeyText.Of(wait.Action) == "remove"
                && KeyText.Of(wait.For) == "the DS record of key 3 at the parent");
        run.SettleParent();
        Assert.Equal((KeyState.Retired, KeyState.Active), (run.StateOf(1), run.StateOf(3)));
        run.Next();
        Assert.Equal("34145 key 1 is taken out of the zone", run.Events[^1]);
        Assert.Equal([3], run.Last.Plan.KeySigners.Select(id => (int)id.Tag));
    }

    [Fact]
    public void The_DS_record_of_the_old_key_beside_the_new_one_keeps_the_old_key_in_no_cache()
    {
        TimelineRun run = Established(Split);
        run.Keys = run.Keys with { WantsKsk = true };
        run.Settle();
        run.Next();
        KeyIds both = run.Keys.WantedDs.With(run.Keys.SeenDs!);
        run.Settle(new ParentDs(both, TimeSpan.FromSeconds(3000)));
        // CDS still requests the new one alone.
        Assert.Equal([3], run.Last.Plan.Cds.Select(id => (int)id.Tag));
        run.Wait(4000);
        Assert.DoesNotContain(run.Keys.Published, id => id.Tag == 1);
    }

    [Theory]
    [InlineData(int.MaxValue)]
    [InlineData(1L << 31)]
    [Trait("RFC", "8767 4")]
    public void A_DS_record_is_waited_for_seven_days_at_most_whatever_its_TTL(long seconds)
    {
        TimelineRun run = Established(Split with { ZskLifetime = TimeSpan.FromDays(90) });
        // One wrong answer.
        run.Settle(new ParentDs(run.Keys.WantedDs, TimeSpan.FromSeconds(seconds)));
        run.Keys = run.Keys with { WantsKsk = true };
        run.Settle();
        run.Next().SettleParent();
        run.Wait(7 * 86_400 + 24);
        Assert.Contains(run.Keys.Published, id => id.Tag == 1);
        run.Wait(1);
        Assert.DoesNotContain(run.Keys.Published, id => id.Tag == 1);
    }

    [Fact]
    public void A_longer_TTL_of_a_DS_record_in_a_stored_state_ends_with_the_next_answer()
    {
        TimelineRun run = Established(Split);
        TimeSpan years = TimeSpan.FromSeconds(int.MaxValue);
        ZoneKeys before = run.Keys with
        {
            DsTtl = years, DsSets = [.. run.Keys.DsSets.Select(set => set with { Ttl = years })],
        };
        string text = KeyStateText.Format(before);
        Assert.True(KeyStateText.TryRead(text, out ZoneKeys? read, out TextFault? fault), $"{fault}");
        run.Keys = read;
        run.SettleParent();
        Assert.Equal(TimeSpan.FromDays(7), run.Keys.DsTtl);
        Assert.All(run.Keys.DsSets, set => Assert.Equal(TimeSpan.FromDays(7), set.Ttl));
    }

    [Fact]
    public void A_longer_TTL_of_the_zone_in_a_stored_state_counts_as_seven_days()
    {
        TimelineRun run = Established(Split);
        TimeSpan years = TimeSpan.FromSeconds(int.MaxValue);
        CachedSet[] Lengthened(IReadOnlyList<CachedSet> sets) => [.. sets.Select(set => set with { Ttl = years })];
        ZoneKeys before = run.Keys with
        {
            KeySets = Lengthened(run.Keys.KeySets), SignerSets = Lengthened(run.Keys.SignerSets),
        };
        string text = KeyStateText.Format(before);
        Assert.True(KeyStateText.TryRead(text, out ZoneKeys? read, out TextFault? fault), $"{fault}");
        run.Keys = read;
        run.Settle();
        Assert.NotEmpty(run.Keys.SignerSets);
        Assert.All(run.Keys.KeySets.Concat(run.Keys.SignerSets),
            set => Assert.Equal(TimeSpan.FromDays(7), set.Ttl));
    }

    [Fact]
    [Trait("RFC", "6781 4.1.4")]
    public void An_algorithm_rolls_over_by_signatures_then_keys_then_DS_and_back()
    {
        TimelineRun run = Established(Csk);
        run.Policy = Csk with { Algorithm = DnssecAlgorithm.Ed25519 };
        run.Settle();
        Assert.Equal("13, 13 15", Algorithms(run));
        Assert.Contains(run.Last.Waits,
            wait => wait is { Action: KeyAction.EndSigning, At: null, For.Kind: KeyConditionKind.EarlierSteps });
        run.Next();
        Assert.Equal("13 15, 13 15", Algorithms(run));
        run.Next();
        Assert.Equal("CDS and CDNSKEY request the DS record of key 2", run.Events[^1][6..]);
        run.SettleParent();
        run.Next();
        Assert.Equal("15, 13 15", Algorithms(run));
        run.Next();
        Assert.Equal("15, 15", Algorithms(run));
        Assert.Equal(
            [
                "11010 key 2 signs the zone", "12020 key 2 is published",
                "12130 CDS and CDNSKEY request the DS record of key 2",
                "12130 the parent has the DS record of key 2", "15155 key 1 is taken out of the zone",
                "15270 key 1 does not sign the zone any more",
            ],
            run.Events);
    }

    private static string Algorithms(TimelineRun run) =>
        $"{string.Join(' ', run.Last.Plan.Published.Algorithms.Select(a => (int)a))}, " +
            $"{string.Join(' ', run.Last.Plan.ZoneSigners.Algorithms.Select(a => (int)a))}";

    [Fact]
    public void A_CSK_becomes_KSK_and_ZSK_when_the_policy_says_so()
    {
        TimelineRun run = Established(Csk);
        run.Policy = Split with { ZskLifetime = TimeSpan.Zero };
        run.Settle();
        Assert.Equal((3, 1), (run.Last.Plan.Published.Count, run.Last.Plan.ZoneSigners.Count));
        run.Next().SettleParent();
        while (run.Keys.Keys.Any(key => key is { IsRetiring: true, IsRemoved: false })) run.Next();
        Assert.Equal([KeyRole.Csk, KeyRole.Ksk, KeyRole.Zsk], run.Keys.Keys.Select(key => key.Role));
        Assert.Equal([KeyState.Removed, KeyState.Active, KeyState.Active],
            run.Keys.Keys.Select(key => KeyStates.Of(run.Keys, key)));
    }

    [Fact]
    public void A_lifetime_alone_does_not_roll_over_a_key_whose_DS_record_was_never_seen()
    {
        TimelineRun run = new TimelineRun(Csk with { KskLifetime = TimeSpan.FromSeconds(5000) }).Settle();
        run.Wait(100_000);
        Assert.Single(run.Keys.Keys);
        run.SettleParent();
        Assert.Equal(2, run.Keys.Keys.Count);
    }

    [Fact]
    public void One_rollover_ends_before_the_next_one_of_its_kind_begins()
    {
        TimelineRun run = Established(Csk);
        for (int i = 0; i < 50; i++)
        {
            run.Keys = run.Keys with { WantsKsk = true };
            run.Wait(10_000);
        }
        Assert.Equal(2, run.Keys.Published.Count);
    }

    [Fact]
    public void Policies_that_change_all_the_time_do_not_make_keys_without_bound()
    {
        TimelineRun run = Established(Csk);
        for (int i = 0; i < 100; i++)
        {
            run.Policy =
                Csk with { Algorithm = i % 2 == 0 ? DnssecAlgorithm.Ed25519 : DnssecAlgorithm.EcdsaP384Sha384 };
            run.Wait(10);
        }
        Assert.InRange(run.Keys.Keys.Count, 2, KeyRollover.MaxKeys);
    }

    [Fact]
    public void An_operator_chooses_an_algorithm_until_the_policy_has_another_one()
    {
        TimelineRun run = Established(Csk);
        run.Keys = run.Keys with { WantedAlgorithm = DnssecAlgorithm.Ed25519, PolicyAlgorithm = Csk.Algorithm };
        run.Settle();
        Assert.Equal(DnssecAlgorithm.Ed25519, run.Keys.Keys[^1].Id.Algorithm);
        run.Policy = Csk with { Algorithm = DnssecAlgorithm.EcdsaP384Sha384 };
        run.Settle();
        Assert.Null(run.Keys.WantedAlgorithm);
        Assert.Equal(DnssecAlgorithm.EcdsaP384Sha384, run.Keys.Keys[^1].Id.Algorithm);
    }

    [Fact]
    [Trait("RFC", "8078 4")]
    public void A_zone_is_signed_until_its_DS_record_is_gone_from_all_caches()
    {
        TimelineRun run = Established(Csk);
        run.Policy = null;
        run.Settle();
        Assert.True(run.Last.Plan is { IsSigned: true, IsCdsDelete: true });
        Assert.Equal(2, run.Notifications);
        run.Wait(100_000);
        Assert.True(run.Last.Plan.IsSigned);
        run.SettleParent();
        Assert.False(run.Last.Plan.IsCdsDelete);
        double since = run.Elapsed.TotalSeconds;
        run.Next();
        Assert.False(run.Last.Plan.IsSigned);
        // The delays are those of the policy that was taken away.
        TimeSpan delay = (Csk.ParentPropagationDelay ?? Csk.PropagationDelay) + Csk.RetireSafety;
        Assert.Equal(since + 3000 + delay.TotalSeconds, run.Elapsed.TotalSeconds);
    }

    [Fact]
    public void A_zone_without_DS_record_is_unsigned_at_once()
    {
        TimelineRun run = new TimelineRun(Csk).Settle();
        run.Policy = null;
        run.Settle();
        Assert.False(run.Last.Plan.IsSigned);
    }

    [Fact]
    public void What_was_served_for_less_than_its_time_is_waited_for_again()
    {
        TimelineRun run = Established(Split);
        run.Keys = run.Keys with { WantsZsk = true };
        run.Settle();
        ServedKeys fresh = run.Served;
        // The servers go back to a version without the key: a crash before it was written.
        run.Served = run.Served with { Keys = run.Served.Keys.Without([run.Keys.Keys[^1].Id]) };
        KeyRollover.Step(run.Policy, run.Keys, new ZoneFacts(run.Served), run.Now);
        run.Set(50);
        run.Keys = KeyRollover.Step(run.Policy, run.Keys, new ZoneFacts(run.Served), run.Now).Keys;
        run.Served = fresh;
        run.Settle();
        DateTimeOffset begin = run.Now;
        run.Next();
        Assert.Equal((110, true), ((run.Now - begin).TotalSeconds, run.Events[^1].Contains("signs the zone")));
    }

    [Theory]
    [InlineData(1_000_000)]
    [InlineData(-1_000_000)]
    public void A_clock_that_is_set_while_the_server_runs_moves_what_is_waited_for(double seconds)
    {
        TimelineRun run = Established(Split);
        run.Keys = run.Keys with { WantsZsk = true };
        run.Settle();
        run.Set(60);
        run.Settle();
        run.Set(seconds);
        run.Settle(jump: TimeSpan.FromSeconds(seconds));
        Assert.Equal(50, (run.Last.Next!.Value - run.Now).TotalSeconds);
    }

    [Fact]
    public void A_clock_that_was_set_back_while_the_server_was_down_makes_it_wait_no_longer_than_once_more()
    {
        TimelineRun run = Established(Split);
        run.Keys = run.Keys with { WantsKsk = true };
        run.Settle();
        run.Set(-1_000_000);
        run.Settle();
        Assert.Equal(110, (run.Last.Next!.Value - run.Now).TotalSeconds);
    }

    [Fact]
    public void The_state_is_the_same_after_it_was_written_and_read()
    {
        TimelineRun run = Established(Split);
        run.Keys = run.Keys with { WantsZsk = true, WantedAlgorithm = DnssecAlgorithm.RsaSha512,
            PolicyAlgorithm = Csk.Algorithm };
        string text = KeyStateText.Format(run.Settle().Keys);
        Assert.True(KeyStateText.TryRead(text, out ZoneKeys? read, out TextFault? fault), $"{fault}");
        Assert.Equal(text, KeyStateText.Format(read));
        Assert.Equal(KeyRollover.PlanOf(run.Keys), KeyRollover.PlanOf(read));
    }

    [Fact]
    public void A_state_that_is_cut_or_changed_anywhere_is_told()
    {
        string text = KeyStateText.Format(Established(Split).Keys);
        for (int i = 0; i < text.Length; i++)
        {
            Assert.False(KeyStateText.TryRead(text[..i], out _, out TextFault? fault) || fault.ToString().Length == 0);
            Assert.False(KeyStateText.TryRead($"{text[..i]}{(char)(text[i] ^ 1)}{text[(i + 1)..]}", out _, out _));
        }
    }
}
