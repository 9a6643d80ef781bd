using Dns.Testing;

namespace Dns.Replication.Tests;

/// <summary>Zones saved on disk: reading after a crash, a full disk, or modified octets.</summary>
public sealed class ZoneCopyFolderTests
{
    private static readonly DomainName Name = DomainName.Parse("Z.test");
    private static readonly ZoneCopyTimes Times = new(At(100), At(200), At(300));

    private readonly FaultyFiles _disk = new();
    private readonly EditedZone _zone = new();

    [Fact]
    public void A_zone_comes_back_record_by_record_with_its_times()
    {
        Zone zone = ZoneText.Load("Z.test", """
            $TTL 300
            @ SOA ns hostmaster 5 3600 600 86400 60
            @ NS ns
            Ns A 192.0.2.1
            deep.ENT.name TXT "one" "two"
            * TXT "any"
            cut NS ns.cut
            ns.cut A 192.0.2.3
            odd TYPE65280 \# 3 010203
            odd 60 TYPE65281 \# 0
            $GENERATE 1-9000 host-$ A 192.0.2.9
            $GENERATE 1-300 many TXT "$ of many, with enough text to fill more than a block of the file behind the others, again and again and again"
            """);
        Folder().Save(new ZoneCopy(zone, Times), []);
        Assert.True(Folder().TryLoad(Name, ZoneLimits.Default, out ZoneCopy? copy, out CopyDamage? damage, default));
        Assert.Null(damage);
        Assert.Equal(Times, copy.Times);
        Assert.True(ZoneDelta.Between(zone, copy.Zone).IsEmpty);
        Assert.Equal(zone.RecordCount, copy.Zone.RecordCount);
    }

    [Fact]
    public void Differences_are_kept_behind_the_copy_and_read_with_it()
    {
        ZoneCopyFolder folder = Saved();
        Change(folder);
        Change(folder);
        Assert.True(Folder().TryLoad(EditedZone.Name, ZoneLimits.Default, out ZoneCopy? copy, out _, default));
        Assert.Equal((_zone.Zone.Serial, 2), (copy.Zone.Serial, copy.Deltas.Count));
        Assert.True(ZoneDelta.Between(_zone.Zone, copy.Zone).IsEmpty);
    }

    [Fact]
    public void Many_differences_are_folded_into_a_new_copy()
    {
        ZoneCopyFolder folder = Saved();
        byte[] before = _disk[Copy];
        for (int i = 0; i < 200 && _disk[Copy].AsSpan(0, 40).SequenceEqual(before.AsSpan(0, 40)); i++)
            Change(folder, records: 300);
        Assert.False(_disk[Copy].AsSpan(0, 40).SequenceEqual(before.AsSpan(0, 40)));
        Assert.DoesNotContain(Journal, _disk.Paths);
        Assert.True(Folder().TryLoad(EditedZone.Name, ZoneLimits.Default, out ZoneCopy? copy, out _, default));
        Assert.True(ZoneDelta.Between(_zone.Zone, copy.Zone).IsEmpty);
    }

    [Fact]
    public void The_journal_of_a_large_name_is_not_applied_change_by_change()
    {
        string text = EditedZone.Text + "$GENERATE 1-2000 big TXT $\n";
        long one = LoadAfter(1), many = LoadAfter(200);
        // Each change that is applied alone copies all records of the name.
        Assert.InRange(many, 0, one * 4);

        long LoadAfter(int changes)
        {
            FaultyFiles disk = new();
            EditedZone zone = new(text);
            ZoneCopyFolder folder = new("/zones", disk);
            folder.Save(new ZoneCopy(zone.Zone, Times), []);
            for (int i = 0; i < changes; i++)
            {
                ZoneDelta delta = zone.Change(1, owner: "big");
                folder.Save(new ZoneCopy(zone.Zone, Times), [delta]);
            }
            ZoneCopy? copy = null;
            long octets = AllocatedOctets.Least(() => new ZoneCopyFolder("/zones", disk)
                .TryLoad(EditedZone.Name, ZoneLimits.Default, out copy, out _, default));
            Assert.Equal(changes, copy!.Deltas.Count);
            Assert.True(ZoneDelta.Between(zone.Zone, copy.Zone).IsEmpty);
            return octets;
        }
    }

    [Fact]
    public void A_change_that_does_not_fit_leaves_the_version_before_and_a_whole_copy_follows()
    {
        ZoneCopyFolder folder = Saved();
        uint serial = _zone.Zone.Serial;
        ZoneDelta delta = _zone.Change(2, owner: "big");
        folder.Save(new ZoneCopy(_zone.Zone, Times), [delta]);
        ZoneCopyFolder next = Folder();
        Assert.True(next.TryLoad(EditedZone.Name, ZoneLimits.Default with { RecordsPerType = 1 }, out ZoneCopy? copy,
            out CopyDamage? damage, default));
        Assert.Equal((serial, 0), (copy.Zone.Serial, copy.Deltas.Count));
        Assert.Contains(Journal, $"{damage}");
        byte[] before = _disk[Copy];
        Change(next);
        Assert.NotEqual(before, _disk[Copy]);
        Assert.True(Folder().TryLoad(EditedZone.Name, ZoneLimits.Default, out copy, out _, default));
        Assert.Equal(_zone.Zone.Serial, copy.Zone.Serial);
    }

    [Fact]
    public void A_copy_that_is_cut_or_changed_anywhere_is_told_and_not_used()
    {
        Saved();
        byte[] good = _disk[Copy];
        int times = ZoneCopyFormat.HeaderOctets(EditedZone.Name);
        for (int i = 0; i < good.Length; i++)
        {
            _disk[Copy] = good[..i];
            Assert.False(Folder().TryLoad(EditedZone.Name, ZoneLimits.Default, out _, out CopyDamage? damage, default));
            Assert.NotNull(damage);
            byte[] bent = [.. good];
            bent[i] ^= 0x10;
            _disk[Copy] = bent;
            bool isOfTimes = i >= times && i < times + ZoneCopyFormat.TimesOctets;
            Assert.Equal(isOfTimes,
                Folder().TryLoad(EditedZone.Name, ZoneLimits.Default, out ZoneCopy? copy, out _, default));
            // Unknown times are in the past: the zone is not served before a primary has confirmed it.
            if (isOfTimes) Assert.Equal(default, copy!.Times);
        }
    }

    [Fact]
    public void A_version_is_stored_whole_where_another_process_has_replaced_the_copy()
    {
        ZoneCopyFolder before = Saved();
        ZoneCopyFolder successor = Folder();
        Assert.True(successor.TryLoad(EditedZone.Name, ZoneLimits.Default, out _, out _, default));
        before.Save(new ZoneCopy(_zone.Zone, Times), []);
        Change(successor);
        Assert.True(Folder().TryLoad(EditedZone.Name, ZoneLimits.Default, out ZoneCopy? copy, out _, default));
        Assert.Equal(_zone.Zone.Serial, copy.Zone.Serial);
        Change(successor);
        Assert.Contains(Journal, _disk.Paths);
        Assert.True(Folder().TryLoad(EditedZone.Name, ZoneLimits.Default, out copy, out _, default));
        Assert.Equal(_zone.Zone.Serial, copy.Zone.Serial);
    }

    [Fact]
    public void The_serial_of_a_damaged_copy_is_found_in_its_header_or_its_journal()
    {
        ZoneCopyFolder folder = Saved();
        uint serial = _zone.Zone.Serial;
        _disk[Copy] = _disk[Copy][..^20];
        Assert.Equal(serial, Folder().FindSerial(EditedZone.Name));
        Change(folder);
        Assert.NotEqual(serial, _zone.Zone.Serial);
        Assert.Equal(_zone.Zone.Serial, Folder().FindSerial(EditedZone.Name));
        _disk[Copy] = [];
        Assert.Equal(_zone.Zone.Serial, Folder().FindSerial(EditedZone.Name));
        _disk[Journal] = [1, 2, 3];
        Assert.Null(Folder().FindSerial(EditedZone.Name));
    }

    [Fact]
    public void A_crash_at_any_write_leaves_the_version_from_before_or_the_new_one()
    {
        foreach (bool isWhole in (bool[])[true, false])
        {
            for (long room = 0; ; room += 7)
            {
                FaultyFiles disk = new();
                EditedZone zone = new();
                ZoneCopyFolder folder = new("/zones", disk);
                folder.Save(new ZoneCopy(zone.Zone, Times), []);
                uint before = zone.Zone.Serial;
                disk.Room = room;
                ZoneDelta delta = zone.Change(1);
                bool isSaved = TrySave(folder, zone.Zone, isWhole ? [] : [delta]);
                Assert.True(new ZoneCopyFolder("/zones", disk).TryLoad(
                    EditedZone.Name, ZoneLimits.Default, out ZoneCopy? copy, out _, default));
                Assert.Equal(isSaved ? zone.Zone.Serial : before, copy.Zone.Serial);
                if (isSaved) break;
            }
        }
    }

    [Fact]
    public void A_flush_that_fails_is_told_and_the_version_from_before_stays()
    {
        ZoneCopyFolder folder = Saved();
        uint before = _zone.Zone.Serial;
        _disk.Flushes = 0;
        ZoneDelta delta = _zone.Change(1);
        Assert.False(TrySave(folder, _zone.Zone, [delta]));
        Assert.False(TrySave(folder, _zone.Zone, []));
        _disk.Flushes = int.MaxValue;
        Assert.True(Folder().TryLoad(EditedZone.Name, ZoneLimits.Default, out ZoneCopy? copy, out _, default));
        Assert.Equal(before, copy.Zone.Serial);
        Assert.True(TrySave(folder, _zone.Zone, [delta]));
    }

    [Fact]
    public void A_journal_of_another_copy_is_not_applied()
    {
        ZoneCopyFolder folder = Saved();
        Change(folder);
        byte[] journal = _disk[Journal];
        folder.Save(new ZoneCopy(_zone.Zone, Times), []);
        // As if the crash had come before the old journal was deleted.
        _disk[Journal] = journal;
        folder = Folder();
        Assert.True(folder.TryLoad(EditedZone.Name, ZoneLimits.Default, out ZoneCopy? copy, out _, default));
        Assert.Equal((_zone.Zone.Serial, 0), (copy.Zone.Serial, copy.Deltas.Count));
        Change(folder);
        Assert.True(Folder().TryLoad(EditedZone.Name, ZoneLimits.Default, out copy, out _, default));
        Assert.Equal((_zone.Zone.Serial, 1), (copy.Zone.Serial, copy.Deltas.Count));
    }

    [Fact]
    public void A_journal_with_a_torn_end_gives_the_version_before_and_says_so()
    {
        ZoneCopyFolder folder = Saved();
        Change(folder);
        uint first = _zone.Zone.Serial;
        Change(folder);
        _disk[Journal] = _disk[Journal][..^3];
        Assert.True(Folder()
            .TryLoad(EditedZone.Name, ZoneLimits.Default, out ZoneCopy? copy, out CopyDamage? damage, default));
        Assert.Equal(first, copy.Zone.Serial);
        Assert.Contains("unfinished", $"{damage}");
    }

    [Fact]
    public void The_copy_of_another_zone_is_not_served()
    {
        Saved();
        DomainName other = DomainName.Parse("c.test");
        _disk[$"/zones/{ZoneFileNames.Of(other)}.copy"] = _disk[Copy];
        Assert.False(Folder().TryLoad(other, ZoneLimits.Default, out _, out CopyDamage? damage, default));
        Assert.Contains("another zone", $"{damage}");
    }

    [Fact]
    public void Times_are_written_in_place_and_nothing_else_is()
    {
        ZoneCopyFolder folder = Saved();
        byte[] before = _disk[Copy];
        folder.SaveTimes(EditedZone.Name, Times with { ExpiresAt = At(9000) });
        Assert.Equal(before.Length, _disk[Copy].Length);
        Assert.True(Folder().TryLoad(EditedZone.Name, ZoneLimits.Default, out ZoneCopy? copy, out _, default));
        Assert.Equal(At(9000), copy.Times.ExpiresAt);
    }

    [Fact]
    public void A_zone_that_is_deleted_leaves_nothing()
    {
        ZoneCopyFolder folder = Saved();
        Change(folder);
        folder.Delete(EditedZone.Name);
        Assert.Empty(_disk.Paths);
    }

    [Fact]
    public void The_journal_of_updates_of_another_zone_is_left_alone()
    {
        string other =
            $"/zones/{ZoneFileNames.Of(DomainName.Parse($"{EditedZone.Name}copy."))}{DynamicZones.JournalEnding}";
        _disk[other] = [1, 2, 3];
        ZoneCopyFolder folder = Saved();
        Change(folder);
        folder.Delete(EditedZone.Name);
        Assert.Equal([1, 2, 3], _disk[other]);
    }

    private static string Copy => $"/zones/{ZoneFileNames.Of(EditedZone.Name)}.copy";

    private static string Journal => $"/zones/{ZoneFileNames.Of(EditedZone.Name)}.copy-journal";

    private static DateTimeOffset At(long seconds) => DateTimeOffset.UnixEpoch.AddSeconds(seconds);

    private ZoneCopyFolder Folder() => new("/zones", _disk);

    private ZoneCopyFolder Saved()
    {
        ZoneCopyFolder folder = Folder();
        folder.Save(new ZoneCopy(_zone.Zone, Times), []);
        return folder;
    }

    private void Change(ZoneCopyFolder folder, int records = 1)
    {
        ZoneDelta delta = _zone.Change(records);
        folder.Save(new ZoneCopy(_zone.Zone, Times), [delta]);
    }

    private static bool TrySave(ZoneCopyFolder folder, Zone zone, IReadOnlyList<ZoneDelta> deltas)
    {
        try
        {
            folder.Save(new ZoneCopy(zone, Times), deltas);
            return true;
        }
        catch (IOException)
        {
            return false;
        }
    }

    /// <summary>A small zone that changes.</summary>
    private sealed class EditedZone(string text = EditedZone.Text)
    {
        public const string Text = "$TTL 300\n@ SOA ns hostmaster 5 3600 600 86400 60\n@ NS ns\nns A 192.0.2.1\n";
        public static readonly DomainName Name = DomainName.Parse("z.test");
        private int _next;

        public Zone Zone { get; private set; } = ZoneText.Load("z.test", text);

        public ZoneDelta Change(int records, string? owner = null)
        {
            ZoneDeltaBuilder delta = new(Name, Zone.Serial);
            Zone.ApexNode.TryFind(RRType.SOA, out RRset soa);
            byte[] next = soa.First.ToArray();
            WireOctets.UInt32(Zone.Serial + 1).CopyTo(next, next.Length - 20);
            delta.Remove(Name.Octets, RRType.SOA, soa.First);
            delta.Add(Name.Octets, RRType.SOA, soa.Ttl, next);
            for (int i = 0; i < records; i++)
                delta.Add(WireOctets.Name($"{owner ?? $"new-{_next}"}.z.test"), RRType.TXT, 300, TextOf(_next++));
            ZoneDelta built = delta.Build();
            Zone = ZoneEditor.From(Zone).Apply(built).Zone!;
            return built;
        }

        private static byte[] TextOf(int number) => [4, .. WireOctets.UInt32((uint)number)];
    }
}
