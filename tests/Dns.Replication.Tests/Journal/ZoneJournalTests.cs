using Dns.Testing;

namespace Dns.Replication.Tests;

public class ZoneJournalTests
{
    private const string File = "zones/example.com.journal";

    private readonly FaultyFiles _files = new();

    [Fact]
    public void What_was_appended_is_read_after_a_restart()
    {
        ZoneDelta[] deltas = [Deltas.Step(1), Deltas.Step(2), Deltas.Step(3)];
        ZoneJournal journal = Open();
        JournalBase from = new(1, 77);
        journal.Append(deltas[0], from);
        journal.Append([deltas[1], deltas[2]]);
        ZoneJournal again = Open();
        Assert.Equal(deltas.Select(Deltas.Text), again.Read().Select(Deltas.Text));
        Assert.Equal((from, 3, 4u), (again.Base, again.Count, again.Serial));
        Assert.Equal(journal.Octets, again.Octets);
        Assert.Null(again.Loss);
        again.Append(Deltas.Step(4));
        Assert.Equal(4, Open().Read().Count());
    }

    [Fact]
    public void There_is_no_file_before_the_first_change()
    {
        ZoneJournal journal = Open();
        Assert.Empty(_files.Paths);
        Assert.Empty(journal.Read());
        Assert.Equal((0, 0L, null, null), (journal.Count, journal.Octets, journal.Serial, journal.Base));
    }

    [Fact]
    public void Changes_that_are_appended_together_share_one_flush()
    {
        ZoneJournal journal = Open();
        journal.Append(Deltas.Step(1));
        int before = _files.Flushed;
        journal.Append([.. Enumerable.Range(2, 100).Select(serial => Deltas.Step((uint)serial))]);
        Assert.Equal(1, _files.Flushed - before);
        Assert.Equal(101, Open().Count);
    }

    [Fact]
    public void A_file_that_is_cut_at_any_offset_keeps_every_change_before_the_cut()
    {
        List<long> ends = Fill(5);
        byte[] whole = _files[File];
        string[][] all = [.. Open().Read().Select(Deltas.Text)];
        for (int cut = 0; cut < whole.Length; cut++)
        {
            _files[File] = whole[..cut];
            ZoneJournal journal = Open();
            int kept = ends.Count(end => end <= cut);
            Assert.Equal(all.Take(kept), journal.Read().Select(Deltas.Text));
            bool isWhole = cut == 0 || ends.Contains(cut) || cut == ends[0] - (ends[1] - ends[0]);
            Assert.Equal(isWhole, journal.Loss is null);
            if (journal.Loss is { } loss)
            {
                Assert.True(loss.IsTorn);
                Assert.Equal(kept, loss.Kept);
                Assert.Equal(cut, loss.Position + loss.Octets);
            }
            // What follows can be appended and read again.
            journal.Append(Deltas.Step((uint)kept + 1));
            Assert.Equal(kept + 1, Open().Count);
            Assert.Null(Open().Loss);
        }
    }

    [Fact]
    public void An_octet_that_is_wrong_anywhere_is_seen_and_what_is_before_it_is_kept()
    {
        List<long> ends = Fill(4);
        byte[] whole = _files[File];
        long header = ends[0] - (ends[1] - ends[0]);
        string[][] all = [.. Open().Read().Select(Deltas.Text)];
        for (int at = 0; at < whole.Length; at++)
        {
            byte[] wrong = [.. whole];
            wrong[at] ^= 0x10;
            _files[File] = wrong;
            if (at < header)
            {
                Assert.Equal(JournalFault.Foreign, Assert.Throws<JournalException>(Open).Fault);
                Assert.Equal(wrong, _files[File]);
                continue;
            }
            ZoneJournal journal = Open();
            int kept = ends.Count(end => end <= at);
            Assert.Equal(all.Take(kept), journal.Read().Select(Deltas.Text));
            Assert.NotNull(journal.Loss);
            Assert.False(journal.Loss.IsTorn);
            Assert.Equal(File + ZoneJournal.DamagedEnding, journal.Loss.Aside);
            Assert.Equal(wrong[(int)journal.Loss.Position..], _files[journal.Loss.Aside!]);
            // The damaged octets stay, and are reported, until the next change.
            Assert.Equal(journal.Loss, Open().Loss);
            journal.Append(Deltas.Step((uint)kept + 1, (uint)journal.Loss.SerialBound!, "next"));
            Assert.Null(Open().Loss);
        }
    }

    [Fact]
    public void Serials_behind_the_damage_are_found_wherever_it_is()
    {
        List<long> ends = Fill(7);
        byte[] whole = _files[File];
        int octets = (int)(ends[1] - ends[0]);
        for (int at = (int)ends[0] - octets; at < whole.Length; at++)
        {
            _files[File] = [.. whole];
            _files[File][at] ^= 0x10;
            // A stored checksum that is wrong hides the next entry too: each octet that is left counts.
            long bound = Open().Loss!.SerialBound!.Value;
            Assert.InRange(bound, 8 + 1000 - 2, 8 + 1000 + 2 * octets / JournalFormat.LeastChangeOctets);
            if (at < ends[4]) Assert.Equal(1008, bound);
        }
        // Two damaged entries, and a part that is overwritten.
        _files[File] = [.. whole];
        _files[File][ends[1] + 20] ^= 1;
        _files[File].AsSpan((int)ends[2] + 2, octets).Fill(0xCC);
        Assert.Equal(1008u, Open().Loss!.SerialBound);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(5000)]
    public void What_another_server_appends_while_a_damaged_file_is_opened_is_not_read(int octets)
    {
        List<long> ends = Fill(7);
        _files[File].AsSpan((int)ends[2] + 2, 40).Fill(0xEE);
        int reads = 0;
        _files.BeforeRead = path =>
        {
            // Each read would find more.
            Assert.InRange(++reads, 0, 1000);
            _files[path] = [.. _files[path], .. new byte[octets]];
        };
        ZoneJournal journal = Open();
        Assert.Equal((3, ends[^1] - ends[2]), (journal.Count, journal.Loss!.Octets));
        Assert.Equal(1008u, journal.Loss.SerialBound);
    }

    [Fact]
    public void An_end_that_another_server_is_writing_is_left_and_read_when_it_is_whole()
    {
        List<long> ends = Fill(3);
        byte[] whole = _files[File];
        _files[File] = whole[..(int)(ends[1] + 20)];
        ZoneJournal journal = Open();
        Assert.Equal((2, true), (journal.Count, journal.Loss!.IsTorn));
        Assert.Equal(ends[1] + 20, _files[File].Length);
        _files[File] = whole;
        Assert.Equal(JournalFault.Changed,
            Assert.Throws<JournalException>(() => journal.Append(Deltas.Step(3, "other"))).Fault);
        Assert.Equal(whole, _files[File]);
        Assert.Equal(3, Open().Count);
    }

    [Fact]
    public void An_unfinished_end_goes_with_the_next_write_also_after_one_that_failed()
    {
        List<long> ends = Fill(3);
        _files[File] = _files[File][..(int)(ends[1] + 20)];
        ZoneJournal journal = Open();
        _files.Room = 10;
        Assert.Throws<IOException>(() => journal.Append(Deltas.Step(3)));
        Assert.Equal(ends[1], _files[File].Length);
        _files.Room = long.MaxValue;
        journal.Append(Deltas.Step(3));
        Assert.Equal((3, null), (Open().Count, Open().Loss));
    }

    [Fact]
    public void Changes_of_another_file_are_not_taken()
    {
        long header = Fill(2)[0];
        byte[] one = _files[File];
        Open().Reset();
        Open().Append([Deltas.Step(1), Deltas.Step(2)], new JournalBase(1, 99));
        byte[] other = _files[File];
        Assert.Equal(one.Length, other.Length);
        int first = one.Length - (int)(one.Length - header) * 2;
        _files[File] = [.. one[..first], .. other[first..]];
        ZoneJournal journal = Open();
        Assert.Equal((0, first), (journal.Count, journal.Loss!.Position));
    }

    [Fact]
    public void Zeros_behind_the_last_change_are_an_unfinished_one()
    {
        Fill(2);
        _files[File] = [.. _files[File], .. new byte[5000]];
        ZoneJournal journal = Open();
        Assert.Equal(2, journal.Count);
        Assert.True(journal.Loss!.IsTorn);
        Assert.Equal(5000, journal.Loss.Octets);
    }

    [Fact]
    public void The_journal_of_another_zone_is_refused_and_left_alone()
    {
        Fill(1);
        byte[] before = _files[File];
        JournalException error = Assert.Throws<JournalException>(
            () => ZoneJournal.Open(File, DomainName.Parse("example.net."), null, _files));
        Assert.Equal(JournalFault.Foreign, error.Fault);
        Assert.Contains("expected that of example.net.", error.Message);
        Assert.Equal(before, _files[File]);
    }

    [Fact]
    public void Another_version_of_the_format_is_refused_and_left_alone()
    {
        Fill(1);
        _files[File][8] = 2;
        JournalException error = Assert.Throws<JournalException>(Open);
        Assert.Contains("found version 2 of the format, expected 1", error.Message);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(50)]
    public void A_full_disk_refuses_the_change_and_leaves_those_before(int room)
    {
        Fill(2);
        ZoneJournal journal = Open();
        long octets = journal.Octets;
        _files.Room = room;
        Assert.Throws<IOException>(() => journal.Append(Deltas.Step(3)));
        Assert.Equal((2, octets), (journal.Count, journal.Octets));
        Assert.Equal(octets, _files[File].Length);
        _files.Room = long.MaxValue;
        journal.Append(Deltas.Step(3));
        Assert.Equal(3, Open().Count);
    }

    [Fact]
    public void A_full_disk_refuses_the_first_change_and_leaves_no_file()
    {
        for (int room = 0; room < 200; room += 7)
        {
            _files.Room = room;
            Assert.Throws<IOException>(() => Open().Append(Deltas.Step(1)));
            Assert.Empty(_files.Paths);
        }
    }

    [Fact]
    public void A_failed_flush_refuses_the_change()
    {
        Fill(1);
        ZoneJournal journal = Open();
        _files.Flushes = 0;
        Assert.Throws<IOException>(() => journal.Append(Deltas.Step(2)));
        Assert.Equal(1, journal.Count);
        _files.Flushes = int.MaxValue;
        journal.Append(Deltas.Step(2, "other"));
        Assert.Equal(Deltas.Text(Deltas.Step(2, "other")), Deltas.Text(Open().Read().Last()));
    }

    [Fact]
    public void What_a_failed_append_left_is_cut_off_before_the_next_one()
    {
        Fill(1);
        ZoneJournal journal = Open();
        (_files.Room, _files.CanCut) = (20, false);
        Assert.Throws<IOException>(() => journal.Append(Deltas.Step(2)));
        _files.Room = long.MaxValue;
        Assert.Throws<IOException>(() => journal.Append(Deltas.Step(2)));
        _files.CanCut = true;
        journal.Append(Deltas.Step(2));
        Assert.Null(Open().Loss);
        Assert.Equal(2, Open().Count);
    }

    [Fact]
    public void A_change_beyond_the_most_octets_is_refused()
    {
        ZoneJournal journal = ZoneJournal.Open(File, Deltas.Zone, new JournalOptions { MaxOctets = 1000 }, _files);
        uint serial = 1;
        while (!journal.NeedsCompaction) journal.Append(Deltas.Step(serial++));
        Assert.InRange(journal.Octets, 500, 1000);
        JournalException error = Assert.Throws<JournalException>(
            () => journal.Append([.. Enumerable.Range(0, 20).Select(i => Deltas.Step(serial + (uint)i))]));
        Assert.Equal(JournalFault.Full, error.Fault);
        Assert.InRange(journal.Octets, 500, 1000);
    }

    [Theory]
    [InlineData(0, 40)]
    [InlineData(-1, 39)]
    public void The_most_octets_are_a_bound_of_the_file_to_the_octet(int less, int most)
    {
        ZoneDelta[] deltas = [.. Enumerable.Range(1, 40).Select(serial => Deltas.Step((uint)serial))];
        ZoneJournal measured = Open();
        measured.Append(deltas);
        JournalOptions options = new() { MaxOctets = measured.Octets + less };
        measured.Reset();
        ZoneJournal journal = ZoneJournal.Open(File, Deltas.Zone, options, _files);
        ZoneDelta[] rest = deltas[20..];
        journal.Append(deltas[..20]);
        if (most < 40) Assert.Throws<JournalException>(() => journal.Append(rest));
        journal.Append(rest[..(most - 20)]);
        Assert.Equal(most, journal.Count);
        if (most < 40) Assert.Throws<JournalException>(() => journal.Replace(new JournalBase(1, 0), deltas));
        else journal.Replace(new JournalBase(1, 0), deltas);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Changes_beyond_the_most_octets_are_refused_before_they_are_encoded(bool isReplaced)
    {
        // Back and forth, 128 MiB in all.
        ZoneDelta[] both = [Deltas.Large(1, 2, 32), Deltas.Large(2, 1, 32)];
        ZoneDelta[] deltas = [.. Enumerable.Range(0, 64).Select(i => both[i % 2])];
        ZoneJournal journal = ZoneJournal.Open(File, Deltas.Zone, new JournalOptions { MaxOctets = 1000 }, _files);
        if (!isReplaced) journal.Append(Deltas.Step(0));
        long before = GC.GetAllocatedBytesForCurrentThread();
        JournalException error = Assert.Throws<JournalException>(() =>
        {
            if (isReplaced) journal.Replace(new JournalBase(1, 0), deltas);
            else journal.Append(deltas);
        });
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 1 << 20);
        Assert.Equal(JournalFault.Full, error.Fault);
    }

    [Fact]
    public void A_journal_that_is_full_takes_the_mark_that_makes_it_short_again()
    {
        ZoneJournal journal = ZoneJournal.Open(File, Deltas.Zone, new JournalOptions { MaxOctets = 1000 }, _files);
        uint serial = 1;
        Assert.Throws<JournalException>(() =>
        {
            for (int i = 0; i < 1000; i++) journal.Append(Deltas.Step(serial++));
        });
        for (uint i = 0; journal.Octets <= 1000; i++) journal.AddMark(new JournalBase(serial, i));
        JournalBase last = new(serial, 4711);
        journal.AddMark(last);
        journal.StartFrom(last);
        Assert.InRange(journal.Octets, 0, 500);
    }

    [Fact]
    public void A_disk_that_cannot_be_written_to_is_the_same_fault_each_time()
    {
        _files.IsReadOnly = true;
        string[] faults =
            [.. new int[2].Select(_ => Assert.Throws<IOException>(() => Open().Append(Deltas.Step(1))).Message)];
        Assert.All(faults, fault => Assert.Equal($"Read-only file system : '{File}'", fault));
    }

    [Fact]
    public void A_file_that_another_process_has_changed_is_not_written_to()
    {
        Fill(1);
        ZoneJournal journal = Open();
        Open().Append(Deltas.Step(2, "other"));
        byte[] before = _files[File];
        Assert.Equal(JournalFault.Changed, Assert.Throws<JournalException>(() => journal.Append(Deltas.Step(2))).Fault);
        Assert.Equal(before, _files[File]);
    }

    [Fact]
    public void A_file_that_another_process_has_made_is_not_overwritten()
    {
        ZoneJournal journal = Open();
        Fill(1);
        byte[] before = _files[File];
        Assert.Equal(JournalFault.Changed,
            Assert.Throws<JournalException>(() => journal.Append(Deltas.Step(1, "other"))).Fault);
        Assert.Equal(before, _files[File]);
    }

    [Fact]
    public void Changes_whose_serials_do_not_follow_each_other_are_an_error_of_the_caller()
    {
        Fill(1);
        Assert.Throws<ArgumentException>(() => Open().Append(Deltas.Step(5)));
        Assert.Throws<ArgumentException>(() => Open().Append([Deltas.Step(2), Deltas.Step(4)]));
    }

    [Fact]
    public void A_reset_leaves_no_file()
    {
        Fill(3);
        ZoneJournal journal = Open();
        journal.Reset();
        Assert.Empty(_files.Paths);
        Assert.Equal((0, null), (journal.Count, journal.Base));
        journal.Append(Deltas.Step(9));
        Assert.Equal(10u, Open().Serial);
    }

    [Fact]
    public void Changes_behind_a_mark_are_left_when_it_starts_from_there()
    {
        Fill(3);
        ZoneJournal journal = Open();
        JournalBase mark = new(4, 1234);
        journal.AddMark(mark);
        journal.Append(Deltas.Step(4));
        Assert.Equal([new JournalMark(new JournalBase(1, 0), 0), new JournalMark(mark, 3)], Open().Marks);
        journal = Open();
        journal.StartFrom(mark);
        Assert.Equal([Deltas.Text(Deltas.Step(4))], Open().Read().Select(Deltas.Text));
        Assert.Equal(mark, Open().Base);
        journal.AddMark(new JournalBase(5, 5));
        journal.StartFrom(new JournalBase(5, 5));
        Assert.Empty(_files.Paths);
    }

    [LinuxFact]
    public void A_file_that_cannot_be_written_to_is_read()
    {
        // A running program, which not even root can open for writing.
        string path = Environment.ProcessPath!;
        Assert.True(new DiskFiles().TryOpen(path, out IJournalFile? file));
        using (file)
        {
            byte[] magic = new byte[4];
            Assert.Equal(4, file.Read(0, magic));
            Assert.Equal("\u007FELF"u8, magic);
            Assert.ThrowsAny<IOException>(() => file.Write(0, magic));
            Assert.ThrowsAny<IOException>(() => file.SetLength(file.Length));
        }
    }

    [Fact]
    public void A_journal_on_disk_is_what_it_is_in_memory()
    {
        string directory = Directory.CreateTempSubdirectory("dnsd-journal").FullName;
        string path = Path.Combine(directory, "zones", "example.com.journal");
        try
        {
            List<string> flushed = [];
            ZoneJournal journal = ZoneJournal.Open(path, Deltas.Zone, null, new DiskFiles(flushed.Add));
            journal.Append(Deltas.Step(1));
            journal.Append(Deltas.Step(2));
            Assert.Equal([directory, Path.GetDirectoryName(path)!], flushed);
            Assert.Equal(2, ZoneJournal.Open(path, Deltas.Zone).Read().Count());
            if (!OperatingSystem.IsWindows())
                Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, System.IO.File.GetUnixFileMode(path));
            Assert.Equal([path], Directory.GetFiles(Path.GetDirectoryName(path)!));
        }
        finally
        {
            Directory.Delete(directory, recursive: true);
        }
    }

    private ZoneJournal Open() => ZoneJournal.Open(File, Deltas.Zone, null, _files);

    /// <summary>Makes a file with some changes of the same length, from serial 1 on.</summary>
    /// <returns>Where each ends.</returns>
    private List<long> Fill(int count)
    {
        ZoneJournal journal = Open();
        List<long> ends = [];
        for (uint serial = 1; serial <= count; serial++)
        {
            journal.Append(Deltas.Step(serial));
            ends.Add(journal.Octets);
        }
        return ends;
    }
}
