using System.Net;

namespace Dns.Dnssec.Tests;

/// <summary>A zone with an offline KSK: its key sets and their signatures come in bundles.</summary>
public sealed partial class OfflineKskTests : IDisposable
{
    private static readonly TimeSpan Hour = TimeSpan.FromHours(1), Day = TimeSpan.FromDays(1);

    private static readonly DnssecPolicy Policy = DnssecPolicy.Default with
    {
        Keys = KeyScheme.KskAndZsk, OfflineKsk = true, ZskLifetime = 40 * Day,
        ParentResolver = new(new(IPAddress.Loopback, 5353)),
    };

    private readonly SigningRig _rig = new();
    private readonly List<KeyFile> _ksks = [];

    public OfflineKskTests()
    {
        _rig.Policies["default"] = Policy;
        _rig.Start();
        MakeKsk();
    }

    public void Dispose()
    {
        _rig.Dispose();
        _ksks.ForEach(key => key.Dispose());
    }

    private Zone Served => _rig.Slot.Zone ?? throw new InvalidOperationException(string.Join('\n', _rig.Told));

    private DateTimeOffset Now => _rig.Clock.GetUtcNow();

    private SigningState Status => _rig.Signing.StatusOf(SigningRig.Apex)!;

    private KeyFile MakeKsk()
    {
        SigningKey key = DistinctKeys.Generate(DnssecAlgorithm.EcdsaP256Sha256, isSep: true);
        KeyFile file =
            new() { Zone = SigningRig.Apex, Public = key.Public, Key = key, Times = new KeyTimes { Created = Now } };
        _ksks.Add(file);
        return file;
    }

    private KeySets Request(TimeSpan time, DateTimeOffset? from = null, bool replacesZsk = false)
    {
        Assert.True(_rig.Signing.TryMakeRequest(SigningRig.Apex, from, Now + time, out KeySets? request,
            out KeyReply reply, replacesZsk), KeyReplyText.Of(reply));
        // By a file, as it goes there.
        Assert.True(KeySetText.TryRead(KeySetText.Format(request!), isBundle: false, out KeySets? read,
            out TextFault? fault), $"{fault}");
        return read;
    }

    private KeySets Sign(KeySets request)
    {
        bool isSigned = KeySetSigning.TrySign(request, _ksks, out KeySets bundle, out KeyRequestFault? refusal);
        Assert.True(isSigned, $"{refusal}");
        string text = KeySetText.Format(bundle);
        Assert.True(KeySetText.TryRead(text, isBundle: true, out KeySets? read, out TextFault? fault), $"{fault}");
        return read;
    }

    private string? FindFault(KeySets bundle)
    {
        bool isTaken = _rig.Signing.TryLoadBundle(SigningRig.Apex, bundle, out KeyReply reply);
        _rig.Work();
        return isTaken ? null : KeyReplyText.Of(reply);
    }

    /// <summary>A bundle of 90 days in which ZSKs roll over.</summary>
    private void LoadWithRollovers()
    {
        _rig.Policies["default"] = Policy with { ZskLifetime = 30 * Day };
        _rig.Start();
        _rig.Publish(SigningRig.Source(1));
        Load(90 * Day);
    }

    private void Load(TimeSpan time) => Assert.Null(FindFault(Sign(Request(time))));

    /// <summary>
    /// Every RRset validates by our validator from the DS records at the parent down, and no signature is near its end.
    /// </summary>
    private void AssertGood()
    {
        SignedZoneText.VerifyAll(Served);
        Zone zone = Served;
        ServedKeys served = ServedKeysReader.Read(zone, Hour);
        Assert.NotEqual(KeyIds.None, served.KeySigners);
        Assert.All(served.SignerSets, signers => Assert.All(signers, id => Assert.Contains(id, served.Keys)));
        foreach (RRType type in (RRType[])[RRType.DNSKEY, RRType.CDS, RRType.CDNSKEY])
        {
            if (!zone.ApexNode.TryFindSignatures(type, out RRset signatures)) continue;
            foreach (ReadOnlySpan<byte> rdata in signatures)
            {
                Assert.True(RrsigFields.TryRead(rdata, out RrsigFields fields));
                Assert.InRange(RrsigFields.TimeOf(fields.Expiration, Now) - Now, Policy.Refresh - 2 * Hour,
                    Policy.SignatureLifetime);
                Assert.False(fields.IsEarly(RrsigFields.SecondsOf(Now)));
            }
        }
        if (_rig.AtParent is { Count: > 0 } ds)
            Assert.Contains(_ksks,
                key => served.KeySigners.Contains(KeySlot.IdOf(key.Public)) &&
                    ds.Exists(r => key.Public.IsNamedBy(zone.Apex, r)));
    }

    private void BringToParent()
    {
        if (!Served.ApexNode.TryFind(RRType.CDS, out RRset cds)) return;
        List<byte[]> records = [];
        foreach (ReadOnlySpan<byte> rdata in cds) records.Add(rdata.ToArray());
        _rig.AtParent = records;
    }

    [Fact]
    public void A_year_of_bundles_is_served_with_ZSKs_that_roll_over_and_every_cache_validates()
    {
        _rig.Publish(SigningRig.Source(1));
        Assert.False(Served.IsSigned);
        Assert.Contains("no bundle with its signatures is loaded", Status.Error);
        CacheModel caches = new(Policy.PropagationDelay, Policy.PropagationDelay);
        Load(100 * Day);
        HashSet<KeyId> zsks = [], ksks = [];
        int restarts = 0;
        DateTimeOffset loadedAt = Now;
        for (int hour = 0; hour < 365 * 24; hour += 3)
        {
            // The next bundle is made when the server says that it is due; the KSK rolls over once, in the middle of
            // the year.
            if (hour == 4002) MakeKsk();
            if (Now > loadedAt + 80 * Day)
            {
                if (hour > 7000 && _ksks.Count == 2 && _rig.AtParent!.Count == 1)
                {
                    _ksks[0].Dispose();
                    _ksks.RemoveAt(0);
                }
                Load(100 * Day);
                loadedAt = Now;
            }
            if (hour % 702 == 333)
            {
                _rig.Start();
                _rig.Publish(SigningRig.Source(1));
                restarts++;
            }
            _rig.Advance(3 * Hour, 3 * Hour);
            BringToParent();
            ServedKeys served = ServedKeysReader.Read(Served, Hour);
            caches.Serve(served, Now);
            caches.Delegate(KeyIds.Of(_ksks.Select(key => KeySlot.IdOf(key.Public)).Where(id => _rig.AtParent!.Exists(
                rdata => _ksks.First(key => KeySlot.IdOf(key.Public) == id).Public.IsNamedBy(Served.Apex, rdata)))),
                Hour, Now);
            Assert.Null(caches.FindBogus(Now));
            zsks.UnionWith(served.SignerSets[0]);
            ksks.UnionWith(served.KeySigners);
            if (hour % 24 == 0) AssertGood();
        }
        Assert.InRange(zsks.Count, 8, 11);
        Assert.Equal((2, 13), (ksks.Count, restarts));
        Assert.DoesNotContain(_rig.Told,
            line => line.StartsWith("failed", StringComparison.Ordinal) && !line.Contains("no bundle"));
        // No private key of a KSK was ever requested here.
        Assert.All(_ksks,
            key => Assert.Throws<IOException>(() => ((IKeyStore)_rig).Open(SigningRig.Apex, KeySlot.IdOf(key.Public))));
    }

    [Fact]
    public void What_ends_soon_is_told_each_day_and_after_its_end_the_zone_is_served_on()
    {
        _rig.Publish(SigningRig.Source(1));
        Load(60 * Day);
        DateTimeOffset end = Status.BundleEnd!.Value;
        Assert.InRange(end - Now, 60 * Day, 75 * Day);
        _rig.Advance(30 * Day, Hour, BringToParent);
        Assert.DoesNotContain(_rig.Told, line => line.StartsWith("ending", StringComparison.Ordinal));
        _rig.Advance(end - Now - 2 * Hour, Hour);
        Assert.InRange(_rig.Told.Count(line => line == $"ending {end:u}"), 28, 31);
        Assert.Null(Status.Error);
        _rig.Advance(Day, Hour);
        Assert.Contains($"the signatures of its KSK ended at {end:u}", Status.Error);
        Assert.True(Served.IsSigned);
        // All else is still signed anew.
        _rig.Advance(30 * Day, Hour);
        Assert.True(Served.ApexNode.TryFindSignatures(RRType.SOA, out RRset signatures));
        Assert.True(RrsigFields.TryRead(signatures.First, out RrsigFields fields));
        Assert.False(fields.IsExpired(RrsigFields.SecondsOf(Now)));
        Load(60 * Day);
        AssertGood();
        Assert.Null(Status.Error);
        Assert.Contains("recovered", _rig.Told);
    }

    [Fact]
    public void A_bundle_that_is_lost_or_damaged_on_disk_leaves_what_was_served()
    {
        _rig.Publish(SigningRig.Source(1));
        Load(60 * Day);
        string good = _rig.BundleOnDisk!;
        foreach (string? damaged in (string?[])[null, good.Replace("slot 2026-01-02", "slot 2026-01-01"), good[..^20]])
        {
            _rig.BundleOnDisk = damaged;
            _rig.Start();
            _rig.Publish(SigningRig.Source(1));
            AssertGood();
            Assert.Contains(damaged is null ? "no bundle with" : "the digest at its end is not that of its lines",
                Status.Error);
            _rig.Publish(SigningRig.Source(2 + (uint)(damaged?.Length ?? 0), "more 60 A 192.0.2.9"));
            AssertGood();
        }
        _rig.BundleOnDisk = good;
        _rig.Start();
        _rig.Publish(SigningRig.Source(9_000_000));
        AssertGood();
        Assert.Null(Status.Error);
    }

    [Fact]
    public void A_KSK_with_the_tag_of_a_ZSK_signs_no_request()
    {
        _rig.Publish(SigningRig.Source(1));
        KeySets request = Request(60 * Day);
        (SigningKey ksk, SigningKey zsk) = DistinctKeys.Twins();
        KeySets twin = request with { Slots = [.. request.Slots.Select(slot => slot with { Keys = [zsk.Public] })] };
        Assert.True(KeySetSigning.TrySign(twin, _ksks, out _, out KeyRequestFault? fault), fault?.ToString());
        _ksks.Add(new KeyFile { Zone = SigningRig.Apex, Public = ksk.Public, Key = ksk });
        Assert.False(KeySetSigning.TrySign(twin, _ksks, out _, out fault));
        Assert.Equal($"found a KSK and a ZSK with one tag, {ksk.Public.Tag}: expected another KSK, or, if this one " +
            "is in use, a request made with --new-zsk", fault.ToString());
        Assert.True(KeySetSigning.TrySign(request, _ksks, out _, out fault), $"{fault}");
    }

    [Fact]
    public void A_request_with_other_times_than_its_summary_says_is_not_signed()
    {
        _rig.Publish(SigningRig.Source(1));
        KeySets request = Request(60 * Day);
        KeySlot first = request.Slots[0], last = request.Slots[^1];
        KeySlot At(DateTimeOffset start) => first with { Start = start };
        string Refused(KeySets changed)
        {
            Assert.False(KeySetSigning.TrySign(changed, _ksks, out _, out KeyRequestFault? fault));
            return fault.ToString();
        }
        string RefusedWith(params IEnumerable<KeySlot> slots) => Refused(request with { Slots = [.. slots] });
        // 2^32 seconds earlier a signature has the same 32 bits.
        KeySlot hidden = At(first.Start.AddSeconds(-(1L << 32)));
        Assert.StartsWith($"slot {hidden.Start:u}: expected a time between 1970-01-01 ", RefusedWith(hidden));
        Assert.StartsWith($"slot {hidden.Start:u}: expected a time",
            RefusedWith([first, hidden, .. request.Slots.Skip(1)]));
        Assert.Contains("expected a time between", RefusedWith(first, At(DateTimeOffset.MaxValue)));
        Assert.Contains("expected a time between", RefusedWith(At(DateTimeOffset.MinValue)));
        Assert.EndsWith("expected slots in order", RefusedWith([.. request.Slots, At(first.Start.AddYears(-1))]));
        Assert.EndsWith("expected slots in order", RefusedWith(first, first));
        Assert.EndsWith("expected slots without a gap", RefusedWith(first, At(first.Start + request.Lifetime)));
        Assert.EndsWith("expected a start within ten years of the first slot", RefusedWith(
            Enumerable.Range(0, 400).Select(i => At(first.Start + i * (request.Lifetime - Hour)))));
        foreach (TimeSpan lifetime in new[] { TimeSpan.Zero, Hour, KeySetRequests.Most + Hour })
            Assert.StartsWith("found a lifetime of ", Refused(request with { Lifetime = lifetime }));
        Assert.True(last.Start > first.Start);
        Assert.True(KeySetSigning.TrySign(request, _ksks, out KeySets bundle, out _));
        Assert.Equal(last.Start + request.Lifetime, bundle.End);
    }

    [Fact]
    public void What_cannot_be_served_is_not_taken()
    {
        _rig.Publish(SigningRig.Source(1));
        KeySets request = Request(60 * Day), bundle = Sign(request);
        Assert.Contains("found a bundle of zone other.test.",
            FindFault(bundle with { Zone = DomainName.Parse("other.test") }));
        KeySlot first = bundle.Slots[0];
        using SigningKey stranger = DistinctKeys.Generate(DnssecAlgorithm.EcdsaP256Sha256, isSep: false);
        // A key more than was signed, a key less, another time, another TTL.
        foreach (KeySlot tampered in (KeySlot[])
            [
                first with { Keys = [.. first.Keys, stranger.Public] }, first with { Cds = [] },
                first with { Ttl = first.Ttl + 1 },
                first with { Signatures = [.. first.Signatures.Skip(1)] },
                first with { Start = first.Start - 2 * Hour }, first with { Keys = [] },
            ])
            Assert.NotNull(FindFault(bundle with { Slots = [tampered, .. bundle.Slots.Skip(1)] }));
        Assert.Contains("before the next slot begins",
            FindFault(bundle with { Slots = [first, .. bundle.Slots.Skip(3)] }));
        Assert.Contains("expected slots in order", FindFault(bundle with { Slots = [bundle.Slots[1], first] }));
        Assert.Contains("there is none until then", FindFault(bundle with { Slots = [.. bundle.Slots.Skip(1)] }));
        KeySets strange =
            request with { Slots = [.. request.Slots.Select(slot => slot with { Keys = [stranger.Public] })] };
        Assert.Contains("is not here: expected a bundle of a request of this server", FindFault(Sign(strange)));
        Assert.Null(_rig.BundleOnDisk);
        Assert.Null(FindFault(bundle));
        _rig.Advance(3 * Day, Hour, BringToParent);
        // The parent has the DS record of the KSK: another alone would break the zone.
        KeySets next = Request(90 * Day);
        KeyFile old = _ksks[0], other = MakeKsk();
        _ksks.Remove(old);
        Assert.False(KeySetSigning.TrySign(next, _ksks, out _, out KeyRequestFault? fault));
        Assert.Contains($"the parent has the DS record of key {old.Public.Tag}", fault.ToString());
        Assert.Contains($"the parent has the DS record of key {old.Public.Tag}",
            FindFault(Sign(next with { Parent = null })));
        _ksks.Add(old);
        Assert.Null(FindFault(Sign(next)));
        _rig.Clock.Advance(400 * Day);
        Assert.Contains("its last signatures ended", FindFault(bundle));
        Assert.NotNull(other);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_bundle_whose_key_sets_began_before_the_served_one_is_followed_at_once(bool isAtOnce)
    {
        _rig.Publish(SigningRig.Source(1));
        Load(60 * Day);
        _rig.Advance(3 * Day, Hour, BringToParent);
        KeyFile other = MakeKsk();
        KeySets bundle = Sign(Request(60 * Day, from: Now));
        DateTimeOffset? before = Status.Keys.Slot;
        while (Status.Keys.Slot == before) _rig.Advance(isAtOnce ? TimeSpan.FromSeconds(1) : Hour, Hour / 3600);
        DateTimeOffset? served = Status.Keys.Slot;
        int told = _rig.Told.Count;
        Assert.Null(FindFault(bundle));
        // What is served stays known, so that the next may wait for caches.
        Assert.True(KeySetText.TryRead(_rig.BundleOnDisk!, isBundle: true, out KeySets? joined, out _));
        Assert.Equal(served, joined.Slots[0].Start);
        Assert.InRange(joined.Slots[1].Start, served!.Value.AddSeconds(1), Now.AddSeconds(1));
        Assert.All(joined.Slots.Skip(2), slot => Assert.True(slot.Start > Now));
        _rig.Advance(TimeSpan.FromSeconds(3), TimeSpan.FromSeconds(1));
        Assert.Contains(KeySlot.IdOf(other.Public), ServedKeysReader.Read(Served, Hour).Keys);
        Assert.Null(Status.Error);
        AssertGood();
        Assert.InRange(_rig.Told.Count - told, 1, 6);
        // Once more, it changes nothing.
        DateTimeOffset? taken = Status.Keys.Slot;
        Assert.Null(FindFault(bundle));
        _rig.Advance(TimeSpan.FromSeconds(3), TimeSpan.FromSeconds(1));
        Assert.Null(Status.Error);
        Assert.True(Status.Keys.Slot >= taken);
        _rig.Advance(50 * Day, Hour, AssertGood);
    }

    [Fact]
    public void Without_a_bundle_the_ZSK_that_signs_goes_on_while_another_one_is_published()
    {
        LoadWithRollovers();
        while (ServedKeysReader.Read(Served, Hour).Keys.Count < 3) _rig.Advance(Hour, Hour, BringToParent);
        KeyIds signer = Assert.Single(ServedKeysReader.Read(Served, Hour).SignerSets);
        _rig.BundleOnDisk = null;
        _rig.Start();
        int told = _rig.Told.Count;
        _rig.Publish(SigningRig.Source(2));
        _rig.Advance(2 * Hour, Hour / 4);
        Assert.DoesNotContain(_rig.Told.Skip(told), line => line.Contains("signs the zone"));
        Assert.Equal([signer], ServedKeysReader.Read(Served, Hour).SignerSets);
        Assert.Contains("no bundle with its signatures is loaded", Status.Error);
    }

    [Fact]
    public void A_bundle_from_a_backup_without_the_served_key_set_is_followed()
    {
        LoadWithRollovers();
        _rig.Advance(3 * Day, Hour, BringToParent);
        string? backup = _rig.BundleOnDisk;
        Assert.Null(FindFault(Sign(Request(90 * Day, from: Now))));
        _rig.Advance(Day, Hour);
        Assert.NotEqual(backup, _rig.BundleOnDisk);
        _rig.BundleOnDisk = backup;
        _rig.Start();
        int told = _rig.Told.Count;
        _rig.Publish(SigningRig.Source(2));
        AssertGood();
        Assert.Null(Status.Error);
        Assert.InRange(_rig.Told.Count - told, 1, 6);
        _rig.Advance(60 * Day, Hour, AssertGood);
    }

    [Fact]
    public void A_request_for_too_many_key_sets_makes_no_keys()
    {
        _rig.Policies["default"] = Policy with { ZskLifetime = Day };
        _rig.Start();
        _rig.Publish(SigningRig.Source(1));
        int made = _rig.KeysMade;
        // A key of each day is published and removed.
        Assert.False(_rig.Signing.TryMakeRequest(SigningRig.Apex, null, Now + 600 * Day, out _, out KeyReply reply));
        Assert.Contains("more than 1000 slots: expected an earlier end", KeyReplyText.Of(reply));
        Assert.Equal(made, _rig.KeysMade);
        Assert.InRange(Request(100 * Day).Slots.Count, 190, 220);
        Assert.InRange(_rig.KeysMade - made, 99, 101);
    }

    [Fact]
    public void A_zone_whose_KSK_was_here_goes_on_with_bundles_and_leaves_when_its_DS_record_is_gone()
    {
        _rig.Policies["default"] = Policy with { OfflineKsk = false };
        _rig.Start();
        _rig.Publish(SigningRig.Source(1));
        _rig.Advance(3 * Day, Hour, BringToParent);
        KeyRecord ksk = Status.Keys.Keys.Single(key => key.Role == KeyRole.Ksk);
        _ksks.Clear();
        SigningKey key = ((IKeyStore)_rig).Open(SigningRig.Apex, ksk.Id);
        _ksks.Add(new KeyFile { Zone = SigningRig.Apex, Public = key.Public, Key = key });
        _rig.Policies["default"] = Policy;
        _rig.Signing.Use(name => _rig.Policies.GetValueOrDefault(name));
        _rig.Work();
        Assert.Contains("no bundle with its signatures is loaded", Status.Error);
        AssertGood();
        Load(60 * Day);
        Assert.Null(Status.Error);
        Assert.NotNull(Status.Keys.Slot);
        Assert.False(KeyRequests.TryRollOver(Status.Keys, ksk: false, zsk: true, out _, out KeyReply reply));
        Assert.False(KeyRequests.TryRollOver(Status.Keys, Policy, DnssecAlgorithm.Ed25519, out _, out KeyReply other));
        Assert.Contains("\"dnsd keys request --new-zsk\" for another ZSK", KeyReplyText.Of(reply));
        Assert.Contains("use a policy without OfflineKsk, roll the algorithm over", KeyReplyText.Of(other));
        _rig.Advance(50 * Day, Hour, AssertGood);

        _rig.Slot.Policy = null;
        _rig.Advance(Day, Hour, AssertGood);
        Assert.False(Served.ApexNode.TryFind(RRType.CDS, out _));
        Assert.Contains("keys the DS records have to be removed at the parent by hand: its KSK is offline", _rig.Told);
        Assert.Single(_rig.Told, "parent wanted to remove");
        Assert.DoesNotContain("keys CDS and CDNSKEY request the parent to remove the DS records", _rig.Told);
        _rig.AtParent = [];
        _rig.Advance(Day, Hour);
        Assert.False(Served.IsSigned);
    }
}
