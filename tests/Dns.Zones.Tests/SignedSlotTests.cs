using Dns.Testing;
using Xunit;

namespace Dns.Zones.Tests;

public class SignedSlotTests
{
    private static readonly ZonePolicy Signed = new() { Dnssec = "default" };
    private readonly Signer _signer = new();
    private readonly ZoneRegistry _registry = new(new PublishedZones());
    private readonly Source _source = new();

    public SignedSlotTests() => _registry.Signer = _signer;

    private ZoneSlot Claim(ZonePolicy? policy = null, Zone? zone = null)
    {
        ZoneSlot slot = new(DomainName.Parse("example.test")) { Policy = policy };
        if (zone is not null) slot.Publish(zone);
        _registry.Change(_source, [], [slot]);
        return slot;
    }

    private static Zone Version(uint serial) =>
        ZoneText.Load("example.test", $"@ 60 SOA ns h {serial} 1 1 1 1\n@ 60 NS ns.other.\n");

    [Fact]
    public void What_a_source_publishes_is_served_when_it_is_signed()
    {
        ZoneSlot slot = Claim(Signed);
        slot.Publish(Version(1));
        Assert.Equal((ZoneState.Loading, null, 1u), (slot.State, slot.Zone, slot.SourceZone!.Serial));
        Assert.Equal([(null, 1u)], _signer.Asked);
        Assert.True(slot.PublishSigned(Version(100)));
        Assert.Equal((ZoneState.Serving, 100u, 1u), (slot.State, slot.Zone!.Serial, slot.SourceZone!.Serial));
        slot.Publish(Version(2));
        Assert.Equal((ZoneState.Serving, 100u, 2u), (slot.State, slot.Zone!.Serial, slot.SourceZone!.Serial));
        Assert.Equal([(null, 1u), (1u, 2u)], _signer.Asked);
    }

    [Fact]
    public void Only_the_signed_versions_are_told()
    {
        List<(uint?, uint)> told = [];
        _registry.VersionPublished += (_, change) => told.Add((change.Before?.Serial, change.Now.Serial));
        ZoneSlot slot = Claim(Signed);
        slot.Publish(Version(1));
        slot.PublishSigned(Version(100));
        slot.Publish(Version(2));
        slot.PublishSigned(Version(101));
        Assert.Equal([(null, 100u), (100u, 101u)], told);
    }

    [Fact]
    public void A_zone_without_a_policy_is_served_as_it_is()
    {
        ZoneSlot slot = Claim();
        slot.Publish(Version(1));
        Assert.Equal((1u, false), (slot.Zone!.Serial, slot.IsSignedHere));
        Assert.Same(slot.Zone, slot.SourceZone);
        Assert.False(slot.PublishSigned(Version(100)));
        Assert.Empty(_signer.Asked);
    }

    [Fact]
    public void What_a_slot_has_when_it_is_claimed_is_not_served_unsigned()
    {
        List<Zone?> seen = [];
        _registry.Changed += change => seen.AddRange(change.Added.Select(slot => slot.Zone));
        ZoneSlot slot = Claim(Signed, Version(1));
        Assert.Equal([null], seen);
        Assert.Equal((ZoneState.Loading, null, 1u), (slot.State, slot.Zone, slot.SourceZone!.Serial));
        Assert.Equal([(null, 1u)], _signer.Asked);
    }

    [Fact]
    public void A_policy_that_comes_or_goes_is_followed_at_once()
    {
        ZoneSlot slot = Claim(zone: Version(1));
        slot.Policy = Signed;
        Assert.Equal((ZoneState.Serving, 1u), (slot.State, slot.Zone!.Serial));
        Assert.Equal([(null, 1u)], _signer.Asked);
        slot.PublishSigned(Version(100));
        Assert.False(slot.IsServedUnsigned);
        // Other settings of the zone have changed.
        slot.Policy = Signed with { Group = "g" };
        Assert.Equal(100u, slot.Zone!.Serial);
        Assert.Single(_signer.Asked);
        slot.Policy = new ZonePolicy { Dnssec = "other" };
        Assert.Equal((2, 100u, 0), (_signer.Asked.Count, slot.Zone!.Serial, _signer.Released));
        slot.Policy = null;
        Assert.Equal(1, _signer.Released);
        Assert.Equal((ZoneState.Serving, 1u, false), (slot.State, slot.Zone!.Serial, slot.IsSignedHere));
        Assert.False(slot.PublishSigned(Version(101)));
    }

    [Fact]
    public void A_zone_that_is_kept_signed_without_a_policy_is_served_unsigned_when_the_signer_lets_go()
    {
        ZoneSlot slot = Claim(Signed, Version(1));
        slot.PublishSigned(Version(100));
        _signer.IsKeeping = true;
        slot.Policy = null;
        Assert.Equal((100u, true, 0, 2), (slot.Zone!.Serial, slot.IsSignedHere, _signer.Released, _signer.Asked.Count));
        slot.Publish(Version(2));
        Assert.Equal((100u, 2u), (slot.Zone!.Serial, slot.SourceZone!.Serial));
        _signer.IsKeeping = false;
        slot.EndSigning();
        Assert.Equal((2u, false, ZoneState.Serving), (slot.Zone!.Serial, slot.IsSignedHere, slot.State));
        slot.Publish(Version(3));
        Assert.Equal((3u, 3), (slot.Zone!.Serial, _signer.Asked.Count));
    }

    [Fact]
    public void A_version_that_comes_while_the_signer_lets_go_is_served()
    {
        ZoneSlot slot = Claim(Signed, Version(1));
        slot.PublishSigned(Version(100));
        _signer.IsKeeping = true;
        slot.Policy = null;
        // The signer releases the zone between the check and the publication.
        _signer.OnKeeps = () =>
        {
            _signer.OnKeeps = null;
            _signer.IsKeeping = false;
            slot.EndSigning();
        };
        slot.Publish(Version(2));
        Assert.Equal(2u, slot.SourceZone!.Serial);
    }

    [Fact]
    public void A_failure_of_the_source_outlasts_new_signatures()
    {
        ZoneSlot slot = Claim(Signed);
        slot.Publish(Version(1));
        slot.PublishSigned(Version(100));
        slot.Fail("line 3");
        slot.PublishSigned(Version(101));
        Assert.Equal((ZoneState.Stale, "line 3", 101u), (slot.State, slot.Failure?.Text, slot.Zone!.Serial));
        slot.FailSigning("no key");
        Assert.Equal("line 3", slot.Failure?.Text);
        slot.Publish(Version(2));
        Assert.Equal((ZoneState.Serving, null), (slot.State, slot.Failure?.Text));
    }

    [Fact]
    public void What_cannot_be_signed_is_told_and_the_version_from_before_is_served()
    {
        ZoneSlot slot = Claim(Signed);
        slot.Publish(Version(1));
        slot.FailSigning("no key");
        Assert.Equal((ZoneState.Failed, "no key", null), (slot.State, slot.Failure?.Text, slot.Zone));
        slot.PublishSigned(Version(100));
        slot.FailSigning("no key again");
        Assert.Equal((ZoneState.Stale, "no key again", 100u), (slot.State, slot.Failure?.Text, slot.Zone!.Serial));
        slot.PublishSigned(Version(101));
        Assert.Equal((ZoneState.Serving, null), (slot.State, slot.Failure?.Text));
    }

    [Fact]
    public void A_zone_that_has_expired_does_not_come_back_with_a_signature()
    {
        ZoneSlot slot = Claim(Signed);
        slot.Publish(Version(1));
        slot.PublishSigned(Version(100));
        slot.Expire("nobody confirms it");
        Assert.False(slot.PublishSigned(Version(101)));
        slot.FailSigning("no key");
        Assert.Equal((ZoneState.Expired, null, "nobody confirms it"), (slot.State, slot.Zone, slot.Failure?.Text));
        slot.Publish(Version(1));
        Assert.Null(slot.Zone);
        slot.PublishSigned(Version(102));
        Assert.Equal(ZoneState.Serving, slot.State);
    }

    [Fact]
    public void A_served_zone_that_gets_a_policy_is_served_unsigned_until_it_is_signed()
    {
        List<(uint?, uint, bool)> told = [];
        ZoneSlot slot = Claim(zone: Version(1));
        _registry.VersionPublished +=
            (_, change) => told.Add((change.Before?.Serial, change.Now.Serial, change.Delta is not null));
        slot.Policy = Signed;
        Zone old = slot.SourceZone!;
        slot.FailSigning("no key");
        Assert.Equal((ZoneState.Stale, "no key", 1u), (slot.State, slot.Failure?.Text, slot.Zone!.Serial));
        Zone next = Version(2);
        slot.Publish(next);
        Assert.Equal((ZoneState.Serving, 2u, true), (slot.State, slot.Zone!.Serial, slot.IsServedUnsigned));
        Zone signed = Version(100);
        ZoneDelta delta = ZoneDelta.Between(Version(99), signed);
        // A signed version of the old data does not replace the new data, one of the new data does.
        Assert.False(slot.PublishSigned(signed, null, delta, old));
        Assert.Equal(2u, slot.Zone!.Serial);
        Assert.True(slot.PublishSigned(signed, null, delta, next));
        Assert.Equal((100u, false), (slot.Zone!.Serial, slot.IsServedUnsigned));
        slot.Publish(Version(3));
        Assert.Equal((100u, 3u), (slot.Zone!.Serial, slot.SourceZone!.Serial));
        Assert.Equal([(1u, 2u, false), (2u, 100u, false)], told);
    }

    [Fact]
    public void What_another_signer_has_signed_is_served_until_it_is_signed_here()
    {
        Zone OtherSigned(uint serial) => ZoneText.Load("example.test", $"""
            @ 60 SOA ns h {serial} 1 1 1 1
            @ 60 NS ns.other.
            @ 60 RRSIG SOA 13 2 60 20300101000000 20200101000000 4711 example.test. AAAA
            """);
        ZoneSlot slot = Claim(zone: OtherSigned(1));
        slot.Publish(OtherSigned(2));
        Assert.Equal((2u, false), (slot.Zone!.Serial, slot.IsSignedHere));
        _signer.IsKeeping = true;
        slot.Publish(OtherSigned(3));
        Assert.Equal((3u, true), (slot.Zone!.Serial, slot.IsServedUnsigned));
        Zone unsigned = Version(4);
        slot.Publish(unsigned);
        Assert.Equal((3u, 4u, false), (slot.Zone!.Serial, slot.SourceZone!.Serial, slot.IsServedUnsigned));
        slot.Publish(Version(5));
        Assert.Equal(3u, slot.Zone!.Serial);
        Assert.True(slot.PublishSigned(Version(100), null, null, unsigned));
        Assert.Equal(100u, slot.Zone!.Serial);
    }

    [Fact]
    public void A_zone_that_was_never_signed_is_served_unsigned_if_the_signer_says_so()
    {
        ZoneSlot slot = Claim(Signed, Version(1));
        slot.ServeUntilSigned();
        slot.FailSigning("no key");
        Assert.Equal((ZoneState.Stale, 1u, true), (slot.State, slot.Zone!.Serial, slot.IsServedUnsigned));
        slot.PublishSigned(Version(100));
        slot.ServeUntilSigned();
        Assert.Equal((ZoneState.Serving, 100u, false), (slot.State, slot.Zone!.Serial, slot.IsServedUnsigned));
        slot.Expire("nobody confirms it");
        slot.ServeUntilSigned();
        Assert.Equal((ZoneState.Expired, null), (slot.State, slot.Zone));
    }

    [Fact]
    public void A_policy_that_is_set_during_a_publication_is_followed()
    {
        ZoneSlot slot = Claim(zone: Version(1));
        _signer.OnKeeps = () =>
        {
            _signer.OnKeeps = null;
            slot.Policy = Signed;
            slot.PublishSigned(Version(100));
        };
        slot.Publish(Version(2));
        Assert.True(slot.IsSignedHere);
        Assert.Equal(2u, _signer.Asked[^1].Now);
    }

    [Fact]
    public void A_policy_that_is_set_while_the_signer_lets_go_is_followed()
    {
        ZoneSlot slot = Claim(Signed, Version(1));
        slot.PublishSigned(Version(100));
        slot.EndSigning();
        Assert.True(slot.IsSignedHere);
        Assert.Equal([(null, 1u), (null, 1u)], _signer.Asked);
    }

    [Fact]
    public void A_claim_that_waited_is_not_served_unsigned_when_its_name_was_signed()
    {
        ZoneSlot waiting = Claim();
        waiting.Publish(Version(1));
        Source other = new();
        ZoneSlot signed = new(waiting.Name) { Policy = Signed, Precedence = ZonePrecedence.Settings };
        _registry.Change(other, [], [signed]);
        Assert.Same(signed, _registry.Find(waiting.Name));
        waiting.Policy = Signed;
        Assert.Equal(1u, waiting.Zone!.Serial);
        _registry.Change(other, [signed], []);
        Assert.Same(waiting, _registry.Find(waiting.Name));
        Assert.Null(waiting.Zone);
        Assert.True(waiting.PublishSigned(Version(100)));
    }

    [Fact]
    public void A_slot_that_takes_the_data_of_another_serves_its_signed_version()
    {
        ZoneSlot slot = Claim(Signed, Version(1));
        slot.PublishSigned(Version(100));
        Moved next = new(slot);
        Assert.Equal((100u, 1u), (next.Zone!.Serial, next.SourceZone!.Serial));
        _registry.Change(_source, [slot], [next]);
        Assert.Equal((ZoneState.Serving, 100u), (next.State, next.Zone!.Serial));
        Assert.Equal(2, _signer.Asked.Count);
    }

    [Fact]
    public void Whether_the_latest_version_is_kept_back_by_a_failure_is_known()
    {
        ZoneSlot slot = Claim(Signed);
        slot.Publish(Version(1));
        Assert.Null(slot.SigningFailure);
        slot.FailSigning("no keys");
        Assert.Equal("no keys", slot.SigningFailure?.Text);
        slot.PublishSigned(Version(100), version: slot.SourceZone);
        Assert.Null(slot.SigningFailure);
        slot.FailSigning("the keys cannot be kept");
        Assert.Equal((null, "the keys cannot be kept"), (slot.SigningFailure?.Text, slot.Failure?.Text));
        slot.PublishSigned(Version(101), version: slot.SourceZone);
        slot.Publish(Version(2));
        Assert.Null(slot.SigningFailure);
        slot.FailSigning("no memory");
        Assert.Equal("no memory", slot.SigningFailure?.Text);
        // A failure of the source's is another one, which is shown.
        slot.Fail("broken");
        slot.FailSigning("no memory again");
        Assert.Equal(("no memory again", "broken"), (slot.SigningFailure?.Text, slot.Failure?.Text));
        // Until a version is signed, the next one may not be either.
        slot.Publish(Version(3));
        Assert.Equal("no memory again", slot.SigningFailure?.Text);
        slot.PublishSigned(Version(102), version: slot.SourceZone);
        Assert.Null(slot.SigningFailure);
        slot.Expire("too old");
        Assert.Null(slot.SigningFailure);
    }

    [Fact]
    public void A_version_that_is_served_unsigned_is_not_kept_back()
    {
        ZoneSlot slot = Claim(Signed);
        slot.Publish(Version(1));
        slot.FailSigning("no keys");
        slot.ServeUntilSigned();
        slot.FailSigning("no keys");
        Assert.Equal((1u, null, "no keys"), (slot.Zone!.Serial, slot.SigningFailure?.Text, slot.Failure?.Text));
    }

    private sealed class Moved : ZoneSlot
    {
        internal Moved(ZoneSlot other) : base(other.Name)
        {
            Policy = other.Policy;
            CopyDataFrom(other, DateTimeOffset.UnixEpoch);
        }
    }

    private sealed class Signer : IZoneSigning
    {
        internal List<(uint? Before, uint Now)> Asked { get; } = [];

        internal int Released { get; private set; }

        internal bool IsKeeping { get; set; }

        internal Action? OnKeeps { get; set; }

        public bool Keeps(ZoneSlot slot, Zone? version)
        {
            bool keeps = IsKeeping;
            OnKeeps?.Invoke();
            return keeps;
        }

        public void Sign(ZoneSlot slot, in ZoneVersionChange source, DateTimeOffset? now)
        {
            Asked.Add((source.Before?.Serial, source.Now.Serial));
            if (slot.Policy?.Dnssec is null && !IsKeeping) slot.EndSigning();
        }

        public void Release(ZoneSlot slot) => Released++;
    }

    private sealed class Source : IZoneSource
    {
        public Task<ZoneLoadSummary> StartAsync(ZoneRegistry registry, IZoneLoadObserver observer,
            CancellationToken cancellation) =>
            Task.FromResult(default(ZoneLoadSummary));

        public Task<ZoneLoadSummary> ReloadAsync(
            IReadOnlyCollection<DomainName> zones, IZoneLoadObserver observer, CancellationToken cancellation) =>
            Task.FromResult(default(ZoneLoadSummary));

        public Task StopAsync(CancellationToken cancellation) => Task.CompletedTask;

        public ZoneOrigin OriginOf(ZoneSlot slot) => new("a test", null);
    }
}
