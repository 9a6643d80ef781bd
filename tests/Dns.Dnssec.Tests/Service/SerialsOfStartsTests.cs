namespace Dns.Dnssec.Tests;

/// <summary>Serials over starts on a disk that cannot be written.</summary>
public sealed class SerialsOfStartsTests : IDisposable
{
    private static readonly TimeSpan Hour = TimeSpan.FromHours(1), Day = TimeSpan.FromDays(1);
    private const string Marked = "the mark that the signed copies are complete cannot be removed, so that serials "
        + "would go back at the next start: read-only file system";

    private readonly SigningRig _rig = new();
    private uint _highest;

    public SerialsOfStartsTests() => Publish(1);

    public void Dispose() => _rig.Dispose();

    private uint Serial => _rig.Slot.Zone!.Serial;

    private string? Error => _rig.Signing.StatusOf(SigningRig.Apex)!.Error;

    private static Zone Source(uint serial) => SigningRig.Source(serial, $"n{serial} 60 A 192.0.2.9");

    /// <summary>Publishes a version of the source; what is served never has a lower serial than before.</summary>
    private void Publish(uint serial)
    {
        _rig.Publish(Source(serial));
        NoteServed();
    }

    /// <summary>Starts after a shutdown that saved all versions, on a disk that cannot be written any more.</summary>
    private void StartReadOnly()
    {
        _rig.Start();
        _rig.SetReadOnly(true);
        Publish(1);
    }

    private void NoteServed()
    {
        Assert.False(SerialNumber.IsGreater(_highest, Serial), $"{_highest} {Serial}");
        _highest = Serial;
    }

    [Fact]
    public void A_start_on_a_read_only_disk_serves_the_copy_until_new_serials_can_be_saved()
    {
        StartReadOnly();
        Assert.Equal((2u, ZoneState.Stale), (Serial, _rig.Slot.State));
        Assert.Equal(Marked, Error);
        Publish(5);
        _rig.Advance(Day, Hour, NoteServed);
        Assert.Equal(2u, Serial);
        Assert.Equal($"serial 5 is not served: {Marked}", Error);
        _rig.SetReadOnly(false);
        _rig.Start();
        Publish(1);
        Publish(5);
        Assert.Equal((5u, null), (Serial, Error));
    }

    [Fact]
    public void A_version_that_was_refused_is_served_when_the_disk_is_writable_again()
    {
        StartReadOnly();
        Publish(5);
        Assert.Equal(2u, Serial);
        _rig.SetReadOnly(false);
        _rig.Advance(2 * Hour, Hour, NoteServed);
        // The change, and CDS records.
        Assert.Equal((6u, null, ZoneState.Serving), (Serial, Error, _rig.Slot.State));
        Assert.Same(_rig.Slot.Zone, _rig.OnDisk);
        SignedZoneText.VerifyAll(_rig.Slot.Zone!);
    }

    [Fact]
    public void A_new_policy_that_was_refused_is_followed_when_the_disk_is_writable_again()
    {
        // Until the keys have no other step to take.
        _rig.Advance(2 * Day, Hour, NoteServed);
        uint before = Serial;
        StartReadOnly();
        // The keys can follow at once.
        _rig.KeyDiskFault = null;
        _rig.Policies["default"] = DnssecPolicy.Default with { Denial = DenialMethod.Nsec3 };
        _rig.Signing.Use(name => _rig.Policies.GetValueOrDefault(name));
        _rig.Work();
        Assert.Equal(before, Serial);
        _rig.SetReadOnly(false);
        _rig.Advance(2 * Hour, Hour, NoteServed);
        Assert.True(_rig.Slot.Zone!.ApexNode.TryFind(RRType.NSEC3PARAM, out _));
    }

    [Fact]
    public void A_disk_that_becomes_read_only_while_the_server_runs_lowers_no_serial()
    {
        _rig.SetReadOnly(true);
        Publish(5);
        Publish(9);
        Assert.Equal(9u, Serial);
        _rig.Start();
        // The mark is gone: this start knows that versions may be missing, and the copy has none of them.
        _rig.Publish(Source(9));
        Assert.Equal(2u, Serial);
        Assert.Contains("neither its keys nor its signed copy can be written", Error);
        _rig.SetReadOnly(false);
        _rig.Start();
        Publish(9);
        Assert.True(Serial > 1000);
    }

    [Fact]
    public void Signatures_are_renewed_on_a_read_only_disk_before_they_end()
    {
        TimeSpan half = DnssecPolicy.Default.Refresh / 2;
        StartReadOnly();
        TimeSpan least = TimeSpan.MaxValue;
        _rig.Advance(40 * Day, Hour, () =>
        {
            NoteServed();
            TimeSpan left = ZoneSigningTests.Remaining(_rig.Slot.Zone!, _rig.Clock.GetUtcNow());
            least = left < least ? left : least;
        });
        Assert.InRange(least, half - 2 * Hour, half + Hour);
        Assert.NotEqual(2u, Serial);
        Assert.Equal($"serial {Serial} is served, though {Marked}", Error);
        _rig.SetReadOnly(false);
        _rig.Advance(2 * Hour, Hour, NoteServed);
        _rig.Start();
        Publish(1);
        Assert.Null(Error);
    }

    [Fact]
    public void Versions_on_a_full_disk_are_refused_when_their_serials_were_not_reserved()
    {
        _rig.SetReadOnly(true);
        _rig.MarkFault = null;
        Publish(900);
        Assert.Equal(900u, Serial);
        Publish(1100);
        Assert.Equal(900u, Serial);
        Assert.StartsWith("serial 1100 is not served: neither its keys nor its signed copy can be written", Error);
        _rig.DiskFault = null;
        _rig.Advance(2 * Hour, Hour, NoteServed);
        Assert.Equal((1100u, 1100u), (Serial, _rig.OnDisk!.Serial));
    }

    [Fact]
    public void A_refused_small_change_is_no_defect_of_the_server()
    {
        StartReadOnly();
        ZoneDelta delta = ZoneSigningTests.Add(_rig.Slot.SourceZone!, "x.example.test", 2, out Zone next);
        _rig.Publish(next, delta);
        Assert.Equal(2u, Serial);
        Assert.StartsWith("serial 3 is not served", Error);
    }

    [Fact]
    public void A_copy_that_is_older_than_the_reserved_serials_lacks_versions()
    {
        Zone old = _rig.OnDisk!;
        Publish(5000);
        _rig.Restore(old);
        Publish(5000);
        Assert.True(Serial > 5000);
    }

    [Fact]
    public void A_copy_whose_later_versions_are_damaged_lacks_them()
    {
        Zone old = _rig.OnDisk!;
        for (uint serial = 10; serial < 15; serial++) Publish(serial);
        uint last = Serial;
        Assert.True(last > old.Serial + 1);
        _rig.Start();
        _rig.BeforeDamage = old;
        Publish(2);
        Assert.True(Serial > last, $"{Serial} after {last}");
    }

    [Fact]
    public void The_serial_of_the_source_needs_no_saving()
    {
        _rig.Policies["default"] = DnssecPolicy.Default with { Serial = SerialPolicy.Keep };
        _rig.Signing.Use(name => _rig.Policies.GetValueOrDefault(name));
        Publish(5);
        _rig.Start();
        _rig.SetReadOnly(true);
        Publish(9);
        Assert.Equal(9u, Serial);
    }
}
