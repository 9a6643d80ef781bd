namespace Dns.Dnssec.Tests;

/// <summary>A server that takes over signs its zones while the one before still serves them.</summary>
public sealed class HeldSigningTests : IDisposable
{
    private static readonly TimeSpan Minute = TimeSpan.FromMinutes(1), Day = TimeSpan.FromDays(1);
    private readonly SigningRig _rig = new();

    public void Dispose() => _rig.Dispose();

    private Zone Served => _rig.Slot.Zone ?? throw new InvalidOperationException(string.Join('\n', _rig.Told));

    private static KeyIds KeysOf(Zone zone) => ServedKeysReader.Read(zone, default).Keys;

    /// <summary>The keys, the serial on the disk, and the number of keys made.</summary>
    private (string Keys, uint? Serial, int Deltas, int Made) Disk =>
        (_rig.KeysOnDisk, _rig.OnDisk?.Serial, _rig.DeltasOnDisk.Count, _rig.KeysMade);

    /// <summary>Until no cache knows what was before; returns the keys.</summary>
    private KeyIds ServeForDays(Zone source)
    {
        _rig.Publish(source);
        _rig.Advance(2 * Day, Minute * 30);
        return KeysOf(Served);
    }

    private void TakeOver(Zone source, DnssecPolicy policy)
    {
        _rig.Policies["default"] = policy;
        // The one before runs on, and leaves no mark.
        _rig.MarkFault = "running";
        _rig.Start(holds: true);
        _rig.MarkFault = null;
        _rig.Publish(source);
    }

    private static DnssecPolicy Split => DnssecPolicy.Default with
    {
        Keys = KeyScheme.KskAndZsk, ParentResolver = new(new(System.Net.IPAddress.Loopback, 53)),
    };

    [Fact]
    public void What_ends_before_it_is_ready_has_written_nothing_and_taken_no_step()
    {
        KeyIds keys = ServeForDays(SigningRig.Source(1));
        var before = Disk;
        TakeOver(SigningRig.Source(2), Split);
        Assert.Equal(keys, KeysOf(Served));
        SignedZoneText.VerifyAll(Served);
        _rig.Advance(3 * Day, Minute * 30);
        Assert.Equal(keys, KeysOf(Served));
        Assert.False(_rig.TryChangeKeys((held, _) => held));
        Assert.False(_rig.Handover.MaySend(SigningRig.Apex));
        Assert.Equal(0, _rig.ParentAsked);
        // It ends; the next one begins as if it had not been, also after one that ended without any zone.
        for (int i = 0; i < 2; i++)
        {
            _rig.Start(holds: true);
            Assert.False(_rig.IsMarked);
        }
        _rig.Publish(SigningRig.Source(2));
        Assert.Equal(before, Disk);
        Assert.Equal(keys, KeysOf(Served));
    }

    [Fact]
    public void Steps_begin_and_versions_are_written_when_the_one_before_has_ended()
    {
        Zone source = SigningRig.Source(1);
        KeyIds keys = ServeForDays(source);
        uint serial = Served.Serial;
        TakeOver(source, Split);
        Assert.True(SerialNumber.IsGreater(Served.Serial, serial));
        Assert.False(_rig.Handover.MaySend(SigningRig.Apex));
        _rig.Handover.Complete();
        Assert.False(_rig.Handover.MaySend(SigningRig.Apex));
        _rig.Work();
        Assert.True(_rig.Handover.MaySend(SigningRig.Apex));
        Assert.Same(Served, _rig.OnDisk);
        // Published, and used only when caches know them.
        Assert.Equal([keys], ServedKeysReader.Read(Served, default).SignerSets);
        Assert.Empty(keys.Without(KeysOf(Served)));
        Assert.Equal(3, KeysOf(Served).Count);
        _rig.Advance(Day, Minute);
        Assert.DoesNotContain(keys, ServedKeysReader.Read(Served, default).SignerSets);
        SignedZoneText.VerifyAll(Served);
        Assert.True(_rig.TryChangeKeys((held, _) => held));
    }

    [Fact]
    public void A_version_that_needs_no_step_is_written_when_the_one_before_has_ended()
    {
        _rig.Publish(SigningRig.Source(1));
        uint? before = _rig.OnDisk?.Serial;
        TakeOver(SigningRig.Source(2), DnssecPolicy.Default);
        Assert.Equal(before, _rig.OnDisk?.Serial);
        _rig.Handover.Complete();
        _rig.Work();
        Assert.Same(Served, _rig.OnDisk);
        Assert.True(_rig.TryChangeKeys((held, _) => held));
    }

    [Fact]
    public void No_secondary_gets_a_version_whose_serial_cannot_be_reserved()
    {
        _rig.Publish(SigningRig.Source(1));
        TakeOver(SigningRig.Source(2), DnssecPolicy.Default);
        _rig.SetReadOnly(true);
        _rig.Handover.Complete();
        _rig.Advance(TimeSpan.FromHours(1), Minute);
        Assert.False(_rig.Handover.MaySend(SigningRig.Apex));
        Assert.Contains("though neither its keys nor its signed copy can be written", _rig.Slot.Failure?.Text);
        _rig.SetReadOnly(false);
        _rig.Advance(TimeSpan.FromHours(1), Minute);
        Assert.True(_rig.Handover.MaySend(SigningRig.Apex));
        Assert.Same(Served, _rig.OnDisk);
        Assert.Null(_rig.Slot.Failure);
    }

    [Fact]
    public void A_step_of_the_one_before_is_followed()
    {
        Zone source = SigningRig.Source(1);
        _rig.Policies["default"] = Split;
        _rig.Publish(source);
        Action putBack = _rig.BackUpKeys();
        // The one before goes on, while the next one has signed with the keys of its start.
        _rig.Start();
        _rig.Publish(source);
        Assert.True(_rig.TryChangeKeys((keys, policy) =>
            KeyRequests.TryRollOver(keys, ksk: false, zsk: true, out ZoneKeys next, out KeyReply _) ? next : null));
        _rig.Work();
        Action continued = _rig.BackUpKeys();
        KeyIds later = KeysOf(Served);
        putBack();
        TakeOver(source, Split);
        Assert.NotEqual(later, KeysOf(Served));
        int made = _rig.KeysMade;
        continued();
        _rig.Handover.Complete();
        _rig.Work();
        Assert.Equal(later, KeysOf(Served));
        Assert.Equal(made, _rig.KeysMade);
    }

    [Fact]
    public void A_zone_that_was_never_signed_is_served_unsigned_until_the_one_before_has_ended()
    {
        TakeOver(SigningRig.Source(1), DnssecPolicy.Default);
        Assert.False(Served.IsSigned);
        Assert.Equal(0, _rig.KeysMade);
        Assert.Null(_rig.OnDisk);
        _rig.Handover.Complete();
        _rig.Work();
        Assert.True(Served.IsSigned);
        Assert.Same(Served, _rig.OnDisk);
    }
}
