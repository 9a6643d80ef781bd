namespace Dns.Dnssec.Tests;

public sealed class ZoneSigningTests : IDisposable
{
    private static readonly TimeSpan Hour = TimeSpan.FromHours(1), Day = TimeSpan.FromDays(1);
    private readonly SigningRig _rig = new();

    public void Dispose() => _rig.Dispose();

    private Zone Served => _rig.Slot.Zone ?? throw new InvalidOperationException(string.Join('\n', _rig.Told));

    internal static ZoneDelta Add(Zone zone, string name, uint serialTo, out Zone next, bool isCut = false)
    {
        ZoneDeltaBuilder builder = new(SigningRig.Apex, zone.Serial);
        zone.ApexNode.TryFind(RRType.SOA, out RRset soa);
        byte[] later = soa.First.ToArray();
        System.Buffers.Binary.BinaryPrimitives.WriteUInt32BigEndian(later.AsSpan(later.Length - 20), serialTo);
        builder.Remove(zone.Apex, RRType.SOA, soa.First, soa.Ttl);
        builder.Add(zone.Apex, RRType.SOA, soa.Ttl, later);
        if (isCut) builder.Add(DomainName.Parse(name).Octets, RRType.NS, 60, DomainName.Parse("ns." + name).Octets);
        else builder.Add(DomainName.Parse(name).Octets, RRType.A, 60, [192, 0, 2, 77]);
        ZoneDelta delta = builder.Build();
        ZoneEditResult edited = ZoneEditor.From(zone).Apply(delta);
        Assert.True(edited.IsApplied, edited.Error?.Message);
        next = edited.Zone;
        return delta;
    }

    [Fact]
    public void A_zone_is_served_signed_and_never_unsigned()
    {
        List<bool> served = [];
        _rig.Registry.VersionPublished += (_, change) => served.Add(change.Now.IsSigned);
        _rig.Slot.Publish(SigningRig.Source(1));
        Assert.Equal((ZoneState.Loading, null), (_rig.Slot.State, _rig.Slot.Zone));
        _rig.Work();
        Assert.Equal(ZoneState.Serving, _rig.Slot.State);
        Assert.All(served, Assert.True);
        Assert.NotEmpty(served);
        Assert.InRange(SignedZoneText.VerifyAll(Served), 8, 100);
        Assert.Same(Served, _rig.OnDisk);
        Assert.Contains("signed 1", _rig.Told);
    }

    [Fact]
    public void What_waits_for_signatures_waits_until_every_zone_has_them()
    {
        Assert.True(_rig.Signing.WhenIdle().IsCompleted);
        _rig.Slot.Publish(SigningRig.Source(1));
        Task idle = _rig.Signing.WhenIdle();
        Assert.False(idle.IsCompleted);
        Assert.Same(idle, _rig.Signing.WhenIdle());
        _rig.Work();
        Assert.True(idle.IsCompletedSuccessfully);
        Assert.True(Served.IsSigned);
        Assert.True(_rig.Signing.WhenIdle().IsCompleted);
    }

    [Fact]
    public void What_waits_for_signatures_does_not_wait_for_a_zone_that_cannot_be_signed()
    {
        _rig.KeyFault = "no such folder";
        _rig.Slot.Publish(SigningRig.Source(1));
        Task idle = _rig.Signing.WhenIdle();
        _rig.Work();
        Assert.True(idle.IsCompletedSuccessfully);
        Assert.NotNull(_rig.Slot.Failure);
    }

    [Fact]
    public void A_small_change_is_signed_before_its_publication_returns()
    {
        Zone source = SigningRig.Source(1);
        _rig.Publish(source);
        ZoneDelta delta = Add(source, "new.example.test", 2, out Zone next);
        uint before = Served.Serial;
        _rig.Slot.Publish(next, _rig.Clock.GetUtcNow(), delta);
        Assert.True(SerialNumber.IsGreater(Served.Serial, before));
        SignedZoneText.VerifyAll(Served);
        LookupName name = default;
        name.Set(DomainName.Parse("new.example.test").Octets);
        Assert.True(Served.TryFind(in name, 0, out ZoneNode node));
        Assert.True(node.TryFindSignatures(RRType.A, out _));
        _rig.Work();
        Assert.Single(_rig.DeltasOnDisk);
    }

    [Theory]
    [InlineData(20, true)]
    [InlineData(200, false)]
    public void A_cut_above_many_names_is_signed_by_another_thread(int names, bool isAtOnce)
    {
        Zone source = SigningRig.Source(1,
            string.Join('\n', Enumerable.Range(0, names).Select(i => $"n{i}.below 300 A 192.0.2.{i}")));
        _rig.Publish(source);
        uint before = Served.Serial;
        ZoneDelta delta = Add(source, "below.example.test", 2, out Zone next, isCut: true);
        _rig.Slot.Publish(next, _rig.Clock.GetUtcNow(), delta);
        Assert.Equal(isAtOnce, Served.Serial > before);
        _rig.Work();
        Assert.Equal(2u, _rig.Signing.StatusOf(SigningRig.Apex)!.SignedFrom);
        SignedZoneText.VerifyAll(Served);
    }

    [Fact]
    public void Changes_during_a_signing_are_signed_after_it()
    {
        Zone source = SigningRig.Source(1);
        _rig.Slot.Publish(source);
        ZoneDelta delta = Add(source, "new.example.test", 2, out Zone next);
        _rig.Slot.Publish(next, null, delta);
        Add(next, "newer.example.test", 3, out Zone last);
        _rig.Slot.Publish(last);
        _rig.Work();
        Assert.Equal((3u, 3u),
            (_rig.Signing.StatusOf(SigningRig.Apex)!.SignedFrom, _rig.Signing.StatusOf(SigningRig.Apex)!.SourceSerial));
        SignedZoneText.VerifyAll(Served);
    }

    [Fact]
    public void Signatures_are_renewed_in_time_for_a_year()
    {
        _rig.Publish(SigningRig.Source(1));
        TimeSpan least = DnssecPolicy.Default.Refresh - Hour - Hour;
        _rig.Advance(365 * Day, Hour,
            () => Assert.InRange(RemainingNow, least, DnssecPolicy.Default.SignatureLifetime));
        SignedZoneText.VerifyAll(Served);
        Assert.DoesNotContain(_rig.Told, line => line.StartsWith("failed", StringComparison.Ordinal));
    }

    private TimeSpan RemainingNow => Remaining(Served, _rig.Clock.GetUtcNow());

    /// <summary>The time until the first signature expires.</summary>
    internal static TimeSpan Remaining(Zone zone, DateTimeOffset now)
    {
        DateTimeOffset first = DateTimeOffset.MaxValue;
        foreach (ZoneNode node in zone)
            foreach (RRset rrset in node)
                if (rrset.Type == RRType.RRSIG)
                    foreach (ReadOnlySpan<byte> rdata in rrset)
                    {
                        Assert.True(RrsigFields.TryRead(rdata, out RrsigFields fields));
                        DateTimeOffset end = RrsigFields.TimeOf(fields.Expiration, now);
                        if (end < first) first = end;
                    }
        return first - now;
    }

    [Fact]
    public void A_start_goes_on_with_what_is_on_disk()
    {
        _rig.Publish(SigningRig.Source(1));
        Zone before = Served;
        _rig.Start();
        long made = _rig.SignaturesMade;
        _rig.Publish(SigningRig.Source(1));
        Assert.Same(before, Served);
        Assert.Equal(made, _rig.SignaturesMade);
        _rig.Start();
        _rig.Publish(SigningRig.Source(2, "more 60 A 192.0.2.9"));
        Assert.True(SerialNumber.IsGreater(Served.Serial, before.Serial));
        Assert.InRange(_rig.SignaturesMade - made, 1, 10);
        SignedZoneText.VerifyAll(Served);
    }

    [Fact]
    public void After_a_crash_serials_go_on_above_those_that_may_have_been_served()
    {
        _rig.Policies["default"] = DnssecPolicy.Default with { Serial = SerialPolicy.Increment };
        Zone source = SigningRig.Source(1);
        _rig.Publish(source);
        Zone kept = _rig.OnDisk!;
        ZoneDelta delta = Add(source, "lost.example.test", 2, out Zone next);
        _rig.Slot.Publish(next, _rig.Clock.GetUtcNow(), delta);
        uint served = Served.Serial;
        _rig.Crash(kept);
        _rig.Publish(SigningRig.Source(1));
        Assert.True(SerialNumber.IsGreater(Served.Serial, served));
        SignedZoneText.VerifyAll(Served);
        uint last = Served.Serial;
        _rig.Start();
        _rig.Publish(SigningRig.Source(1));
        Assert.Equal(last, Served.Serial);
    }

    [Fact]
    public void Serials_go_on_where_the_signed_version_on_disk_is_damaged()
    {
        _rig.Policies["default"] = DnssecPolicy.Default with { Serial = SerialPolicy.Increment };
        Zone source = SigningRig.Source(1);
        _rig.Publish(source);
        ZoneDelta delta = Add(source, "new.example.test", 2, out Zone next);
        _rig.Publish(next, delta);
        _rig.Advance(TimeSpan.FromDays(20), TimeSpan.FromHours(6));
        uint served = Served.Serial;
        Assert.True(SerialNumber.IsGreater(served, 2));
        _rig.IsDamaged = true;
        _rig.Start();
        _rig.Publish(next);
        Assert.True(SerialNumber.IsGreater(Served.Serial, served));
        SignedZoneText.VerifyAll(Served);
    }

    [Theory]
    [InlineData(SerialPolicy.Increment)]
    [InlineData(SerialPolicy.DateSerial)]
    [InlineData(SerialPolicy.UnixTime)]
    public void Serials_go_on_where_the_signed_copy_is_lost(SerialPolicy policy)
    {
        _rig.Policies["default"] = DnssecPolicy.Default with { Serial = policy };
        _rig.Publish(SigningRig.Source(2026010250));
        Assert.True(SerialNumber.IsGreater(Served.Serial, 2026010250));
        _rig.Advance(TimeSpan.FromDays(1), Hour);
        for (uint i = 1; i <= 5; i++)
            _rig.Publish(SigningRig.Source(2026010250 + i, $"n{i} 60 A 192.0.2.9"));
        uint served = Served.Serial;
        _rig.LoseCopies();
        _rig.Publish(SigningRig.Source(2026010255, "n5 60 A 192.0.2.9"));
        Assert.True(SerialNumber.IsGreater(Served.Serial, served));
        SignedZoneText.VerifyAll(Served);
    }

    [Fact]
    public void The_first_signed_version_is_above_its_source()
    {
        _rig.Publish(SigningRig.Source(1));
        Assert.Equal(2u, Served.Serial);
    }

    [Fact]
    public void Without_its_policy_or_keys_a_zone_is_not_served_and_says_why()
    {
        _rig.Start("missing");
        _rig.Publish(SigningRig.Source(1));
        Assert.Equal((ZoneState.Failed, null), (_rig.Slot.State, _rig.Slot.Zone));
        Assert.Contains("missing", _rig.Slot.Failure?.Text);
        _rig.Start();
        _rig.KeyFault = "keys/example.test.state: line 3";
        _rig.Publish(SigningRig.Source(1));
        Assert.Equal((ZoneState.Failed, null), (_rig.Slot.State, _rig.Slot.Zone));
        Assert.Contains("line 3", _rig.Slot.Failure?.Text);
        Assert.Single(_rig.Told, line => line.Contains("line 3"));
        _rig.KeyFault = null;
        _rig.Advance(Hour, TimeSpan.FromSeconds(10));
        Assert.Equal((ZoneState.Serving, null), (_rig.Slot.State, _rig.Slot.Failure?.Text));
        Assert.Contains("recovered", _rig.Told);
    }

    [Fact]
    public void A_disk_that_is_full_keeps_nothing_from_being_served()
    {
        _rig.DiskFault = "no space left";
        _rig.Publish(SigningRig.Source(1));
        Assert.Equal(ZoneState.Serving, _rig.Slot.State);
        Assert.Contains(_rig.Told, line => line.Contains("no space left"));
        _rig.DiskFault = null;
        Zone source = _rig.Slot.SourceZone!;
        _rig.Publish(Changed(source, out ZoneDelta delta), delta);
        Assert.Same(Served, _rig.OnDisk);
        Assert.Empty(_rig.DeltasOnDisk);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_stop_marks_versions_as_saved_only_if_they_are_however_often_it_is_called(bool isFull)
    {
        _rig.Publish(SigningRig.Source(1));
        _rig.DiskFault = isFull ? "no space left" : null;
        _rig.Publish(SigningRig.Source(5));
        for (int i = 0; i < 2; i++)
        {
            _rig.Signing.Dispose();
            Assert.Equal(!isFull, _rig.IsMarked);
        }
        _rig.DiskFault = null;
        _rig.Start();
        _rig.Publish(SigningRig.Source(5));
        Assert.Equal(isFull, Served.Serial > 1000);
    }

    [Fact]
    public void A_record_with_a_TTL_of_decades_delays_rollovers_for_seven_days()
    {
        _rig.Policies["default"] = DnssecPolicy.Default with { Keys = KeyScheme.KskAndZsk };
        Zone source = SigningRig.Source(1, "host 2147483647 TXT a");
        Assert.Equal(7 * Day, ServedKeysReader.LongestTtl(source));
        _rig.Publish(source);
        _rig.Publish(SigningRig.Source(2));
        RollOverZsk();
        _rig.Advance(10 * Day, Hour);
        Assert.Equal(1, KeysIn(KeyRole.Zsk));
        Assert.Equal(3, _rig.KeysMade);
        _rig.Publish(SigningRig.Source(3, "host 2147483647 TXT a"));
        RollOverZsk();
        _rig.Advance(6 * Day, Hour);
        Assert.Equal(2, KeysIn(KeyRole.Zsk));
        _rig.Advance(4 * Day, Hour);
        Assert.Equal(1, KeysIn(KeyRole.Zsk));

        int KeysIn(KeyRole role) => _rig.Signing.StatusOf(SigningRig.Apex)!.Keys.Keys
            .Count(key => key.Role == role && key.Removed is null);
    }

    [Fact]
    public void A_requested_rollover_begins_when_the_one_before_it_has_ended()
    {
        _rig.Policies["default"] = DnssecPolicy.Default with { Keys = KeyScheme.KskAndZsk };
        _rig.Publish(SigningRig.Source(1));
        RollOverZsk();
        _rig.Advance(3 * Hour, Hour);
        RollOverZsk();
        _rig.Work();
        Assert.Contains(_rig.Signing.StatusOf(SigningRig.Apex)!.Waits,
            wait => wait is { Action: KeyAction.RollOver, At: null, For.Kind: KeyConditionKind.EarlierRollover });
        Assert.Equal(3, _rig.KeysMade);
        _rig.Advance(2 * Day, Hour);
        Assert.Equal(4, _rig.KeysMade);
        _rig.Advance(2 * Day, Hour);
        Assert.Single(_rig.Signing.StatusOf(SigningRig.Apex)!.Keys.Keys,
            key => key is { Role: KeyRole.Zsk, Removed: null });
    }

    [Fact]
    public void A_requested_rollover_names_the_keys_of_its_role_that_it_waits_for()
    {
        _rig.Policies["default"] = DnssecPolicy.Default with { Keys = KeyScheme.KskAndZsk };
        _rig.Publish(SigningRig.Source(1));
        Assert.Matches("^key [0-9]+ rolls over$", RollOver(ksk: true, zsk: false));
        _rig.Work();
        KeyRecord[] keys = [.. _rig.Signing.StatusOf(SigningRig.Apex)!.Keys.Keys];
        int old = Assert.Single(keys, key => key.IsRetiring).Id.Tag,
            zsk = Assert.Single(keys, key => key.Role == KeyRole.Zsk).Id.Tag,
            ksk = Assert.Single(keys, key => key is { Role: KeyRole.Ksk, IsRetiring: false }).Id.Tag;
        Assert.Equal($"key {zsk} rolls over; key {ksk} rolls over when key {old} is out of use",
            RollOver(ksk: true, zsk: true));
        Assert.Equal($"key {zsk} rolls over", RollOver(ksk: false, zsk: true));

        string RollOver(bool ksk, bool zsk)
        {
            KeyReply? reply = null;
            Assert.True(_rig.TryChangeKeys((state, _) =>
                KeyRequests.TryRollOver(state, ksk, zsk, out ZoneKeys next, out reply) ? next : null));
            return KeyReplyText.Of(reply!);
        }
    }

    private void RollOverZsk() => Assert.True(_rig.TryChangeKeys((keys, _) =>
        KeyRequests.TryRollOver(keys, ksk: false, zsk: true, out ZoneKeys next, out KeyReply _) ? next : null));

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_copy_of_a_key_in_the_source_does_not_keep_the_next_ones_from_being_used(bool isRestarted)
    {
        _rig.Policies["default"] = DnssecPolicy.Default with { Keys = KeyScheme.KskAndZsk };
        _rig.Publish(SigningRig.Source(1));
        Assert.True(Served.ApexNode.TryFind(RRType.DNSKEY, out RRset keys));
        string zsk = "";
        foreach (ReadOnlySpan<byte> rdata in keys)
            if (rdata[1] == 0) zsk = $"@ DNSKEY 256 3 13 {Convert.ToBase64String(rdata[4..])}";
        _rig.Publish(SigningRig.Source(2, zsk));
        RollOverZsk();
        _rig.Advance(Hour, Hour);
        if (isRestarted)
        {
            while (_rig.Signing.StatusOf(SigningRig.Apex)!.Keys.Published.Count == 3) _rig.Advance(Hour, Hour);
            _rig.Start();
            _rig.Publish(SigningRig.Source(2, zsk));
        }
        _rig.Advance(3 * Day, Hour);
        Assert.Single(_rig.Signing.StatusOf(SigningRig.Apex)!.Keys.Keys,
            key => key is { Role: KeyRole.Zsk, Removed: null });
        Assert.True(Served.ApexNode.TryFind(RRType.DNSKEY, out keys));
        Assert.Equal(3, keys.Count);
        RollOverZsk();
        _rig.Advance(3 * Day, Hour);
        Assert.Equal(4, _rig.KeysMade);
        Assert.Single(_rig.Signing.StatusOf(SigningRig.Apex)!.Keys.Keys,
            key => key is { Role: KeyRole.Zsk, Removed: null });
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_version_that_was_not_saved_is_not_called_saved_when_the_zone_has_ended(bool isFull)
    {
        _rig.Publish(SigningRig.Source(1));
        _rig.DiskFault = isFull ? "no space left" : null;
        _rig.Publish(SigningRig.Source(5));
        _rig.Registry.Change(_rig, [_rig.Slot], []);
        _rig.Work();
        _rig.Signing.Dispose();
        Assert.Equal(!isFull, _rig.IsMarked);
    }

    [Fact]
    public void A_version_that_cannot_be_put_on_disk_is_reported_and_tried_again()
    {
        _rig.DiskFault = "no space left";
        _rig.Publish(SigningRig.Source(1));
        _rig.Advance(TimeSpan.FromMinutes(10), TimeSpan.FromSeconds(5));
        Assert.Equal("serial 2 cannot be put on disk: no space left", _rig.Signing.StatusOf(SigningRig.Apex)!.Error);
        Assert.Null(_rig.OnDisk);
        Assert.Single(_rig.Told, line => line.Contains("no space left"));
        Assert.Equal(ZoneState.Serving, _rig.Slot.State);
        _rig.DiskFault = null;
        _rig.Advance(TimeSpan.FromHours(1), TimeSpan.FromMinutes(1));
        Assert.Same(Served, _rig.OnDisk);
        Assert.Null(_rig.Signing.StatusOf(SigningRig.Apex)!.Error);
        Assert.Single(_rig.Told, "recovered");
    }

    [Fact]
    public void A_version_is_put_on_disk_when_there_is_room_though_the_next_one_cannot_be_signed()
    {
        _rig.DiskFault = "no space left";
        _rig.Publish(SigningRig.Source(1));
        _rig.Policies["default"] = DnssecPolicy.Default with { Algorithm = DnssecAlgorithm.EcdsaP384Sha384 };
        _rig.KeyDiskFault = "no space left";
        _rig.OnSigning = () => throw new IOException("no access");
        _rig.Publish(SigningRig.Source(2));
        _rig.Signing.Use(name => _rig.Policies.GetValueOrDefault(name));
        _rig.Work();
        _rig.DiskFault = null;
        _rig.Advance(TimeSpan.FromHours(2), TimeSpan.FromMinutes(1));
        Assert.NotNull(_rig.OnDisk);
    }

    private static Zone Changed(Zone source, out ZoneDelta delta)
    {
        delta = Add(source, "x.example.test", source.Serial + 1, out Zone next);
        return next;
    }

    [Fact]
    public void Signatures_are_renewed_while_keys_cannot_be_kept()
    {
        _rig.Publish(SigningRig.Source(1));
        _rig.KeyDiskFault = "no space left";
        _rig.Advance(40 * Day, Hour,
            () => Assert.InRange(RemainingNow, Day, DnssecPolicy.Default.SignatureLifetime));
        Assert.Equal(ZoneState.Stale, _rig.Slot.State);
        Assert.Contains("no space left", _rig.Slot.Failure?.Text);
        _rig.KeyDiskFault = null;
        _rig.Advance(2 * Hour, Hour);
        Assert.Equal((ZoneState.Serving, null), (_rig.Slot.State, _rig.Slot.Failure?.Text));
        Assert.Contains("recovered", _rig.Told);
    }

    [Theory]
    [InlineData(-3)]
    [InlineData(30)]
    public void A_clock_that_is_set_has_all_signatures_looked_at(int days)
    {
        _rig.Publish(SigningRig.Source(1));
        _rig.Advance(2 * Day, Hour);
        _rig.Clock.Set(days * Day);
        _rig.Advance(TimeSpan.FromMinutes(2), TimeSpan.FromSeconds(30));
        DateTimeOffset now = _rig.Clock.GetUtcNow();
        foreach (ZoneNode node in Served)
            foreach (RRset rrset in node)
                if (rrset.Type == RRType.RRSIG)
                    foreach (ReadOnlySpan<byte> rdata in rrset)
                    {
                        Assert.True(RrsigFields.TryRead(rdata, out RrsigFields fields));
                        Assert.False(
                            fields.IsEarly(RrsigFields.SecondsOf(now)) || fields.IsExpired(RrsigFields.SecondsOf(now)));
                    }
    }

    [Fact]
    public void Another_content_of_the_policy_is_followed()
    {
        _rig.Publish(SigningRig.Source(1));
        Assert.True(Served.ApexNode.TryFind(RRType.NSEC, out _));
        _rig.Policies["default"] = DnssecPolicy.Default with { Denial = DenialMethod.Nsec3 };
        _rig.Signing.Use(name => _rig.Policies.GetValueOrDefault(name));
        _rig.Work();
        Assert.False(Served.ApexNode.TryFind(RRType.NSEC, out _));
        Assert.True(Served.ApexNode.TryFind(RRType.NSEC3PARAM, out _));
        SignedZoneText.VerifyAll(Served);
    }

    [Fact]
    public void A_zone_follows_another_policy_and_is_left_alone_without_one()
    {
        _rig.Policies["hashed"] = DnssecPolicy.Default with { Denial = DenialMethod.Nsec3 };
        _rig.Publish(SigningRig.Source(1));
        _rig.Slot.Policy = new ZonePolicy { Dnssec = "hashed" };
        _rig.Work();
        Assert.True(Served.ApexNode.TryFind(RRType.NSEC3PARAM, out _));
        _rig.Slot.Policy = new ZonePolicy { IsUnsignedAtOnce = true };
        Assert.False(Served.IsSigned);
        Assert.Null(_rig.Signing.StatusOf(SigningRig.Apex));
        _rig.Advance(30 * Day, Day);
        Assert.False(Served.IsSigned);
    }

    [Fact]
    public void Serials_go_on_without_a_gap_when_a_zone_moves_to_another_slot_after_a_crash()
    {
        _rig.Publish(SigningRig.Source(1));
        _rig.Crash(_rig.Slot.Zone!);
        _rig.Publish(SigningRig.Source(1));
        uint serial = _rig.Slot.Zone!.Serial;
        Assert.True(serial > 1000);
        ZoneSlot next = new(SigningRig.Apex) { Policy = _rig.Slot.Policy };
        _rig.Registry.Change(_rig, [_rig.Slot], [next]);
        next.Publish(SigningRig.Source(1, "new 60 A 192.0.2.9"), _rig.Clock.GetUtcNow());
        _rig.Work();
        Assert.Equal(serial + 1, next.Zone!.Serial);
    }

    [Fact]
    public void Serials_go_on_above_versions_that_were_not_saved_when_a_zone_moves_to_another_slot()
    {
        _rig.Publish(SigningRig.Source(1));
        _rig.DiskFault = "the disk is full";
        _rig.Publish(SigningRig.Source(5));
        uint serial = _rig.Slot.Zone!.Serial;
        Assert.True(serial > _rig.OnDisk!.Serial);
        ZoneSlot next = new(SigningRig.Apex) { Policy = _rig.Slot.Policy };
        _rig.Registry.Change(_rig, [_rig.Slot], [next]);
        next.Publish(SigningRig.Source(1), _rig.Clock.GetUtcNow());
        _rig.Work();
        Assert.True(next.Zone!.Serial > serial, $"{next.Zone!.Serial} after {serial}");
    }

    [Fact]
    public void A_zone_that_is_taken_away_is_signed_no_more()
    {
        _rig.Publish(SigningRig.Source(1));
        _rig.Registry.Change(_rig, [_rig.Slot], []);
        Assert.Null(_rig.Signing.StatusOf(SigningRig.Apex));
        Zone last = Served;
        _rig.Advance(30 * Day, Day);
        Assert.Same(last, Served);
    }

    [Fact]
    public void Keys_roll_over_once_the_parent_has_the_ds_record()
    {
        _rig.Policies["default"] = DnssecPolicy.Default with
        {
            Keys = KeyScheme.KskAndZsk, ZskLifetime = 20 * Day, KskLifetime = 60 * Day,
            ParentResolver = new(new(System.Net.IPAddress.Loopback, 5353)),
        };
        _rig.Start();
        _rig.Publish(SigningRig.Source(1));
        HashSet<string> keys = [];
        _rig.Advance(365 * Day, Hour, () =>
        {
            BringToParent();
            AssertChainHolds();
            foreach (KeyRecord key in _rig.Signing.StatusOf(SigningRig.Apex)!.Keys.Keys)
                keys.Add($"{key.Role} {key.Id}");
        });
        Assert.InRange(keys.Count(key => key.StartsWith("Zsk", StringComparison.Ordinal)), 12, 20);
        Assert.InRange(keys.Count(key => key.StartsWith("Ksk", StringComparison.Ordinal)), 4, 7);
        Assert.DoesNotContain(_rig.Told, line => line.StartsWith("failed", StringComparison.Ordinal));
    }

    [Fact]
    public void A_parent_that_cannot_be_reached_is_told_and_asked_again()
    {
        _rig.Policies["default"] =
            DnssecPolicy.Default with { ParentResolver = new(new(System.Net.IPAddress.Loopback, 5353)) };
        _rig.AtParent = null;
        _rig.Publish(SigningRig.Source(1));
        _rig.Advance(Day, Hour);
        Assert.InRange(_rig.ParentAsked, 10, 300);
        Assert.Contains("no answer", KeyText.Of(_rig.Signing.StatusOf(SigningRig.Apex)!.Parent));
        Assert.Equal(ZoneState.Serving, _rig.Slot.State);
    }

    [Fact]
    public void A_parent_whose_DS_records_differ_is_asked_again_soon()
    {
        _rig.Policies["default"] =
            DnssecPolicy.Default with { ParentResolver = new(new(System.Net.IPAddress.Loopback, 5353)) };
        _rig.Publish(SigningRig.Source(1));
        _rig.Advance(3 * Day, Hour, BringToParent);
        List<byte[]> records = _rig.AtParent!;
        int Asked(TimeSpan time)
        {
            int before = _rig.ParentAsked;
            _rig.Advance(time, TimeSpan.FromMinutes(10));
            return _rig.ParentAsked - before;
        }
        Assert.InRange(Asked(2 * Day), 1, 3);
        // They are lost, or one of its servers or caches has older ones.
        _rig.AtParent = [];
        while (Asked(TimeSpan.FromMinutes(10)) == 0) Assert.True(Served.IsSigned);
        Assert.StartsWith("no DS records", KeyText.Of(_rig.Signing.StatusOf(SigningRig.Apex)!.Parent));
        Assert.InRange(Asked(5 * Hour), 5, 60);
        _rig.AtParent = records;
        Asked(2 * Hour);
        Assert.StartsWith("DS records of key", KeyText.Of(_rig.Signing.StatusOf(SigningRig.Apex)!.Parent));
        Assert.InRange(Asked(2 * Day), 1, 3);
    }

    [Fact]
    [Trait("RFC", "9859 4")]
    public void The_parent_is_notified_when_CDS_is_served_and_once_a_day_until_it_has_followed()
    {
        _rig.Policies["default"] =
            DnssecPolicy.Default with { ParentResolver = new(new(System.Net.IPAddress.Loopback, 5353)) };
        const string Notified = "notifying the parent of example.test. by 127.0.0.1:5353";
        _rig.Publish(SigningRig.Source(1));
        Assert.DoesNotContain(Notified, _rig.Told);
        _rig.Advance(Day, Hour);
        Assert.True(Served.ApexNode.TryFind(RRType.CDS, out _));
        Assert.Single(_rig.Told, Notified);
        _rig.Advance(3 * Day, Hour);
        Assert.Equal(4, _rig.Told.Count(line => line == Notified));
        _rig.Start();
        _rig.Publish(SigningRig.Source(1));
        Assert.Equal(5, _rig.Told.Count(line => line == Notified));
        BringToParent();
        _rig.Advance(3 * Day, Hour);
        Assert.InRange(_rig.Told.Count(line => line == Notified), 5, 6);
        Assert.False(Served.ApexNode.TryFind(RRType.CDS, out _));
    }

    // As a registry does it that looks at CDS records.
    private void BringToParent()
    {
        if (!Served.ApexNode.TryFind(RRType.CDS, out RRset cds)) return;
        List<byte[]> records = [];
        foreach (ReadOnlySpan<byte> rdata in cds) records.Add(rdata.ToArray());
        _rig.AtParent = records;
    }

    private void AssertChainHolds()
    {
        Zone zone = Served;
        List<Dnskey> keys = [];
        Assert.True(zone.ApexNode.TryFind(RRType.DNSKEY, out RRset dnskeys));
        foreach (ReadOnlySpan<byte> rdata in dnskeys)
        {
            Assert.True(Dnskey.TryRead(rdata, out Dnskey? key));
            keys.Add(key);
        }
        Assert.True(zone.ApexNode.TryFindSignatures(RRType.DNSKEY, out RRset signatures));
        List<ushort> signers = [];
        foreach (ReadOnlySpan<byte> rdata in signatures)
        {
            Assert.True(RrsigFields.TryRead(rdata, out RrsigFields fields));
            signers.Add(fields.KeyTag);
        }
        if (_rig.AtParent is { Count: > 0 } ds)
            Assert.Contains(keys,
                key => signers.Contains(key.Tag) && ds.Exists(record => key.IsNamedBy(zone.Apex, record)));
    }
}
