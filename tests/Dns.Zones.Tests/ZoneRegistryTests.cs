using Dns.Testing;
using Xunit;

namespace Dns.Zones.Tests;

public class ZoneRegistryTests
{
    private static readonly DomainName Name = DomainName.Parse("example.test");
    private readonly ZoneRegistry _registry = new(new PublishedZones());
    private readonly List<ZoneRegistryChange> _told = [];
    private readonly Source _settings = new("settings"), _command = new("command"), _directory = new("directory"),
        _builtIn = new("built in");

    public ZoneRegistryTests() => _registry.Changed += _told.Add;

    private static ZoneSlot SlotOf(ZonePrecedence precedence, string name = "example.test") =>
        new(DomainName.Parse(name)) { Precedence = precedence };

    private ZoneSlot Claim(Source source, ZonePrecedence precedence, string name = "example.test")
    {
        ZoneSlot slot = SlotOf(precedence, name);
        _registry.Change(source, [], [slot]);
        return slot;
    }

    private void Withdraw(ZoneSlot slot) => _registry.Change(slot.Source!, [slot], []);

    [Fact]
    public void Each_version_of_a_claim_is_told_before_and_after_it_is_published()
    {
        List<string> told = [];
        _registry.VersionPublishing += (slot, change) =>
            told.Add($"publishing {change.Now.Serial} after {slot.Zone?.Serial}");
        _registry.VersionPublished += (slot, change) => told.Add($"published {slot.Zone?.Serial}");
        ZoneSlot served = Claim(_settings, ZonePrecedence.Settings),
            waiting = Claim(_directory, ZonePrecedence.Directory);
        served.Publish(Version(1));
        waiting.Publish(Version(7));
        served.Publish(Version(2));
        Assert.Equal(["publishing 1 after ", "published 1", "publishing 7 after ", "published 7",
            "publishing 2 after 1", "published 2"], told);
    }

    [Fact]
    public void A_published_version_is_told_with_the_one_before_and_with_its_delta()
    {
        List<ZoneVersionChange> changes = [];
        _registry.VersionPublished += (_, change) => changes.Add(change);
        ZoneSlot slot = Claim(_settings, ZonePrecedence.Settings);
        Zone one = Version(1), two = Version(2);
        ZoneDelta delta = ZoneDelta.Between(one, two);
        slot.Publish(one);
        slot.Publish(two, delta: delta);
        slot.Publish(two);
        slot.Expire("too old");
        slot.Publish(one);
        Assert.Equal([new(null, one, null), new(one, two, delta), new(null, one, null)], changes);
    }

    [Fact]
    public void Versions_of_slots_that_nobody_claims_are_not_told()
    {
        _registry.VersionPublishing += (_, _) => Assert.Fail("it was told");
        _registry.VersionPublished += (_, _) => Assert.Fail("it was told");
        ZoneSlot slot = SlotOf(ZonePrecedence.Settings);
        slot.Publish(Version(1));
        _registry.Change(_settings, [], [slot]);
        Withdraw(slot);
        slot.Publish(Version(2));
    }

    private static Zone Version(uint serial) =>
        ZoneText.Load("example.test", $"@ 60 SOA ns h {serial} 1 1 1 1\n@ 60 NS ns.other.\n");

    [Fact]
    public void The_claim_of_highest_precedence_is_served_in_whatever_order_they_come()
    {
        ZoneSlot directory = Claim(_directory, ZonePrecedence.Directory);
        Assert.Same(directory, _registry.Find(Name));
        ZoneSlot settings = Claim(_settings, ZonePrecedence.Settings);
        Assert.Same(settings, _registry.Find(Name));
        Claim(_command, ZonePrecedence.Command);
        Assert.Same(settings, _registry.Find(Name));
        Assert.Equal(1, _registry.Published.Current.Count);
    }

    [Fact]
    public void A_withdrawn_claim_gives_way_to_the_next_one_and_at_last_to_none()
    {
        ZoneSlot directory = Claim(_directory, ZonePrecedence.Directory),
            settings = Claim(_settings, ZonePrecedence.Settings);
        ZoneSlot command = Claim(_command, ZonePrecedence.Command);
        Withdraw(settings);
        Assert.Same(directory, _registry.Find(Name));
        Withdraw(directory);
        Assert.Same(command, _registry.Find(Name));
        Withdraw(command);
        Assert.Null(_registry.Find(Name));
        Assert.Empty(_registry.Conflicts);
    }

    [Fact]
    public void A_claim_that_is_not_served_can_be_withdrawn()
    {
        ZoneSlot directory = Claim(_directory, ZonePrecedence.Directory),
            settings = Claim(_settings, ZonePrecedence.Settings);
        Withdraw(directory);
        Assert.Empty(_registry.Conflicts);
        Withdraw(settings);
        Assert.Null(_registry.Find(Name));
    }

    [Fact]
    public void Of_equal_claims_the_older_one_is_served()
    {
        Source third = new("third");
        ZoneSlot first = Claim(_directory, ZonePrecedence.Other), second = Claim(_command, ZonePrecedence.Other);
        ZoneSlot last = Claim(third, ZonePrecedence.Other), above = Claim(_settings, ZonePrecedence.Settings);
        Withdraw(above);
        Assert.Same(first, _registry.Find(Name));
        Withdraw(first);
        Assert.Same(second, _registry.Find(Name));
        Withdraw(second);
        Assert.Same(last, _registry.Find(Name));
    }

    [Fact]
    public void A_conflict_is_told_when_it_begins_and_listed_as_long_as_it_lasts()
    {
        ZoneSlot directory = Claim(_directory, ZonePrecedence.Directory),
            settings = Claim(_settings, ZonePrecedence.Settings);
        ZoneConflict conflict = new(settings, directory);
        Assert.Equal([conflict], _told[^1].Conflicts);
        AssertServed(settings, directory, _told[^1]);
        Assert.Equal([conflict], _registry.Conflicts);
        Assert.Equal(
            "zone example.test. comes from settings, here; that of directory, here is not served as long as it does",
            conflict.ToString());
        Withdraw(settings);
        Assert.Empty(_told[^1].Conflicts);
        AssertServed(directory, settings, _told[^1]);
        Assert.Empty(_registry.Conflicts);
    }

    [Fact]
    public void A_built_in_zone_gives_way_without_a_word()
    {
        ZoneSlot builtIn = Claim(_builtIn, ZonePrecedence.BuiltIn), other = Claim(_directory, ZonePrecedence.Other);
        Assert.Same(other, _registry.Find(Name));
        Assert.Empty(_registry.Conflicts);
        Assert.All(_told, change => Assert.Empty(change.Conflicts));
        Withdraw(other);
        Assert.Same(builtIn, _registry.Find(Name));
    }

    [Fact]
    public void A_source_finds_its_own_claims_served_or_not()
    {
        ZoneSlot directory = Claim(_directory, ZonePrecedence.Directory),
            other = Claim(_directory, ZonePrecedence.Directory, "other.test");
        ZoneSlot settings = Claim(_settings, ZonePrecedence.Settings);
        Assert.Equal([directory, other], _registry.ClaimsOf(_directory).OrderBy(slot => slot.Name.ToString()));
        Assert.Equal((directory, settings, null),
            (_registry.Find(Name, _directory), _registry.Find(Name, _settings), _registry.Find(Name, _command)));
    }

    [Fact]
    public void Two_claims_of_one_source_on_a_name_are_refused_and_change_nothing()
    {
        ZoneSlot first = Claim(_settings, ZonePrecedence.Settings), waits = Claim(_directory, ZonePrecedence.Directory);
        ZoneSet before = _registry.Published.Current;
        Assert.Throws<ArgumentException>(() => Claim(_settings, ZonePrecedence.Settings));
        Assert.Throws<ArgumentException>(() => Claim(_directory, ZonePrecedence.Directory));
        Assert.Throws<ArgumentException>(
            () => _registry.Change(_command, [],
                [SlotOf(ZonePrecedence.Other, "x.test"), SlotOf(ZonePrecedence.Other, "X.test")]));
        Assert.Throws<ArgumentException>(() => _registry.Change(_directory, [waits], [first]));
        Assert.Same(before, _registry.Published.Current);
        Assert.Equal([new ZoneConflict(first, waits)], _registry.Conflicts);
    }

    [Fact]
    public void A_source_puts_another_slot_in_the_place_of_its_own_in_one_step()
    {
        ZoneSlot before = Claim(_settings, ZonePrecedence.Settings), after = SlotOf(ZonePrecedence.Settings);
        ZoneRegistryChange change = _registry.Change(_settings, [before], [after]);
        AssertServed(after, before, change);
        Assert.Null(before.Source);
        Assert.Same(after, _registry.Find(Name));
    }

    [Fact]
    public void What_another_source_has_claimed_cannot_be_withdrawn()
    {
        ZoneSlot settings = Claim(_settings, ZonePrecedence.Settings);
        _registry.Change(_command, [settings], []);
        Assert.Same(settings, _registry.Find(Name));
    }

    [Fact]
    public void A_loser_is_served_at_once_with_the_data_that_it_has()
    {
        ZoneSlot directory = Claim(_directory, ZonePrecedence.Directory, GeneratedZone.Apex);
        ZoneSlot settings = Claim(_settings, ZonePrecedence.Settings, GeneratedZone.Apex);
        directory.Publish(GeneratedZone.Build([]));
        settings.Fail("unreadable");
        Assert.Equal(ZoneState.Failed, _registry.Find(settings.Name)!.State);
        Withdraw(settings);
        Assert.NotNull(_registry.Find(settings.Name)!.Zone);
    }

    [Fact]
    public void Claims_of_many_threads_are_all_kept()
    {
        Parallel.For(0, 8, thread =>
        {
            Source source = new($"source {thread}");
            for (int i = 0; i < 200; i++)
            {
                ZoneSlot slot = SlotOf(ZonePrecedence.Other, $"z{i}.test");
                _registry.Change(source, [], [slot]);
                if (i % 2 == 1) _registry.Change(source, [slot], []);
            }
        });
        Assert.Equal(100, _registry.Published.Current.Count);
        Assert.Equal(700, _registry.Conflicts.Count);
    }

    private static void AssertServed(ZoneSlot now, ZoneSlot before, ZoneRegistryChange change)
    {
        Assert.Same(now, Assert.Single(change.Added));
        Assert.Same(before, Assert.Single(change.Removed));
    }

    private sealed class Source(string name) : IZoneSource
    {
        public Task<ZoneLoadSummary> StartAsync(ZoneRegistry registry, IZoneLoadObserver observer,
            CancellationToken cancellation) =>
            Task.FromResult(default(ZoneLoadSummary));

        public Task<ZoneLoadSummary> ReloadAsync(
            IReadOnlyCollection<DomainName> zones, IZoneLoadObserver observer, CancellationToken cancellation) =>
            Task.FromResult(default(ZoneLoadSummary));

        public Task StopAsync(CancellationToken cancellation) => Task.CompletedTask;

        public ZoneOrigin OriginOf(ZoneSlot slot) => new(name, "here");
    }
}
