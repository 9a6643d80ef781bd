using System.Globalization;
using Dns.Testing;

namespace Dns.Replication.Tests;

/// <summary>
/// Updates of a zone of a file: on disk before they are answered, over restarts, and beside a file that is edited.
/// </summary>
public class DynamicZonesTests
{
    private readonly FaultyFiles _files = new();

    [Fact]
    public async Task An_update_is_on_disk_before_it_is_served_and_answered()
    {
        UpdatedServer server = new(_files);
        List<(uint Serial, int Answered)> seen = [];
        _files.BeforeFlush = () => seen.Add((server.Slot.Zone!.Serial, server.Answered));
        Assert.Equal(Rcode.NoError, (await server.UpdateAsync("add new 60 A 192.0.2.9")).Rcode);
        // The journal, and once the version that it starts from.
        Assert.Equal([(42u, 0), (42u, 0)], seen);
        seen.Clear();
        await server.UpdateAsync("delete new A");
        Assert.Equal([(43u, 1)], seen);
        await server.UpdateAsync("add new 60 A 192.0.2.9");
        Assert.Equal(45u, server.Slot.Zone!.Serial);
        Assert.True(server.Has("new"));
        Assert.Equal("applied 192.0.2.7:5353  -1 +2 43", server.Told[0]);
        Assert.Equal(3, server.Zones.Counters.Of(UpdateResult.Applied));
        Assert.Equal(0, server.Zones.Waiting);
    }

    [Fact]
    public async Task An_update_that_changes_nothing_costs_no_flush_and_no_serial()
    {
        UpdatedServer server = new(_files);
        Assert.Equal(Rcode.NoError, (await server.UpdateAsync("delete missing", "add ns 300 A 192.0.2.1")).Rcode);
        Assert.Equal((42u, 0), (server.Slot.Zone!.Serial, _files.Flushed));
        Assert.Empty(_files.Paths);
        Assert.Equal(1, server.Zones.Counters.Of(UpdateResult.Unchanged));
    }

    [Fact]
    public async Task All_of_an_update_is_done_or_nothing()
    {
        UpdatedServer server = new(_files);
        Assert.Equal(Rcode.NXDomain, (await server.UpdateAsync("yxdomain missing", "add new 60 A 192.0.2.9")).Rcode);
        Assert.Equal(Rcode.NotZone,
            (await server.UpdateAsync("add new 60 A 192.0.2.9", "add www.other. 60 A 192.0.2.9")).Rcode);
        // An invalid zone: data below a DNAME (RFC 6672 §2.4).
        Assert.Equal(Rcode.Refused,
            (await server.UpdateAsync("add new 60 A 192.0.2.9", "add d 60 DNAME x.", "add a.d 60 A 192.0.2.9")).Rcode);
        Assert.Equal(42u, server.Slot.Zone!.Serial);
        Assert.False(server.Has("new"));
        Assert.Empty(_files.Paths);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task What_cannot_be_written_is_not_served_and_the_client_knows(bool isFull)
    {
        UpdatedServer server = new(_files);
        await server.UpdateAsync("add a 60 A 192.0.2.9");
        if (isFull) _files.Room = 30;
        else _files.Flushes = 0;
        Assert.Equal(Rcode.ServFail, (await server.UpdateAsync("add b 60 A 192.0.2.9")).Rcode);
        Assert.Equal((43u, false), (server.Slot.Zone!.Serial, server.Has("b")));
        Assert.Contains(server.Told, line => line.StartsWith("failed", StringComparison.Ordinal));
        Assert.Equal(server.Slot.Name, Assert.Single(server.Zones.Unsaved).Zone);
        (_files.Room, _files.Flushes) = (long.MaxValue, int.MaxValue);
        Assert.Equal(Rcode.NoError, (await server.UpdateAsync("add b 60 A 192.0.2.9")).Rcode);
        Assert.Empty(server.Zones.Unsaved);
        Assert.Equal(server.Served, new UpdatedServer(_files).Served);
    }

    [Fact]
    public async Task The_command_that_writes_the_file_ends_the_report_of_unsaved_updates()
    {
        UpdatedServer server = new(_files);
        _files.Flushes = 0;
        Assert.Equal(Rcode.ServFail, (await server.UpdateAsync("add b 60 A 192.0.2.9")).Rcode);
        _files.Flushes = int.MaxValue;
        Assert.Single(server.Zones.Unsaved);
        Assert.Null(server.Zones.Synchronise(server.Slot, _ => Assert.Fail("the file lacks nothing")));
        Assert.Empty(server.Zones.Unsaved);
    }

    [Theory]
    [InlineData(4 << 20, 1, 1)]
    [InlineData(1, 1, 100)]
    [InlineData(4 << 20, 0, 100)]
    public async Task Updates_that_wait_share_one_flush_up_to_a_size(long octets, int seconds, int flushes)
    {
        UpdatedServer server = new(_files,
            new UpdateOptions { MaxGroupOctets = octets, MaxGroupTime = TimeSpan.FromSeconds(seconds) });
        using ManualResetEventSlim begun = new(), goOn = new();
        _files.BeforeFlush = () =>
        {
            begun.Set();
            Assert.True(goOn.Wait(TimeSpan.FromMinutes(1)));
        };
        List<Task<byte[]>> answers = [server.SendRawAsync(UpdateText.Message("z.test", "add first 60 A 192.0.2.9"))];
        Assert.True(begun.Wait(TimeSpan.FromMinutes(1)));
        for (int i = 0; i < 100; i++)
            answers.Add(server.SendRawAsync(UpdateText.Message("z.test", $"add n{i} 60 A 192.0.2.9")));
        goOn.Set();
        foreach (byte[] answer in await Task.WhenAll(answers).WaitAsync(TimeSpan.FromMinutes(1)))
            Assert.Equal(Rcode.NoError, Reply.Read(answer).Rcode);
        // One for the version that the journal starts from.
        Assert.Equal((2 + flushes, 143u), (_files.Flushed, server.Slot.Zone!.Serial));
        Assert.True(server.History.TryFind(server.Slot, server.Slot.Zone, 142, out _));
    }

    [Fact]
    public async Task Names_with_more_empty_non_terminals_than_records_justify_are_refused()
    {
        UpdatedServer server = new(_files, new UpdateOptions { MaxEmptyNames = 60 });
        string below = string.Concat(Enumerable.Repeat("a.", 100));
        List<Rcode> rcodes = [];
        for (int i = 0; i < 9; i++)
            rcodes.Add((await server.UpdateAsync($"add {below}n{i} 60 A 192.0.2.9")).Rcode);
        int first = rcodes.IndexOf(Rcode.Refused);
        Assert.InRange(first, 1, 8);
        Assert.Contains("too many empty non-terminals", server.Told[^1]);
        Assert.All(rcodes.Skip(first), rcode => Assert.Equal(Rcode.Refused, rcode));
        // Records permit more; without them again, only what makes none is permitted.
        string[] others = [.. Enumerable.Range(10, 20).Select(i => $"other 60 A 192.0.2.{i}")];
        await server.UpdateAsync([.. others.Select(other => $"add {other}")]);
        for (int i = 1; i < 5; i++)
            Assert.Equal(Rcode.NoError, (await server.UpdateAsync($"add {below}n{i} 60 A 192.0.2.9")).Rcode);
        Assert.Equal(Rcode.NoError, (await server.UpdateAsync("delete other")).Rcode);
        Assert.Equal(Rcode.Refused, (await server.UpdateAsync($"add {below}n9 60 A 192.0.2.9")).Rcode);
        Assert.Equal(Rcode.NoError, (await server.UpdateAsync($"add {below}n0 60 AAAA 2001:db8::1")).Rcode);
        Assert.Equal(Rcode.NoError, (await server.UpdateAsync($"delete {below}n0")).Rcode);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_zone_that_takes_its_share_of_memory_does_not_grow_by_updates(bool isSigned)
    {
        long file = new UpdatedServer(new FaultyFiles()).Slot.Zone!.MemoryBytes;
        UpdatedServer server = new(_files, new UpdateOptions { MaxZoneBytes = file + 30_000 });
        if (isSigned) server.IsSigned = true;
        int added = 0;
        while (added < 5000 && (await server.UpdateAsync($"add n{added} 60 A 192.0.2.9")).Rcode == Rcode.NoError)
        {
            Assert.True(server.Slot.SourceZone!.MemoryBytes <= file + 30_000);
            added++;
        }
        // Of a signed zone, a kilobyte each counts.
        if (isSigned) Assert.InRange(added, 10, 29);
        else Assert.InRange(added, 30, 4999);
        Assert.Contains(isSigned ? "bytes of memory, with its signatures" : "bytes of memory", server.Told[^1]);
        Assert.Equal(Rcode.NoError,
            (await server.UpdateAsync("delete n0 A", "add n0 60 A 192.0.2.10")).Rcode);
        Assert.Equal(Rcode.NoError, (await server.UpdateAsync("delete n1")).Rcode);
    }

    [Fact]
    public async Task Records_in_the_place_of_smaller_ones_do_not_make_a_zone_exceed_its_memory()
    {
        long file = new UpdatedServer(new FaultyFiles()).Slot.Zone!.MemoryBytes;
        UpdatedServer server = new(_files, new UpdateOptions { MaxZoneBytes = file + 30_000 });
        for (int i = 0; i < 20; i++) await server.UpdateAsync($"add n{i} 60 A 192.0.2.9");
        string text = string.Join(' ', Enumerable.Repeat($"\"{new string('x', 250)}\"", 10));
        int replaced = 0;
        while (replaced < 20 && (await server.UpdateAsync($"delete n{replaced} A", $"add n{replaced} 60 TXT {text}"))
            .Rcode == Rcode.NoError) replaced++;
        Assert.InRange(replaced, 1, 15);
        Assert.InRange(server.Slot.Zone!.MemoryBytes, file, file + 30_000);
        Assert.Contains("bytes of memory", server.Told[^1]);
        Assert.Equal(Rcode.NoError, (await server.UpdateAsync("delete n0 TXT", "add n0 60 A 192.0.2.9")).Rcode);
    }

    [Fact]
    public async Task Records_at_more_names_do_not_make_a_zone_exceed_its_memory()
    {
        long file = new UpdatedServer(new FaultyFiles()).Slot.Zone!.MemoryBytes;
        UpdatedServer server = new(_files, new UpdateOptions { MaxZoneBytes = file + 30_000 });
        string longName = string.Join('.', Enumerable.Repeat(new string('x', 60), 3));
        int swapped = 0;
        for (Rcode last = Rcode.NoError; last == Rcode.NoError && swapped < 200; swapped++)
        {
            for (int i = 0; i < 10; i++) await server.UpdateAsync($"add {longName} 60 A 192.0.2.{i}");
            last = (await server.UpdateAsync([$"delete {longName}", .. Enumerable.Range(0, 10)
                .Select(i => $"add a.b.c.d.n{swapped}x{i} 60 A 192.0.2.9")])).Rcode;
        }
        Assert.InRange(swapped, 1, 30);
        Assert.InRange(server.Slot.Zone!.MemoryBytes, file, file + 30_000);
    }

    [Fact]
    public async Task Updated_zones_share_the_memory_until_one_is_removed()
    {
        string many = UpdatedServer.File + string.Concat(Enumerable.Range(0, 400).Select(i => $"n{i} A 192.0.2.9\n"));
        UpdatedServer server = new(_files, new UpdateOptions { MaxZoneBytes = 8000 });
        Assert.Equal(Rcode.NoError, (await server.UpdateAsync("add a 60 A 192.0.2.9")).Rcode);
        ZoneSlot other = new(DomainName.Parse("other.test"));
        server.Registry.Change(server, [], [other]);
        foreach (string text in (string[])[UpdatedServer.File, many]) server.Read(text, other);
        Assert.InRange(other.Zone!.MemoryBytes, 8000, 80_000);
        Assert.Equal(Rcode.Refused, (await server.UpdateAsync("add b 60 A 192.0.2.9")).Rcode);
        server.Read(UpdatedServer.File.Replace(" 42 ", " 50 "), other);
        Assert.Equal(Rcode.NoError, (await server.UpdateAsync("add b 60 A 192.0.2.9")).Rcode);
        server.Read(many.Replace(" 42 ", " 60 "), other);
        Assert.Equal(Rcode.Refused, (await server.UpdateAsync("add c 60 A 192.0.2.9")).Rcode);
        server.Registry.Change(server, [other], []);
        Assert.Equal(Rcode.NoError, (await server.UpdateAsync("add c 60 A 192.0.2.9")).Rcode);
    }

    [Fact]
    public async Task While_the_last_version_cannot_be_signed_additions_fail_and_removals_are_accepted()
    {
        UpdatedServer server = new(_files) { IsSigned = true };
        Zone signed = ZoneText.Load("z.test", UpdatedServer.File);
        server.Slot.PublishSigned(signed, version: server.Slot.SourceZone);
        Assert.Equal(Rcode.NoError, (await server.UpdateAsync("add a 60 A 192.0.2.9")).Rcode);
        server.Slot.FailSigning("no memory");
        Assert.Equal(Rcode.ServFail, (await server.UpdateAsync("add b 60 A 192.0.2.9")).Rcode);
        Assert.Contains("only removals are accepted: no memory", server.Told[^1]);
        Assert.Equal(1, server.Zones.Counters.Of(UpdateResult.Failed));
        // What changes nothing is answered as ever, and a removal is tried.
        Assert.Equal(Rcode.NoError, (await server.UpdateAsync("add a 60 A 192.0.2.9")).Rcode);
        Assert.Equal(Rcode.NXDomain, (await server.UpdateAsync("yxdomain b", "add b 60 A 192.0.2.9")).Rcode);
        Assert.Equal(43u, server.Slot.SourceZone!.Serial);
        Assert.Equal(Rcode.NoError, (await server.UpdateAsync("delete a")).Rcode);
        Assert.Equal(Rcode.ServFail, (await server.UpdateAsync("add b 60 A 192.0.2.9")).Rcode);
        // A file that was edited meanwhile, or has errors, is told, and permits no more.
        server.Slot.Fail("broken");
        server.Slot.FailSigning("no memory");
        Assert.Equal(Rcode.ServFail, (await server.UpdateAsync("add b 60 A 192.0.2.9")).Rcode);
        server.Slot.PublishSigned(signed, version: server.Slot.SourceZone);
        // The keys cannot be kept, but the version is served.
        server.Slot.FailSigning("disk full");
        Assert.Equal(Rcode.NoError, (await server.UpdateAsync("add b 60 A 192.0.2.9")).Rcode);
    }

    [Fact]
    public async Task An_update_that_makes_an_RRset_too_large_is_refused_and_logged()
    {
        UpdatedServer server = new(_files, new UpdateOptions { MaxRRsetOctets = 100 });
        for (int i = 0; i < 6; i++)
            Assert.Equal(Rcode.NoError, (await server.UpdateAsync($"add x 60 A 192.0.2.{i}")).Rcode);
        Assert.Equal(Rcode.Refused, (await server.UpdateAsync("add x 60 A 192.0.2.9")).Rcode);
        Assert.Contains("its A records at x.z.test. would have more than 100 octets", server.Told[^1]);
        Assert.Equal((48u, 1), (server.Slot.Zone!.Serial, server.Zones.Counters.Of(UpdateResult.Refused)));
    }

    [Theory]
    [InlineData("evaluated")]
    [InlineData("published")]
    [InlineData("logged")]
    public async Task An_update_that_meets_a_defect_of_the_server_fails_alone(string when)
    {
        UpdatedServer server = new(_files);
        string at = when == "logged" ? "applied 192.0.2.66" : "refused";
        server.OnTold = line => ThrowIf(line.StartsWith(at, StringComparison.Ordinal));
        server.Registry.VersionPublishing += (_, change) => ThrowIf(when == "published" && change.Now.Serial == 45);
        using ManualResetEventSlim begun = new(), goOn = new();
        _files.BeforeFlush = () =>
        {
            begun.Set();
            Assert.True(goOn.Wait(TimeSpan.FromMinutes(1)));
        };
        List<Task<byte[]>> answers = [server.SendRawAsync(UpdateText.Message("z.test", "add first 60 A 192.0.2.9"))];
        Assert.True(begun.Wait(TimeSpan.FromMinutes(1)));
        answers.Add(server.SendRawAsync(UpdateText.Message("z.test", "add before 60 A 192.0.2.9")));
        string[] lines =
            when == "evaluated" ? ["add d 60 DNAME x.", "add a.d 60 A 192.0.2.9"] : ["add d 60 A 192.0.2.9"];
        answers.Add(server.SendRawAsync(UpdateText.Message("z.test", lines), client: "192.0.2.66"));
        answers.Add(server.SendRawAsync(UpdateText.Message("z.test", "add after 60 A 192.0.2.9")));
        goOn.Set();
        byte[][] replies = await Task.WhenAll(answers).WaitAsync(TimeSpan.FromMinutes(1));
        _files.BeforeFlush = null;
        Assert.Equal([Rcode.NoError, Rcode.NoError, Rcode.ServFail, Rcode.NoError],
            replies.Select(reply => Reply.Read(reply).Rcode));
        Assert.Single(server.Told, line => line.StartsWith("crash", StringComparison.Ordinal));
        Assert.Equal((1, 3),
            (server.Zones.Counters.Of(UpdateResult.Failed), server.Zones.Counters.Of(UpdateResult.Applied)));
        Assert.True(server.Has("first") && server.Has("before") && server.Has("after"));
        // A change that is on disk is served, with the next version at the latest.
        Assert.Equal(when != "evaluated", server.Has("d"));
        Assert.Equal(server.Served, new UpdatedServer(_files).Served);
        Assert.Equal(Rcode.NoError, (await server.UpdateAsync("add more 60 A 192.0.2.9")).Rcode);
    }

    private static void ThrowIf(bool isDefect)
    {
        if (isDefect) throw new InvalidOperationException("a defect");
    }

    [Fact]
    public async Task The_journal_of_a_large_name_is_not_replayed_change_by_change()
    {
        string text = UpdatedServer.File + string.Concat(Enumerable.Range(0, 2000).Select(i => $"big TXT {i}\n"));
        long one = await ReplayAsync(1), many = await ReplayAsync(200);
        // Each change that is applied alone copies all records of the name.
        Assert.InRange(many, 0, one * 4);

        async Task<long> ReplayAsync(int changes)
        {
            FaultyFiles files = new();
            UpdatedServer server = new(files, text: text);
            uint from = server.Slot.Zone!.Serial;
            for (int i = 0; i < changes; i++) await server.UpdateAsync($"delete big TXT {i}", $"add big 300 TXT x{i}");
            Assert.Equal(from + (uint)changes, server.Slot.Zone!.Serial);
            long octets = AllocatedOctets.Least(() => new UpdatedServer(files, text: text));
            UpdatedServer next = new(files, text: text);
            Assert.Equal(server.Served, next.Served);
            Assert.True(next.History.TryFind(next.Slot, next.Slot.Zone!, from + (uint)changes - 1, out _));
            return octets;
        }
    }

    [Fact]
    public async Task More_updates_than_may_wait_are_a_server_failure()
    {
        UpdatedServer server = new(_files, new UpdateOptions { MaxWaitingOfZone = 6 });
        using ManualResetEventSlim begun = new(), goOn = new();
        _files.BeforeFlush = () =>
        {
            begun.Set();
            Assert.True(goOn.Wait(TimeSpan.FromMinutes(1)));
        };
        List<Task<byte[]>> answers = [server.SendRawAsync(UpdateText.Message("z.test", "add first 60 A 192.0.2.9"))];
        Assert.True(begun.Wait(TimeSpan.FromMinutes(1)));
        for (int i = 0; i < 3; i++)
            answers.Add(server.SendRawAsync(UpdateText.Message("z.test", $"add n{i} 60 A 192.0.2.9")));
        for (int i = 0; i < 20; i++)
            Assert.Equal(Rcode.ServFail, (await server.UpdateAsync("add more 60 A 192.0.2.9")).Rcode);
        Assert.Equal(4, server.Zones.Waiting);
        goOn.Set();
        await Task.WhenAll(answers).WaitAsync(TimeSpan.FromMinutes(1));
        Assert.Equal(20, server.Zones.Counters.Of(UpdateResult.Overloaded));
        Assert.False(server.Has("more"));
    }

    [Theory]
    [InlineData(4, 1L << 20)]
    [InlineData(1024, 200L)]
    public async Task Updates_of_all_zones_together_are_bounded_in_number_and_octets(int waiting, long octets)
    {
        UpdatedServer server = new(_files, new UpdateOptions { MaxWaiting = waiting, MaxWaitingOctets = octets });
        using ManualResetEventSlim begun = new(), goOn = new();
        _files.BeforeFlush = () =>
        {
            begun.Set();
            Assert.True(goOn.Wait(TimeSpan.FromMinutes(1)));
        };
        Task<byte[]> first = server.SendRawAsync(UpdateText.Message("z.test", "add first 60 A 192.0.2.9"));
        Assert.True(begun.Wait(TimeSpan.FromMinutes(1)));
        Task<byte[]> second = server.SendRawAsync(UpdateText.Message("z.test", "add second 60 A 192.0.2.9"));
        Assert.Equal(Rcode.ServFail, (await server.UpdateAsync("add third 60 A 192.0.2.9")).Rcode);
        goOn.Set();
        await Task.WhenAll(first, second).WaitAsync(TimeSpan.FromMinutes(1));
        Assert.Equal(Rcode.NoError, (await server.UpdateAsync("add third 60 A 192.0.2.9")).Rcode);
        Assert.Equal(0, server.Zones.Waiting);
    }

    [Fact]
    public async Task Updates_are_there_after_a_restart_and_so_is_their_history()
    {
        UpdatedServer server = new(_files);
        for (int i = 0; i < 5; i++) await server.UpdateAsync($"add n{i} 60 A 192.0.2.9");
        await server.UpdateAsync("delete n0");
        UpdatedServer again = new(_files);
        Assert.Equal(server.Served, again.Served);
        Assert.Equal(48u, again.Slot.Zone!.Serial);
        Assert.True(again.History.TryFind(again.Slot, again.Slot.Zone, 47, out _));
        await again.UpdateAsync("add last 60 A 192.0.2.9");
        Assert.Equal(49u, new UpdatedServer(_files).Slot.Zone!.Serial);
    }

    [Fact]
    public async Task Updates_of_a_zone_that_may_not_be_updated_any_more_are_still_there()
    {
        UpdatedServer server = new(_files);
        Assert.False(new UpdatedServer(_files, isOfFile: false).Zones.Covers(server.Slot));
        await server.UpdateAsync("add new 60 A 192.0.2.9");
        UpdatedServer again = new(_files, isOfFile: false);
        Assert.True(again.Zones.Covers(again.Slot));
        again.Read(UpdatedServer.File);
        Assert.Equal(server.Served, again.Served);
        Assert.Equal(Rcode.Refused, (await again.UpdateAsync("add more 60 A 192.0.2.9")).Rcode);
    }

    [Fact]
    public async Task A_crash_at_any_octet_loses_nothing_that_was_acknowledged()
    {
        UpdatedServer server = new(_files);
        List<(int Octets, IReadOnlyList<string> Served)> acknowledged = [(0, server.Served)];
        for (int i = 0; i < 6; i++)
        {
            await server.UpdateAsync(i == 4 ? "delete n2" : $"add n{i} 60 A 192.0.2.9");
            acknowledged.Add((_files[UpdatedServer.Journal].Length, server.Served));
        }
        byte[] whole = _files[UpdatedServer.Journal];
        for (int cut = acknowledged[1].Octets; cut <= whole.Length; cut++)
        {
            FaultyFiles disk = new() { [UpdatedServer.Journal] = whole[..cut] };
            UpdatedServer again = new(disk);
            Assert.Equal(acknowledged.Last(state => state.Octets <= cut).Served, again.Served);
            Assert.Equal(acknowledged.Exists(state => state.Octets == cut), again.Told.Count == 0);
        }
    }

    [Fact]
    public async Task A_file_that_was_edited_is_told_and_what_is_served_stays()
    {
        UpdatedServer server = new(_files);
        await server.UpdateAsync("add new 60 A 192.0.2.9");
        string edited = UpdatedServer.File.Replace(" 42 ", " 50 ") + "edited A 192.0.2.8\n";
        ZoneLoadResult result = server.Read(edited);
        Assert.Same(server.Slot.Zone, result.Zone);
        Assert.Equal((43u, true, false), (server.Slot.Zone!.Serial, server.Has("new"), server.Has("edited")));
        string conflict = server.Zones.StatusOf(server.Slot.Name)!.Conflict!.ToString();
        Assert.Contains("has serial 50", conflict);
        Assert.Contains("its version with serial 42", conflict);
        Assert.Equal(conflict, server.Slot.Failure?.Text);
        Assert.Contains(server.Told, line => line == "conflict " + conflict);
        // Updates continue, and the conflict stays.
        await server.UpdateAsync("add more 60 A 192.0.2.9");
        Assert.Equal((44u, conflict), (server.Slot.Zone.Serial, server.Slot.Failure?.Text));
        // The file as it was ends it.
        server.Read(UpdatedServer.File + "; a comment is no other version\n");
        Assert.Equal((44u, null, null),
            (server.Slot.Zone.Serial, server.Slot.Failure?.Text, server.Zones.StatusOf(server.Slot.Name)!.Conflict));
    }

    [Fact]
    public async Task What_is_served_stays_over_a_restart_while_the_file_is_in_conflict()
    {
        UpdatedServer server = new(_files);
        await server.UpdateAsync("add new 60 A 192.0.2.9");
        string edited = UpdatedServer.File.Replace(" 42 ", " 50 ");
        server.Read(edited);
        await server.UpdateAsync("add more 60 A 192.0.2.9");
        server.Read(edited + "again A 192.0.2.8\n");
        UpdatedServer again = new(_files, text: edited);
        Assert.Equal(server.Served, again.Served);
        Assert.Equal(ZoneState.Stale, again.Slot.State);
        Assert.NotNull(again.Zones.StatusOf(again.Slot.Name)!.Conflict);
        Assert.Equal(Rcode.NoError, (await again.UpdateAsync("add last 60 A 192.0.2.9")).Rcode);
        string file = "";
        again.Zones.Synchronise(again.Slot, zone => file = TextOf(zone));
        Assert.Empty(_files.Paths);
        Assert.Equal(again.Served, new UpdatedServer(_files, text: file).Served);
    }

    [Theory]
    [InlineData(".kept")]
    [InlineData(".journal")]
    public async Task A_conflict_whose_files_are_damaged_serves_nothing_that_is_wrong(string ending)
    {
        UpdatedServer server = new(_files);
        await server.UpdateAsync("add new 60 A 192.0.2.9");
        string edited = UpdatedServer.File.Replace(" 42 ", " 50 ");
        server.Read(edited);
        byte[] file = _files["state/zones/z.test" + ending];
        for (int at = 0; at < file.Length; at++)
        {
            byte before = file[at];
            file[at] ^= 0x10;
            FaultyFiles disk = new();
            foreach (string path in _files.Paths) disk[path] = [.. _files[path]];
            file[at] = before;
            UpdatedServer again = new(disk, text: edited);
            if (again.Slot.Zone is { } zone)
                // Above 1000 the damage is known, and the served changes are those that are left.
                Assert.True(zone.Serial > 1000 || zone.Serial == (again.Has("new") ? 43 : 50));
        }
    }

    [Fact]
    public async Task A_file_that_was_edited_while_the_server_was_down_leaves_a_small_zone_as_it_was()
    {
        UpdatedServer server = new(_files);
        await server.UpdateAsync("add new 60 A 192.0.2.9");
        await server.UpdateAsync("add more 60 A 192.0.2.9");
        string edited = UpdatedServer.File.Replace(" 42 ", " 50 ");
        for (int starts = 0; starts < 2; starts++)
        {
            UpdatedServer again = new(_files, text: edited);
            Assert.Equal((44u + (uint)starts, ZoneState.Stale, true),
                (again.Slot.Zone!.Serial, again.Slot.State, again.Has("more")));
            Assert.Contains("has been edited", again.Slot.Failure?.Text);
            Assert.Equal(Rcode.NoError, (await again.UpdateAsync($"add later{starts} 60 A 192.0.2.9")).Rcode);
        }
        UpdatedServer back = new(_files);
        Assert.Equal((46u, ZoneState.Serving, null),
            (back.Slot.Zone!.Serial, back.Slot.State, back.Slot.Failure?.Text));
        UpdatedServer once = new(_files, text: edited);
        Assert.Equal((46u, ZoneState.Stale), (once.Slot.Zone!.Serial, once.Slot.State));
        string file = "";
        Assert.NotNull(once.Zones.Synchronise(once.Slot, zone => file = TextOf(zone)));
        Assert.Empty(_files.Paths);
    }

    [Fact]
    public async Task A_zone_that_is_removed_does_not_come_back_with_what_was_served()
    {
        UpdatedServer server = new(_files);
        await server.UpdateAsync("add new 60 A 192.0.2.9");
        server.Registry.Change(server, [server.Slot], []);
        UpdatedServer again = new(_files, text: UpdatedServer.File.Replace(" 42 ", " 50 "));
        Assert.Equal((ZoneState.Failed, null), (again.Slot.State, again.Slot.Zone));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_zone_that_comes_back_without_its_rules_has_its_updates(bool isEdited)
    {
        UpdatedServer server = new(_files) { IsOfFile = false };
        // It has no journal yet when the directory of journals is listed.
        Assert.False(server.Zones.Covers(new AddedSlot(DomainName.Parse("never.updated.test"))));
        server.IsOfFile = true;
        await server.UpdateAsync("add new 60 A 192.0.2.9");
        server.IsOfFile = false;
        server.Registry.Change(server, [server.Slot], []);
        ZoneSlot back = new AddedSlot(server.Slot.Name);
        server.Registry.Change(server, [], [back]);
        server.Read(UpdatedServer.File.Replace(" 42 ", isEdited ? " 50 " : " 42 "), back);
        if (isEdited) Assert.Contains("has been edited: it has serial 50", back.Failure?.Text);
        Assert.Equal(isEdited ? null : 43, back.Zone?.Serial);
    }

    [Fact]
    public async Task A_removed_zone_with_another_file_can_be_added_once_its_journal_is_moved_away()
    {
        UpdatedServer server = new(_files);
        await server.UpdateAsync("add new 60 A 192.0.2.9");
        server.Registry.Change(server, [server.Slot], []);
        string edited = UpdatedServer.File.Replace(" 42 ", " 50 ");
        ZoneSlot refused = new AddedSlot(server.Slot.Name);
        ZoneLoadResult result = server.Zones.Publish(refused, Load(edited), "z.zone", server.Clock.GetUtcNow());
        Assert.Equal((null, 1), (result.Zone, result.ErrorCount));
        Assert.Contains("put the other version of the file back, or move the journal away", refused.Failure?.Text);
        Assert.DoesNotContain("thaw", refused.Failure?.Text);
        server.Zones.Abandon(server.Slot.Name);
        Assert.Null(server.Zones.StatusOf(server.Slot.Name));
        _files.Move(UpdatedServer.Journal, "elsewhere");
        ZoneSlot added = new AddedSlot(server.Slot.Name);
        server.Zones.Publish(added, Load(edited), "z.zone", server.Clock.GetUtcNow());
        Assert.Equal((50u, null), (added.Zone?.Serial, added.Failure?.Text));
    }

    [Fact]
    public async Task Another_file_that_a_served_zone_cannot_get_leaves_no_conflict()
    {
        UpdatedServer server = new(_files);
        await server.UpdateAsync("add new 60 A 192.0.2.9");
        ZoneSlot refused = new AddedSlot(server.Slot.Name);
        refused.Publish(server.Slot.Zone!);
        string edited = UpdatedServer.File.Replace(" 42 ", " 50 ");
        ZoneLoadResult result = server.Zones.Publish(refused, Load(edited), "other.zone", server.Clock.GetUtcNow());
        Assert.Equal((null, 1), (result.Zone, result.ErrorCount));
        Assert.Contains("before another file, \"dnsd zone sync z.test.\"", refused.Failure?.Text);
        server.Zones.Abandon(server.Slot.Name);
        // The operator may not drop the updates for a file that is not the zone's.
        Assert.Equal((1, null), (server.Zones.StatusOf(server.Slot.Name)?.JournalCount,
            server.Zones.StatusOf(server.Slot.Name)?.Conflict));
        Assert.Equal(ThawResult.NotFrozen, server.Zones.Thaw(server.Slot, () => true));
    }

    [Fact]
    public async Task A_file_that_was_edited_while_the_server_was_down_is_not_served_without_its_updates()
    {
        UpdateOptions options = new() { MaxKeptRecords = 0 };
        UpdatedServer server = new(_files, options);
        await server.UpdateAsync("add new 60 A 192.0.2.9");
        string edited = UpdatedServer.File.Replace(" 42 ", " 50 ");
        UpdatedServer down = new(_files, options);
        ZoneSlot fresh = new(down.Slot.Name);
        down.Registry.Change(down, [down.Slot], [fresh]);
        Assert.True(down.Zones.Covers(fresh));
        ZoneLoadResult result = down.Zones.Publish(fresh, Load(edited), "z.zone", down.Clock.GetUtcNow());
        Assert.Null(result.Zone);
        Assert.Equal(1, result.ErrorCount);
        Assert.Equal(ZoneState.Failed, fresh.State);
        Assert.Contains("has been edited", fresh.Failure?.Text);
        // The operator decides for the file.
        Assert.Equal(
            ThawResult.Thawed,
            down.Zones.Thaw(fresh,
                () => down.Zones.Publish(fresh, Load(edited), "z.zone", down.Clock.GetUtcNow()).Zone is not null));
        Assert.Equal((50u, ZoneState.Serving), (fresh.Zone!.Serial, fresh.State));
    }

    [Fact]
    public async Task What_is_served_is_written_out_and_the_journal_is_empty()
    {
        UpdatedServer server = new(_files);
        await server.UpdateAsync("add new 60 A 192.0.2.9");
        string file = "";
        Assert.NotNull(server.Zones.Synchronise(server.Slot, zone => file = TextOf(zone)));
        Assert.Empty(_files.Paths);
        server.Read(file);
        Assert.Equal((43u, null), (server.Slot.Zone!.Serial, server.Slot.Failure?.Text));
        Assert.Null(server.Zones.Synchronise(server.Slot, _ => Assert.Fail("nothing is to be written")));
        await server.UpdateAsync("add more 60 A 192.0.2.9");
        UpdatedServer again = new(_files);
        // The old file is none of the versions that the journal starts from.
        Assert.Equal(ZoneState.Stale, again.Slot.State);
        again.Read(file);
        Assert.Equal(server.Served, again.Served);
    }

    [Fact]
    public async Task A_crash_while_it_is_written_out_loses_nothing()
    {
        UpdatedServer server = new(_files);
        await server.UpdateAsync("add new 60 A 192.0.2.9");
        string file = "";
        byte[] journal = [];
        server.Zones.Synchronise(server.Slot, zone =>
        {
            file = TextOf(zone);
            Assert.Equal(Rcode.NoError,
                server.UpdateAsync("add meanwhile 60 A 192.0.2.9").GetAwaiter().GetResult().Rcode);
            journal = _files[UpdatedServer.Journal];
        });
        // Before the new file is in its place, and after: the journal has a mark for either.
        foreach (string found in new[] { UpdatedServer.File, file })
        {
            FaultyFiles disk = new() { [UpdatedServer.Journal] = journal };
            UpdatedServer again = new(disk, isOfFile: true);
            again.Slot.Expire("a restart");
            again.Read(found);
            Assert.Equal(server.Served, again.Served);
            Assert.Null(again.Zones.StatusOf(again.Slot.Name)!.Conflict);
        }
        // And after it all was done.
        UpdatedServer last = new(_files);
        last.Read(file);
        Assert.Equal(server.Served, last.Served);
    }

    [Fact]
    public async Task A_file_that_cannot_be_written_leaves_the_journal()
    {
        UpdatedServer server = new(_files);
        await server.UpdateAsync("add new 60 A 192.0.2.9");
        Assert.Throws<IOException>(
            () => server.Zones.Freeze(server.Slot, _ => throw new IOException("read-only file system")));
        Assert.False(server.Zones.StatusOf(server.Slot.Name)!.IsFrozen);
        Assert.Equal(server.Served, new UpdatedServer(_files).Served);
    }

    [Fact]
    public async Task A_frozen_zone_refuses_updates_until_its_edited_file_is_taken()
    {
        UpdatedServer server = new(_files);
        await server.UpdateAsync("add new 60 A 192.0.2.9");
        string file = "";
        server.Zones.Freeze(server.Slot, zone => file = TextOf(zone));
        Assert.True(server.Zones.StatusOf(server.Slot.Name)!.IsFrozen);
        Assert.Equal(Rcode.Refused, (await server.UpdateAsync("add more 60 A 192.0.2.9")).Rcode);
        Assert.Contains("frozen", server.Told[^1]);
        string edited = file.Replace(" 43 ", " 60 ") + "edited.z.test. 300 IN A 192.0.2.8\n";
        // A file with errors changes nothing.
        Assert.Equal(ThawResult.FileRefused, server.Zones.Thaw(server.Slot, () => false));
        Assert.True(server.Zones.StatusOf(server.Slot.Name)!.IsFrozen);
        Assert.Equal(ThawResult.Thawed, server.Zones.Thaw(server.Slot, () => server.Read(edited).Zone is not null));
        Assert.Equal((60u, true, true), (server.Slot.Zone!.Serial, server.Has("edited"), server.Has("new")));
        Assert.Equal(Rcode.NoError, (await server.UpdateAsync("add more 60 A 192.0.2.9")).Rcode);
        Assert.Equal(61u, server.Slot.Zone.Serial);
    }

    [Fact]
    public async Task Thawing_a_zone_that_is_not_frozen_drops_no_update()
    {
        UpdatedServer server = new(_files);
        await server.UpdateAsync("add new 60 A 192.0.2.9");
        Assert.Equal(ThawResult.NotFrozen,
            server.Zones.Thaw(server.Slot, () => server.Read(UpdatedServer.File).Zone is not null));
        Assert.Equal((43u, true), (server.Slot.Zone!.Serial, server.Has("new")));
        Assert.True(_files.Exists(UpdatedServer.Journal));
        Assert.False(_files.Exists(UpdatedServer.Journal + DynamicZones.DroppedEnding));
    }

    [Fact]
    public async Task Who_takes_the_file_drops_the_updates_and_keeps_them_aside()
    {
        UpdatedServer server = new(_files);
        await server.UpdateAsync("add new 60 A 192.0.2.9");
        byte[] journal = _files[UpdatedServer.Journal];
        string edited = UpdatedServer.File.Replace(" 42 ", " 50 ");
        server.Read(edited);
        Assert.Equal(ThawResult.Thawed, server.Zones.Thaw(server.Slot, () => server.Read(edited).Zone is not null));
        Assert.Equal((50u, false, null), (server.Slot.Zone!.Serial, server.Has("new"), server.Slot.Failure?.Text));
        Assert.Equal(journal, _files[UpdatedServer.Journal + DynamicZones.DroppedEnding][..journal.Length]);
        Assert.False(_files.Exists(UpdatedServer.Journal));
    }

    [Fact]
    public async Task A_journal_that_another_server_has_written_to_is_followed()
    {
        UpdatedServer server = new(_files);
        await server.UpdateAsync("add first 60 A 192.0.2.9");
        UpdatedServer successor = new(_files);
        await server.UpdateAsync("add second 60 A 192.0.2.9");
        Assert.Equal(Rcode.ServFail, (await successor.UpdateAsync("add third 60 A 192.0.2.9")).Rcode);
        Assert.Equal((44u, true), (successor.Slot.Zone!.Serial, successor.Has("second")));
        Assert.Empty(successor.Zones.Unsaved);
        Assert.Equal(Rcode.NoError, (await successor.UpdateAsync("add third 60 A 192.0.2.9")).Rcode);
        Assert.Equal(successor.Served, new UpdatedServer(_files).Served);
    }

    [Fact]
    public async Task A_server_that_takes_over_has_what_the_one_before_took_meanwhile()
    {
        UpdatedServer server = new(_files);
        UpdatedServer successor = new(_files, holds: true);
        await server.UpdateAsync("add first 60 A 192.0.2.9");
        await server.UpdateAsync("add second 60 A 192.0.2.9");
        Assert.Empty(successor.CatchUp());
        Assert.Equal(server.Served, successor.Served);
        Assert.Equal(Rcode.NoError, (await successor.UpdateAsync("add third 60 A 192.0.2.9")).Rcode);
        successor.CatchUp();
        Assert.Equal(45u, successor.Slot.Zone!.Serial);
    }

    [Theory]
    [InlineData(true, false)]
    [InlineData(true, true)]
    [InlineData(false, false)]
    [InlineData(false, true)]
    public async Task A_zone_that_the_server_before_writes_out_is_followed_by_the_one_that_takes_over(
        bool isReadAtOnce, bool isUpdatedAfterwards)
    {
        UpdatedServer server = new(_files);
        await server.UpdateAsync("add a 60 A 192.0.2.9");
        UpdatedServer successor = new(_files, holds: true);
        await server.UpdateAsync("add b 60 A 192.0.2.9");
        string file = "";
        server.Zones.Synchronise(server.Slot, zone => file = TextOf(zone));
        server.Read(file);
        if (isReadAtOnce) successor.Read(file);
        if (isUpdatedAfterwards) await server.UpdateAsync("add c 60 A 192.0.2.9");
        foreach (DomainName zone in successor.CatchUp())
        {
            Assert.Equal(server.Slot.Name, zone);
            Assert.False(isReadAtOnce);
            successor.Read(file);
        }
        Assert.Equal(server.Served, successor.Served);
        Assert.Equal((isUpdatedAfterwards ? 45u : 44u, null),
            (successor.Slot.Zone!.Serial, successor.Slot.Failure?.Text));
        Assert.Equal(Rcode.NoError, (await successor.UpdateAsync("add d 60 A 192.0.2.9")).Rcode);
        Assert.DoesNotContain(successor.Told, line => line.StartsWith("conflict", StringComparison.Ordinal));
        UpdatedServer next = new(_files, text: file);
        Assert.Equal(successor.Served, next.Served);
    }

    [Fact]
    public async Task A_server_writes_no_file_of_a_zone_that_the_one_before_still_updates()
    {
        UpdatedServer server = new(_files);
        await server.UpdateAsync("add a 60 A 192.0.2.9");
        string edited = UpdatedServer.File.Replace(" 42 ", " 50 "), file = "";
        UpdatedServer successor = new(_files, holds: true);
        server.Zones.Synchronise(server.Slot, zone =>
        {
            file = TextOf(zone);
            // The mark of the file is in the journal, and its changes are not gone yet.
            AssertSame(() => successor.Read(file));
        });
        await server.UpdateAsync("add b 60 A 192.0.2.9");
        AssertSame(() => successor.Read(file));
        AssertSame(() => successor.Read(edited));
        Assert.Empty(successor.Told);
        Assert.Null(successor.Slot.Failure);
        Assert.Equal([server.Slot.Name], successor.CatchUp());
        byte[] before = _files[UpdatedServer.Journal];
        successor.Read(edited);
        Assert.NotEqual(before, _files[UpdatedServer.Journal]);
        Assert.Contains("has been edited", Assert.Single(successor.Told));
        Assert.NotNull(successor.Slot.Failure);

        void AssertSame(Action read)
        {
            byte[] journal = _files[UpdatedServer.Journal], kept = _files[UpdatedServer.Kept];
            read();
            Assert.Equal(journal, _files[UpdatedServer.Journal]);
            Assert.Equal(kept, _files[UpdatedServer.Kept]);
        }
    }

    [Fact]
    public async Task A_journal_that_leads_elsewhere_takes_no_update_before_both_are_read_again()
    {
        UpdatedServer server = new(_files);
        UpdatedServer successor = new(_files);
        await server.UpdateAsync("add first 60 A 192.0.2.9");
        await server.UpdateAsync("add second 60 A 192.0.2.9");
        // An existing file is not overwritten.
        Assert.Equal(Rcode.ServFail, (await successor.UpdateAsync("add third 60 A 192.0.2.9")).Rcode);
        Assert.Equal(44u, successor.Slot.Zone!.Serial);
        Assert.Equal(Rcode.NoError, (await successor.UpdateAsync("add third 60 A 192.0.2.9")).Rcode);
        ZoneJournal journal = ZoneJournal.Open(UpdatedServer.Journal, server.Slot.Name, null, _files);
        journal.Replace(journal.Base!.Value, [CondensedDelta.Of([.. journal.Read()])!]);
        for (int i = 0; i < 2; i++)
            Assert.Equal(Rcode.ServFail, (await server.UpdateAsync("add other 60 A 192.0.2.9")).Rcode);
        Assert.Contains("it leads to serial 45", Assert.Single(server.Zones.Unsaved).Reason);
        server.Read(UpdatedServer.File);
        Assert.Equal(Rcode.NoError, (await server.UpdateAsync("add other 60 A 192.0.2.9")).Rcode);
        Assert.Equal(server.Served, new UpdatedServer(_files).Served);
        Assert.DoesNotContain(server.Told.Concat(successor.Told),
            line => line.StartsWith("crash", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_journal_that_somebody_removed_takes_no_update_before_the_zone_is_written_out()
    {
        UpdatedServer server = new(_files);
        Assert.Equal(Rcode.NoError, (await server.UpdateAsync("add a 60 A 192.0.2.9")).Rcode);
        _files.Delete(UpdatedServer.Journal);
        // Neither the first nor the next: they would be changes of a version that is not on disk.
        for (int i = 0; i < 2; i++)
            Assert.Equal(Rcode.ServFail, (await server.UpdateAsync("add b 60 A 192.0.2.9")).Rcode);
        Assert.Contains(server.Told, line => line.Contains("dnsd zone sync z.test.", StringComparison.Ordinal));
        Assert.Contains("it is gone", Assert.Single(server.Zones.Unsaved).Reason);
        Zone? written = null;
        Assert.NotNull(server.Zones.Synchronise(server.Slot, zone => written = zone));
        Assert.Equal(43u, written!.Serial);
        Assert.Empty(server.Zones.Unsaved);
        Assert.Equal(Rcode.NoError, (await server.UpdateAsync("add b 60 A 192.0.2.9")).Rcode);
        Assert.Equal(44u, server.Slot.Zone!.Serial);
    }

    [Fact]
    public async Task A_journal_that_grows_is_compacted_to_what_differs()
    {
        UpdatedServer server = new(_files, new UpdateOptions { Journal = new JournalOptions { MaxOctets = 4000 } });
        for (int i = 0; i < 60; i++)
        {
            Assert.Equal(Rcode.NoError, (await server.UpdateAsync("delete x", $"add x 60 TXT \"{i}\"")).Rcode);
            Assert.InRange(_files[UpdatedServer.Journal].Length, 1, 4000);
        }
        Assert.Equal(102u, server.Slot.Zone!.Serial);
        Assert.Equal(server.Served, new UpdatedServer(_files).Served);
    }

    [Fact]
    public async Task An_update_that_is_stored_succeeds_also_if_the_journal_cannot_be_compacted()
    {
        UpdatedServer server = new(_files, new UpdateOptions { Journal = new JournalOptions { MaxOctets = 4000 } });
        _files.BeforeRead = _ => throw new InvalidOperationException("a defect");
        int taken = 0;
        while (server.Told.TrueForAll(line => !line.StartsWith("crash", StringComparison.Ordinal)))
        {
            Assert.Equal(Rcode.NoError, (await server.UpdateAsync($"add n{taken} 60 A 192.0.2.9")).Rcode);
            Assert.InRange(++taken, 1, 100);
        }
        _files.BeforeRead = null;
        Assert.Equal((uint)(42 + taken), server.Slot.Zone!.Serial);
        Assert.Equal(server.Served, new UpdatedServer(_files).Served);
    }

    [Fact]
    public async Task A_journal_that_takes_too_much_memory_to_compact_is_told_before_it_is_full()
    {
        JournalOptions journal = new() { MaxOctets = 4000 };
        UpdatedServer server = new(_files, new UpdateOptions { Journal = journal, MaxCondensedBytes = 0 });
        int taken = 0;
        while ((await server.UpdateAsync("delete x", $"add x 60 TXT \"{taken}\"")).Rcode == Rcode.NoError)
            Assert.InRange(++taken, 1, 100);
        string[] told = [.. server.Told.Where(line => line.StartsWith("not compacted", StringComparison.Ordinal))];
        // Not at each update.
        Assert.InRange(told.Length, 2, 5);
        Assert.InRange(int.Parse(told[0].Split(' ')[^1], CultureInfo.InvariantCulture), 2000, 2400);
        Assert.Contains("it would have", Assert.Single(server.Zones.Unsaved).Reason);
        Assert.Equal(server.Served, new UpdatedServer(_files).Served);
    }

    [Fact]
    public async Task A_journal_that_is_full_takes_no_more_until_it_is_written_out()
    {
        UpdatedServer server = new(_files, new UpdateOptions { Journal = new JournalOptions { MaxOctets = 2000 } });
        int taken = 0;
        while ((await server.UpdateAsync($"add n{taken} 60 A 192.0.2.9")).Rcode == Rcode.NoError)
            Assert.InRange(++taken, 1, 100);
        Assert.Equal((uint)(42 + taken), server.Slot.Zone!.Serial);
        server.Zones.Synchronise(server.Slot, _ => { });
        Assert.Equal(Rcode.NoError, (await server.UpdateAsync($"add n{taken} 60 A 192.0.2.9")).Rcode);
    }

    [Fact]
    public void A_journal_of_another_zone_fails_the_zone_and_is_left_alone()
    {
        ZoneJournal journal = ZoneJournal.Open(UpdatedServer.Journal, Deltas.Zone, null, _files);
        journal.Append(Deltas.Step(1));
        byte[] before = _files[UpdatedServer.Journal];
        UpdatedServer server = new(_files);
        Assert.Equal(ZoneState.Failed, server.Slot.State);
        Assert.Contains("expected that of z.test.", server.Slot.Failure?.Text);
        Assert.Equal(before, _files[UpdatedServer.Journal]);
    }

    private static string TextOf(Zone zone)
    {
        MemoryStream stream = new();
        ZoneDump.Write(zone, stream);
        return System.Text.Encoding.ASCII.GetString(stream.ToArray());
    }

    private sealed class AddedSlot(DomainName name) : ZoneSlot(name)
    {
        public override bool IsToBeAdded => true;
    }

    private static ZoneLoadResult Load(string text)
    {
        string path = Path.GetTempFileName();
        System.IO.File.WriteAllText(path, text);
        ZoneLoadResult result = ZoneLoader.Load(DomainName.Parse("z.test"), path);
        System.IO.File.Delete(path);
        return result;
    }
}
