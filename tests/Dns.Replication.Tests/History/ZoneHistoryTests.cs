using Dns.Testing;

namespace Dns.Replication.Tests;

/// <summary>Which changes of zones are kept, and the bounds.</summary>
public sealed class ZoneHistoryTests
{
    private readonly ChangingZone _zone = new();
    private readonly ZoneHistory _history = new();

    public ZoneHistoryTests() => _history.Follow(_zone.Registry);

    [Fact]
    public void The_changes_from_each_version_to_the_latest_are_known()
    {
        PublishMany(1, 5);
        for (uint from = 1; from < 5; from++)
            Assert.Equal(
                Enumerable.Range((int)from, (int)(5 - from)).Select(serial => ((uint)serial, (uint)serial + 1)),
                Find(from)!.Deltas.Select(delta => (delta.SerialFrom, delta.SerialTo)));
        Assert.Null(Find(0));
        Assert.Null(Find(5));
        Assert.Null(Find(6));
    }

    [Fact]
    public void The_changes_lead_to_the_version_that_was_asked_for()
    {
        PublishMany(1, 3);
        Zone asked = _zone.Slot.Zone!;
        PublishMany(4, 6);
        Assert.True(_history.TryFind(_zone.Slot, asked, 1, out ZoneChanges? changes));
        Assert.Equal(3u, changes.Deltas[^1].SerialTo);
    }

    [Fact]
    public void The_search_ends_at_the_longest_changes_that_are_wanted()
    {
        Zone now = PublishMany(1, 6);
        long octets = Find(4)!.Octets;
        Assert.True(_history.TryFind(_zone.Slot, now, 4, out _, octets));
        Assert.False(_history.TryFind(_zone.Slot, now, 4, out _, octets - 1));
        Assert.False(_history.TryFind(_zone.Slot, now, 1, out _, octets));
    }

    [Fact]
    public void Who_finds_a_version_finds_its_changes()
    {
        PublishMany(1, 1);
        bool isFound = false;
        _zone.Registry.VersionPublished += (slot, change) =>
            isFound = _history.TryFind(slot, slot.Zone!, change.Before!.Serial, out _);
        PublishMany(2, 2);
        Assert.True(isFound);
    }

    [Fact]
    public void Applied_one_after_the_other_the_changes_make_the_latest_version()
    {
        Zone first = PublishMany(1, 1);
        PublishMany(2, 9);
        Zone made = first;
        foreach (ZoneDelta delta in Find(1)!.Deltas) made = ZoneEditor.From(made).Apply(delta).Zone!;
        Assert.Equal(ChangingZone.TextOf(_zone.Slot.Zone!), ChangingZone.TextOf(made));
    }

    [Fact]
    public void A_version_without_a_known_delta_ends_the_history()
    {
        PublishMany(1, 3);
        _zone.Slot.Publish(ChangingZone.Load(4, ChangingZone.Bulk()));
        Assert.Equal((null, 0L, 0), (Find(3), _history.Bytes, _history.ZoneCount));
        PublishMany(5, 6);
        Assert.Null(Find(3));
        Assert.Equal(2, Find(4)!.Deltas.Count);
    }

    [Theory]
    [InlineData(3u)]
    [InlineData(2u)]
    [InlineData(3u + 0x8000_0000)]
    [InlineData(3u + 0x8000_0001)]
    [Trait("RFC", "1982 §3.2")]
    public void A_serial_that_stays_or_goes_back_ends_the_history(uint serial)
    {
        PublishMany(1, 3);
        _zone.Publish(serial, ChangingZone.Bulk(), "other A 192.0.2.7");
        Assert.Equal((null, null, 0), (Find(1), Find(2), _history.ZoneCount));
    }

    [Fact]
    public void There_are_no_changes_from_a_serial_that_was_served_with_two_contents()
    {
        PublishMany(1, 3);
        _zone.Publish(3, ChangingZone.Bulk(), "other A 192.0.2.7");
        _zone.Publish(4, ChangingZone.Bulk(), "other A 192.0.2.7");
        Assert.Null(Find(3));
        _zone.Publish(5, ChangingZone.Bulk(), "another A 192.0.2.7");
        Assert.Equal((null, 1), (Find(3), Find(4)?.Deltas.Count));
    }

    [Fact, Trait("RFC", "1982 §3.2")]
    public void A_serial_that_goes_round_is_a_version_like_others()
    {
        _zone.Publish(uint.MaxValue, ChangingZone.Bulk());
        _zone.Publish(1, ChangingZone.Bulk(), "a A 192.0.2.7");
        Assert.Equal((uint.MaxValue, 1u),
            (Find(uint.MaxValue)!.Deltas[0].SerialFrom, Find(uint.MaxValue)!.Deltas[0].SerialTo));
    }

    [Fact]
    public void A_gap_between_two_serials_is_no_gap_in_the_history()
    {
        _zone.Publish(1, ChangingZone.Bulk());
        _zone.Publish(1000, ChangingZone.Bulk(), "a A 192.0.2.7");
        _zone.Publish(70_000, ChangingZone.Bulk(), "a A 192.0.2.8");
        Assert.Equal(2, Find(1)!.Deltas.Count);
        Assert.Null(Find(500));
    }

    [Fact]
    public void A_delta_of_other_serials_than_those_of_its_versions_ends_the_history()
    {
        PublishMany(1, 2);
        Zone other = ChangingZone.Load(7, ChangingZone.Bulk());
        _zone.Slot.Publish(ChangingZone.Load(3, ChangingZone.Bulk()),
            delta: ZoneDelta.Between(_zone.Slot.Zone!, other));
        Assert.Null(Find(2));
    }

    [Fact]
    public void A_version_that_expired_has_no_history_when_it_comes_back()
    {
        PublishMany(1, 3);
        _zone.Slot.Expire("too old");
        _zone.Publish(4, ChangingZone.Bulk());
        Assert.Null(Find(3));
    }

    [Fact]
    public void A_zone_that_is_served_no_more_has_no_history()
    {
        PublishMany(1, 3);
        _zone.Registry.Change(_zone, [_zone.Slot], []);
        Assert.Equal((0L, 0), (_history.Bytes, _history.ZoneCount));
    }

    [Fact]
    public void A_claim_that_waits_for_another_has_no_history()
    {
        ChangingZone waiting = new();
        ZoneSlot slot = new(_zone.Slot.Name) { Precedence = ZonePrecedence.BuiltIn };
        _zone.Registry.Change(waiting, [], [slot]);
        Zone one = ChangingZone.Load(1, ChangingZone.Bulk()), two = ChangingZone.Load(2, ChangingZone.Bulk());
        slot.Publish(one);
        slot.Publish(two, delta: ZoneDelta.Between(one, two));
        Assert.Equal(0, _history.ZoneCount);
    }

    [Fact]
    public void Of_a_zone_no_more_is_kept_than_its_transfer_takes()
    {
        PublishMany(1, 200);
        ZoneChanges? oldest = null;
        uint from = 1;
        for (; oldest is null; from++) oldest = Find(from);
        Assert.InRange(oldest.Octets, oldest.ZoneOctets / 2, oldest.ZoneOctets - 1);
        Assert.InRange(oldest.Deltas.Count, 5, 190);
    }

    [Fact]
    public void A_change_as_large_as_the_zone_is_not_kept()
    {
        _zone.Publish(1, ChangingZone.Bulk());
        _zone.Publish(2, "$GENERATE 1-200 other-$ A 192.0.2.9");
        Assert.Equal((null, 0L, 0), (Find(1), _history.Bytes, _history.ZoneCount));
    }

    [Fact]
    public void Zones_that_changed_least_recently_lose_their_history_first()
    {
        ZoneHistory small = new(maxBytes: 12_000);
        small.Follow(_zone.Registry);
        PublishMany(1, 4);
        Assert.True(small.TryFind(_zone.Slot, _zone.Slot.Zone!, 1, out _));
        long before = small.Bytes;
        PublishMany(5, 60);
        Assert.InRange(small.Bytes, before, 12_000);
        Assert.False(small.TryFind(_zone.Slot, _zone.Slot.Zone!, 4, out _));
        Assert.True(small.TryFind(_zone.Slot, _zone.Slot.Zone!, 58, out _));
    }

    [Fact]
    public void Another_zone_that_changes_takes_the_room_of_a_quiet_one()
    {
        ZoneHistory small = new(maxBytes: 12_000);
        small.Follow(_zone.Registry);
        PublishMany(1, 4);
        ZoneSlot busy = new(DomainName.Parse("busy.test"));
        _zone.Registry.Change(_zone, [], [busy]);
        Zone zone = Busy(1);
        busy.Publish(zone);
        for (uint serial = 2; serial < 40; serial++)
        {
            Zone next = Busy(serial);
            busy.Publish(next, delta: ZoneDelta.Between(busy.Zone!, next));
        }
        Assert.Equal(1, small.ZoneCount);
        Assert.False(small.TryFind(_zone.Slot, _zone.Slot.Zone!, 3, out _));
        Assert.True(small.TryFind(busy, busy.Zone!, 38, out _));
        Assert.InRange(small.Bytes, 1, 12_000);

        static Zone Busy(uint serial) => Testing.ZoneText.Load(
            "busy.test",
            $"$TTL 60\n@ SOA ns h {serial} 1 1 1 1\n@ NS ns.example.\na{serial} A 192.0.2.1\n{ChangingZone.Bulk()}");
    }

    [Fact]
    public void Changes_from_elsewhere_are_followed_by_those_that_come()
    {
        List<ZoneDelta> stored = Deltas(1, 4);
        PublishMany(4, 4);
        _history.Seed(_zone.Slot, stored);
        Assert.Equal(3, Find(1)!.Deltas.Count);
        PublishMany(5, 6);
        Assert.Equal(5, Find(1)!.Deltas.Count);
        Assert.Equal(3, Find(3)!.Deltas.Count);
    }

    [Fact]
    public void Of_changes_from_elsewhere_those_count_that_lead_to_the_version()
    {
        PublishMany(4, 4);
        _history.Seed(_zone.Slot, Deltas(5, 7));
        Assert.Equal(0, _history.ZoneCount);
        _history.Seed(_zone.Slot, [.. Deltas(1, 2), .. Deltas(3, 4)]);
        Assert.Null(Find(1));
        Assert.NotNull(Find(3));
    }

    [Fact]
    public void The_difference_from_a_saved_version_follows_the_stored_changes()
    {
        List<ZoneDelta> stored = Deltas(1, 3);
        PublishMany(3, 3);
        Zone saved = _zone.Slot.Zone!;
        ZoneSlot slot = new(_zone.Slot.Name);
        PublishMany(5, 5);
        slot.Publish(_zone.Slot.Zone!);
        _history.Continue(slot, saved, stored);
        Assert.True(_history.TryFind(slot, slot.Zone!, 1, out ZoneChanges? changes));
        Assert.Equal((3, 5u), (changes.Deltas.Count, changes.Deltas[^1].SerialTo));
        Assert.True(_history.TryFind(slot, slot.Zone!, 3, out _));
    }

    [Fact]
    public void What_goes_has_the_TTL_that_it_had()
    {
        _zone.Publish(1, ChangingZone.Bulk(), "a 77 A 192.0.2.7");
        ZoneDeltaBuilder change = new(_zone.Slot.Name, 1);
        ReplaceSoa(change, 2);
        change.Remove(Testing.WireOctets.Name("a.z.test"), RRType.A, [192, 0, 2, 7]);
        Apply(change);
        Assert.Contains("a.z.test. 77 a 192.0.2.7", ChangingZone.TextOf(Assert.Single(Find(1)!.Deltas).Removed));
    }

    [Fact, Trait("RFC", "2181 §5.2")]
    public void A_record_that_changes_the_TTL_of_others_takes_them_along()
    {
        _zone.Publish(1, ChangingZone.Bulk(), "a 77 A 192.0.2.7");
        ZoneDeltaBuilder change = new(_zone.Slot.Name, 1);
        ReplaceSoa(change, 2);
        change.Add(Testing.WireOctets.Name("a.z.test"), RRType.A, 11, [192, 0, 2, 8]);
        Apply(change);
        ZoneDelta delta = Assert.Single(Find(1)!.Deltas);
        Assert.Equal(["a.z.test. 77 a 192.0.2.7"],
            ChangingZone.TextOf(delta.Removed).Where(text => text.StartsWith('a')));
        Assert.Equal(
            ["a.z.test. 11 a 192.0.2.7", "a.z.test. 11 a 192.0.2.8"],
            ChangingZone.TextOf(delta.Added).Where(text => text.StartsWith('a')).Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task Readers_beside_a_publisher_find_whole_chains_or_none()
    {
        ZoneHistory small = new(maxBytes: 20_000);
        small.Follow(_zone.Registry);
        PublishMany(1, 2);
        using CancellationTokenSource ended = new();
        Task<long> reading = Task.Run(() =>
        {
            long found = 0;
            while (!ended.IsCancellationRequested || found == 0)
            {
                Zone now = _zone.Slot.Zone!;
                if (!small.TryFind(_zone.Slot, now, now.Serial - 1 - (uint)(found % 8), out ZoneChanges? changes))
                    continue;
                found++;
                if (changes.Deltas[^1].SerialTo != now.Serial) return -1;
                for (int i = 1; i < changes.Deltas.Count; i++)
                    if (changes.Deltas[i].SerialFrom != changes.Deltas[i - 1].SerialTo) return -1;
            }
            return found;
        });
        PublishMany(3, 150);
        ended.Cancel();
        Assert.True(await reading > 0);
    }

    private ZoneChanges? Find(uint fromSerial) =>
        _history.TryFind(_zone.Slot, _zone.Slot.Zone!, fromSerial, out ZoneChanges? changes) ? changes : null;

    private Zone PublishMany(uint first, uint last)
    {
        Zone zone = null!;
        for (uint serial = first; serial <= last; serial++)
            zone = _zone.Publish(serial, ChangingZone.Bulk(), $"a{serial} A 192.0.2.7");
        return zone;
    }

    private static List<ZoneDelta> Deltas(uint first, uint last)
    {
        List<ZoneDelta> deltas = [];
        for (uint serial = first; serial < last; serial++)
            deltas.Add(ZoneDelta.Between(
                ChangingZone.Load(serial, ChangingZone.Bulk(), $"a{serial} A 192.0.2.7"),
                ChangingZone.Load(serial + 1, ChangingZone.Bulk(), $"a{serial + 1} A 192.0.2.7")));
        return deltas;
    }

    private static void ReplaceSoa(ZoneDeltaBuilder change, uint serial)
    {
        ZoneDelta soas = ZoneDelta.Between(ChangingZone.Load(serial - 1), ChangingZone.Load(serial));
        change.Remove(soas.Removed[0].Owner, RRType.SOA, soas.Removed[0].Rdata);
        change.Add(soas.Added[0].Owner, RRType.SOA, soas.Added[0].Ttl, soas.Added[0].Rdata);
    }

    private void Apply(ZoneDeltaBuilder change)
    {
        ZoneDelta delta = change.Build();
        _zone.Slot.Publish(ZoneEditor.From(_zone.Slot.Zone!).Apply(delta).Zone!, delta: delta);
    }
}
