using System.Net;

namespace Dns.Dnssec.Tests;

/// <summary>A zone whose policy is taken away: it is signed until no cache needs that.</summary>
[Trait("RFC", "8078 4")]
public sealed class LeavingTests : IDisposable
{
    private static readonly TimeSpan Hour = TimeSpan.FromHours(1), Day = TimeSpan.FromDays(1);
    private readonly SigningRig _rig = new();

    public void Dispose() => _rig.Dispose();

    private Zone Served => _rig.Slot.Zone ?? throw new InvalidOperationException(string.Join('\n', _rig.Told));

    private SigningState Status => _rig.Signing.StatusOf(SigningRig.Apex)!;

    /// <summary>A zone that is signed, and whose DS record is at its parent and in caches.</summary>
    private void Establish(DnssecPolicy? policy = null, string more = "")
    {
        _rig.Policies["default"] =
            policy ?? DnssecPolicy.Default with { ParentResolver = new(new(IPAddress.Loopback, 5353)) };
        _rig.Publish(SigningRig.Source(1, more));
        _rig.Advance(3 * Day, Hour, BringToParent);
        Assert.NotEmpty(_rig.AtParent!);
    }

    // As a registry does it that looks at CDS records.
    private void BringToParent()
    {
        if (!Served.ApexNode.TryFind(RRType.CDS, out RRset cds)) return;
        List<byte[]> records = [];
        foreach (ReadOnlySpan<byte> rdata in cds) records.Add(rdata.ToArray());
        _rig.AtParent = IsDelete(cds) ? [] : records;
    }

    private static bool IsDelete(RRset cds) => cds.Count == 1 && cds.First.SequenceEqual(SigningPlan.DeleteCds);

    private bool AsksForRemoval => Served.ApexNode.TryFind(RRType.CDS, out RRset cds) && IsDelete(cds)
        && Served.ApexNode.TryFind(RRType.CDNSKEY, out RRset cdnskey) &&
        cdnskey.First.SequenceEqual(SigningPlan.DeleteCdnskey);

    [Fact]
    public void It_stays_signed_until_its_DS_record_is_gone_from_its_parent_and_from_caches()
    {
        Establish();
        uint before = Served.Serial;
        _rig.Slot.Policy = null;
        _rig.Work();
        Assert.True(Served.IsSigned && AsksForRemoval && Status.IsLeaving);
        Assert.Equal(["parent wanted", "parent wanted to remove"],
            _rig.Told.Where(line => line.StartsWith("parent", StringComparison.Ordinal)));
        SignedZoneText.VerifyAll(Served);
        // The parent takes its time: longer than any signature lasts.
        _rig.Advance(30 * Day, Hour, () => Assert.True(Served.IsSigned && AsksForRemoval));
        Assert.Contains(Status.Waits, wait => wait.For?.Kind == KeyConditionKind.DsRemoved);
        _rig.Slot.Publish(SigningRig.Source(2, "more 60 A 192.0.2.9"));
        _rig.Work();
        SignedZoneText.VerifyAll(Served);
        Assert.Equal(2u, Status.SignedFrom);

        _rig.AtParent = [];
        DateTimeOffset gone = _rig.Clock.GetUtcNow();
        _rig.Advance(2 * Hour, TimeSpan.FromMinutes(10), () => Assert.True(Served.IsSigned));
        Assert.False(AsksForRemoval);
        _rig.Advance(Hour, TimeSpan.FromMinutes(10));
        // A TTL of an hour, five minutes until all servers of the parent have it, an hour on top.
        Assert.True(_rig.Clock.GetUtcNow() - gone > 2 * Hour);
        Assert.False(Served.IsSigned);
        Assert.True(SerialNumber.IsGreater(Served.Serial, before));
        Assert.DoesNotContain(_rig.Told, line => line.StartsWith("failed", StringComparison.Ordinal));
    }

    [Fact]
    [Trait("RFC", "8901 3")]
    public void Keys_of_another_signer_delay_neither_the_DS_record_nor_rollovers_nor_the_end()
    {
        Establish(more: $"@ 3600 DNSKEY {Rdata.Format(RRType.DNSKEY, Plans.NextZsk.Public.Rdata)}");
        Assert.True(_rig.TryChangeKeys(
            (keys, _) => KeyRequests.TryRollOver(keys, ksk: false, zsk: false, out ZoneKeys next, out KeyReply _)
                ? next : null));
        _rig.Advance(3 * Day, Hour, BringToParent);
        Assert.Equal([KeyState.Removed, KeyState.Active],
            Status.Keys.Keys.Select(key => KeyStates.Of(Status.Keys, key)));
        Assert.True(Served.ApexNode.TryFind(RRType.DNSKEY, out RRset keys));
        Assert.Equal(2, keys.Count);
        _rig.Slot.Policy = null;
        _rig.Advance(2 * Day, Hour, () =>
        {
            if (Served.IsSigned) BringToParent();
        });
        // The keys of the other signer stay, as in the source.
        Assert.True(Served.ApexNode.TryFind(RRType.DNSKEY, out keys));
        Assert.Equal((1, false), (keys.Count, Served.ApexNode.TryFindSignatures(RRType.SOA, out _)));
    }

    private void Leave()
    {
        Establish();
        // Serials of signed versions continue above those of the source.
        _rig.Policies["default"] = _rig.Policies["default"] with { Denial = DenialMethod.Nsec3 };
        _rig.Signing.Use(name => _rig.Policies.GetValueOrDefault(name));
        _rig.Work();
        _rig.Slot.Policy = null;
        _rig.Advance(2 * Day, Hour, () =>
        {
            if (Served.IsSigned) BringToParent();
        });
        Assert.False(Served.IsSigned);
    }

    [Fact]
    public void Serials_go_on_until_the_source_has_a_greater_one()
    {
        Leave();
        uint left = Served.Serial;
        Assert.True(left > 2 && _rig.Slot.IsSignedHere);
        Assert.DoesNotContain("left", _rig.Told);
        _rig.Slot.Publish(SigningRig.Source(2, "more 60 A 192.0.2.9"));
        _rig.Work();
        Assert.Equal((left + 1, 2u), (Served.Serial, _rig.Slot.SourceZone!.Serial));
        Assert.False(Served.IsSigned);
        // A start continues there, and changes nothing.
        _rig.Start(null);
        _rig.Publish(SigningRig.Source(2, "more 60 A 192.0.2.9"));
        Assert.Equal(left + 1, Served.Serial);
        _rig.Slot.Publish(SigningRig.Source(left + 2));
        _rig.Work();
        Assert.Equal((left + 2, false, 1),
            (Served.Serial, _rig.Slot.IsSignedHere, _rig.Told.Count(line => line == "left")));
        Assert.Same(_rig.Slot.SourceZone, Served);
        Assert.Null(_rig.OnDisk);
        Assert.Null(_rig.Signing.StatusOf(SigningRig.Apex));
        // From then on it is a zone like any other.
        _rig.Publish(SigningRig.Source(left + 1));
        Assert.Equal(left + 1, Served.Serial);
    }

    [Fact]
    public void A_policy_that_comes_back_signs_it_with_serials_that_go_on()
    {
        Leave();
        uint left = Served.Serial;
        _rig.Slot.Policy = new ZonePolicy { Dnssec = "default" };
        _rig.Work();
        Assert.True(Served.IsSigned && SerialNumber.IsGreater(Served.Serial, left));
        SignedZoneText.VerifyAll(Served);
        Assert.False(Status.IsLeaving);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_start_goes_on_with_the_times_of_a_policy_that_is_no_more(bool isCrash)
    {
        Establish(DnssecPolicy.Default with
        {
            Name = "gone by then", ParentResolver = new(new(IPAddress.IPv6Loopback, 5353)),
            ParentPropagationDelay = 3 * Hour, Denial = DenialMethod.Nsec3,
        });
        _rig.Policies.Clear();
        _rig.IsCrashed = isCrash;
        _rig.Start(null);
        _rig.Publish(SigningRig.Source(1));
        Assert.True(Served.IsSigned && AsksForRemoval);
        Assert.True(Served.ApexNode.TryFind(RRType.NSEC3PARAM, out _));
        Assert.Equal(("gone by then", true), (Status.Policy, Status.IsLeaving));
        _rig.AtParent = [];
        _rig.Advance(5 * Hour, Hour, () => Assert.True(Served.IsSigned));
        _rig.IsCrashed = isCrash;
        _rig.Start(null);
        _rig.Publish(SigningRig.Source(1));
        Assert.True(Served.IsSigned);
        _rig.Advance(2 * Hour, Hour);
        Assert.False(Served.IsSigned);
    }

    [Fact]
    public void An_operator_says_that_the_DS_record_is_gone()
    {
        Establish();
        _rig.AtParent = null;
        _rig.Slot.Policy = null;
        _rig.Work();
        KeyReply? reply = null;
        Assert.True(_rig.TryChangeKeys((keys, policy) =>
            KeyRequests.TrySubmit(keys, policy, null, _rig.Clock.GetUtcNow(), out ZoneKeys next, out reply)
                ? next : null));
        Assert.Equal("the parent has no DS records of the zone", KeyReplyText.Of(reply!));
        _rig.Advance(Day, Hour);
        Assert.False(Served.IsSigned);
    }

    [Fact]
    public void Off_now_is_at_once_and_after_a_start_too()
    {
        Establish();
        _rig.Slot.Policy = new ZonePolicy { IsUnsignedAtOnce = true };
        Assert.Same(_rig.Slot.SourceZone, Served);
        _rig.Start(null);
        _rig.Slot.Policy = new ZonePolicy { IsUnsignedAtOnce = true };
        _rig.Publish(SigningRig.Source(1));
        Assert.False(Served.IsSigned);
        // The keys are still there for one that is said back.
        _rig.Slot.Policy = null;
        _rig.Work();
        Assert.True(Served.IsSigned && AsksForRemoval);
    }

    private int Count(string line) => _rig.Told.Count(told => told == line);

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_source_that_is_signed_with_keys_that_are_here_is_served_as_it_is(bool isAtAStart)
    {
        Establish();
        Zone signed = Served;
        if (isAtAStart) _rig.Start(null);
        else _rig.Slot.Policy = null;
        _rig.Publish(signed);
        _rig.Advance(Day, Hour);
        Assert.Same(signed, Served);
        Assert.False(AsksForRemoval);
        // Also when the source has other keys, and after a start.
        using SigningRig other = new();
        other.Publish(SigningRig.Source(70_000));
        Zone next = other.Slot.Zone!;
        _rig.Publish(next);
        Assert.Same(next, Served);
        _rig.Start(null);
        _rig.Publish(next);
        _rig.Advance(Day, Hour);
        Assert.Same(next, Served);
        Assert.Equal((2, 0), (Count("signed elsewhere"), Count("signed elsewhere too")));
        // With a policy the keys sign again.
        KeyIds keys = ServedKeysReader.Read(signed, default).Keys;
        _rig.Slot.Policy = new ZonePolicy { Dnssec = "default" };
        _rig.Work();
        Assert.Equal(keys, ServedKeysReader.Read(Served, default).Keys);
        SignedZoneText.VerifyAll(Served);
        Assert.DoesNotContain("elsewhere", _rig.KeysOnDisk);
    }

    [Theory]
    [InlineData(false, "")]
    [InlineData(true, "")]
    [InlineData(false, "@ 3600 DNSKEY")]
    public void A_source_with_signatures_no_more_is_signed_here_until_the_DS_records_are_gone(
        bool isAtAStart, string more)
    {
        Establish();
        _rig.Slot.Policy = null;
        _rig.Work();
        KeyIds keys = ServedKeysReader.Read(Served, default).Keys;
        // What any client can get of this server, sent by the primary.
        _rig.Publish(Served);
        Assert.False(_rig.Slot.IsSignedHere);
        if (more.Length > 0) more += ' ' + Rdata.Format(RRType.DNSKEY, Plans.NextZsk.Public.Rdata);
        if (isAtAStart) _rig.Start(null);
        _rig.Publish(SigningRig.Source(70_000, more));
        SignedZoneText.VerifyAll(Served);
        Assert.True(AsksForRemoval && Status.IsLeaving);
        Assert.Equal(keys, keys.Without(keys.Without(ServedKeysReader.Read(Served, default).Keys)));
        Assert.Equal((1, 1), (Count("signed elsewhere"), Count("signed here again")));
        Assert.DoesNotContain("elsewhere", _rig.KeysOnDisk);
        // And each time.
        _rig.Publish(Served);
        Assert.False(_rig.Slot.IsSignedHere);
        _rig.Slot.Publish(SigningRig.Source(80_000), _rig.Clock.GetUtcNow());
        Assert.True(Served.HasSignedSoa);
        _rig.Work();
        Assert.Equal(80_000u, Status.SignedFrom);
        Assert.True(AsksForRemoval);
        Assert.Equal((2, 2), (Count("signed elsewhere"), Count("signed here again")));
        _rig.AtParent = [];
        _rig.Advance(Day, Hour);
        Assert.False(Served.HasSignedSoa);
    }

    [Fact]
    public void A_source_that_is_signed_with_other_keys_only_is_signed_here_until_the_DS_records_are_gone()
    {
        Establish();
        using SigningRig other = new();
        other.Publish(SigningRig.Source(1));
        _rig.Start(null);
        for (int i = 0; i < 2; i++) _rig.Publish(other.Slot.Zone!);
        Assert.True(AsksForRemoval);
        Assert.Equal((0, 1), (Count("signed elsewhere"), Count("signed elsewhere too")));
        // Then that of the source is served, since its signatures are valid with its serial only.
        _rig.AtParent = [];
        _rig.Advance(3 * Hour, Hour / 6, () => Assert.True(Served.IsSigned));
        Assert.Same(other.Slot.Zone, Served);
        Assert.Single(_rig.Told, line => line.StartsWith("left behind ", StringComparison.Ordinal));
        _rig.Start(null);
        _rig.Publish(other.Slot.Zone!);
        Assert.Same(other.Slot.Zone, Served);
        Assert.Equal(1, Count("signed elsewhere too"));
    }

    [Fact]
    public void A_source_that_was_served_as_it_is_and_is_a_file_now_is_signed_here()
    {
        Establish();
        Zone signed = Served;
        _rig.Start(null);
        _rig.Publish(signed);
        Assert.False(_rig.Slot.IsSignedHere);
        _rig.ZoneFile = "zone";
        _rig.Publish(UnsignedVersion.Of(signed, signed.Serial + 1, ZoneLimits.Default)!);
        Assert.True(_rig.Slot.IsSignedHere);
        SignedZoneText.VerifyAll(Served);
    }

    [Theory]
    [InlineData("file")]
    [InlineData("serial")]
    [InlineData("removed")]
    public void A_source_with_signatures_that_no_other_server_makes_is_signed_here_until_the_DS_records_are_gone(
        string what)
    {
        Establish();
        Zone source = Served;
        if (what == "file") _rig.ZoneFile = "zone";
        if (what == "serial") source = UnsignedVersion.Of(source, source.Serial + 1, ZoneLimits.Default)!;
        if (what == "removed")
        {
            Assert.True(_rig.TryChangeKeys((keys, _) =>
                KeyRequests.TryRollOver(keys, ksk: false, zsk: false, out ZoneKeys next, out KeyReply _)
                    ? next : null));
            _rig.Advance(3 * Day, Hour, BringToParent);
            KeyIds before = ServedKeysReader.Read(source, default).Keys;
            Assert.Equal(before, before.Without(ServedKeysReader.Read(Served, default).Keys));
        }
        _rig.Start(null);
        _rig.Publish(source);
        Assert.True(AsksForRemoval);
        SignedZoneText.VerifyAll(Served);
        Assert.Equal(0, Count("signed elsewhere"));
    }

    [Fact]
    public void A_source_whose_signatures_have_expired_is_signed_here_until_the_DS_records_are_gone()
    {
        Establish();
        Zone signed = Served;
        _rig.Start(null);
        _rig.Clock.Advance(100 * Day);
        _rig.Publish(signed);
        Assert.True(AsksForRemoval);
        Assert.Equal((0, 0), (Count("signed elsewhere"), Count("signed elsewhere too")));
    }

    [Fact]
    public void Keys_that_cannot_be_read_or_written_hide_no_zone_that_its_source_signs()
    {
        Establish();
        Zone signed = Served;
        _rig.Start(null);
        _rig.KeyDiskFault = "read-only file system";
        _rig.Publish(signed);
        Assert.Same(signed, Served);
        Assert.Equal(1, Count("signed elsewhere"));
        // It is found again.
        _rig.Start(null);
        _rig.KeyDiskFault = null;
        _rig.Publish(signed);
        Assert.Same(signed, Served);
        Assert.Contains("elsewhere", _rig.KeysOnDisk);
    }

    [Fact]
    public void A_zone_that_is_signed_online_leaves_too()
    {
        Establish(DnssecPolicy.Default with { Denial = DenialMethod.Compact,
            ParentResolver = new(new(IPAddress.Loopback, 5353)) });
        _rig.Slot.Policy = null;
        _rig.Work();
        Assert.True(AsksForRemoval);
        _rig.AtParent = [];
        _rig.Advance(Day, Hour);
        Assert.False(Served.ApexNode.TryFind(RRType.DNSKEY, out _));
        Assert.False(Served.IsSigned);
        Assert.DoesNotContain(_rig.Told, line => line.StartsWith("failed", StringComparison.Ordinal));
    }

    [Fact]
    public void A_policy_that_comes_back_just_before_an_update_is_followed()
    {
        _rig.Publish(SigningRig.Source(1));
        _rig.Slot.Policy = null;
        _rig.Advance(TimeSpan.FromDays(10), TimeSpan.FromHours(1));
        Assert.Equal((false, true), (_rig.Slot.Zone!.IsSigned, _rig.Slot.IsSignedHere));
        _rig.Slot.Policy = new ZonePolicy { Dnssec = "default" };
        Zone before = _rig.Slot.SourceZone!, next = SigningRig.Source(100);
        _rig.Slot.Publish(next, _rig.Clock.GetUtcNow(), ZoneDelta.Between(before, next));
        _rig.Work();
        Assert.Equal((true, true), (_rig.Slot.Zone!.IsSigned, _rig.Slot.IsSignedHere));
    }

    private void BeginWithEarlyDs()
    {
        _rig.Policies["default"] = DnssecPolicy.Default with { ParentResolver = new(new(IPAddress.Loopback, 5353)) };
        _rig.Publish(SigningRig.Source(1));
        _rig.Advance(TimeSpan.FromMinutes(1), TimeSpan.FromSeconds(10));
        Assert.Equal("no DS records", KeyText.Of(_rig.Signing.StatusOf(SigningRig.Apex)!.Parent)!.Split(" at ")[0]);
        Assert.True(_rig.Slot.Zone!.ApexNode.TryFind(RRType.DNSKEY, out RRset keys));
        Assert.True(Dnskey.TryRead(keys.First, out Dnskey? key));
        Assert.True(key.TryMakeDs(SigningRig.Apex.Octets, DsDigest.Sha256, out byte[] ds));
        // Before the server asks for it.
        _rig.AtParent = [ds];
        _rig.Slot.Policy = null;
        _rig.Work();
    }

    [Fact]
    public void A_zone_whose_DS_record_came_early_is_signed_until_it_is_gone()
    {
        BeginWithEarlyDs();
        Assert.True(_rig.Slot.Zone!.IsSigned);
        _rig.Advance(TimeSpan.FromDays(2), TimeSpan.FromHours(1));
        Assert.True(_rig.Slot.Zone!.IsSigned);
        Assert.True(_rig.Slot.Zone.ApexNode.TryFind(RRType.CDS, out RRset cds) && cds.First.SequenceEqual(
            SigningPlan.DeleteCds));
        _rig.AtParent = [];
        _rig.Advance(TimeSpan.FromDays(2), TimeSpan.FromHours(1));
        Assert.False(_rig.Slot.Zone!.IsSigned);
    }

    [Fact]
    public void A_zone_whose_parent_cannot_be_asked_is_signed_until_an_operator_confirms_that_it_has_no_DS_records()
    {
        _rig.Policies["default"] = DnssecPolicy.Default with { ParentResolver = new(new(IPAddress.Loopback, 5353)) };
        _rig.Publish(SigningRig.Source(1));
        _rig.AtParent = null;
        _rig.Slot.Policy = null;
        int asked = _rig.ParentAsked;
        _rig.Advance(TimeSpan.FromDays(2), TimeSpan.FromHours(1));
        Assert.True(_rig.Slot.Zone!.IsSigned);
        Assert.InRange(_rig.ParentAsked - asked, 10, 100);
        Assert.Contains("the parent to say that it has no DS records",
            _rig.Signing.StatusOf(SigningRig.Apex)!.Waits.Select(wait => KeyText.Of(wait.For)));
        Assert.True(_rig.TryChangeKeys((keys, policy) =>
            KeyRequests.TrySubmit(keys, policy, null, _rig.Clock.GetUtcNow(), out ZoneKeys next, out _) ? next : null));
        _rig.Advance(TimeSpan.FromDays(2), TimeSpan.FromHours(1));
        Assert.False(_rig.Slot.Zone!.IsSigned);
    }

    [Fact]
    public void A_zone_that_left_needs_its_keys_no_more()
    {
        _rig.Publish(SigningRig.Source(1));
        _rig.Slot.Policy = null;
        _rig.Advance(TimeSpan.FromDays(10), TimeSpan.FromHours(1));
        _rig.Publish(SigningRig.Source(100));
        Assert.False(_rig.Slot.IsSignedHere);
        _rig.Start(policy: null);
        _rig.KeyFault = "damaged";
        _rig.Publish(SigningRig.Source(100));
        Assert.Equal((ZoneState.Serving, 100u), (_rig.Slot.State, _rig.Slot.Zone!.Serial));
    }

    [Fact]
    public void A_zone_that_never_had_a_DS_record_is_unsigned_at_once()
    {
        _rig.Publish(SigningRig.Source(1));
        Assert.True(Served.IsSigned);
        _rig.Slot.Policy = null;
        _rig.Work();
        Assert.False(Served.IsSigned);
        Assert.DoesNotContain(_rig.Told, line => line.StartsWith("failed", StringComparison.Ordinal));
    }
}
