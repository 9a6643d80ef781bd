namespace Dns.Replication.Tests;

/// <summary>A journal whose octets the disk has changed: no serial of a lost version is used again.</summary>
public class LostUpdatesTests
{
    private readonly FaultyFiles _files = new();

    [Fact]
    public async Task After_a_loss_the_serial_is_above_all_that_were_served()
    {
        (UpdatedServer server, List<int> ends) = await UpdateAsync(6);
        uint served = server.Slot.Zone!.Serial;
        Damage(ends[2] + 30);
        UpdatedServer again = new(_files);
        Assert.Equal((served + 1000, true, false),
            (again.Slot.Zone!.Serial, again.Has("n2"), again.Has("n3")));
        // Secondaries with a lost version transfer the whole zone, those with an earlier one the differences.
        for (uint lost = 46; lost <= served; lost++)
            Assert.False(again.History.TryFind(again.Slot, again.Slot.Zone, lost, out _));
        Assert.True(again.History.TryFind(again.Slot, again.Slot.Zone, 45, out _));
        Assert.Single(again.Told, line => line.StartsWith("loss", StringComparison.Ordinal));
        Assert.Equal(Rcode.NoError, (await again.UpdateAsync("add next 60 A 192.0.2.9")).Rcode);
        Assert.Equal(served + 1001, again.Slot.Zone.Serial);
        // It survives, and is not raised again.
        UpdatedServer last = new(_files);
        Assert.Equal(again.Served, last.Served);
        Assert.Empty(last.Told);
        Assert.Null(last.Zones.StatusOf(last.Slot.Name)!.Loss);
    }

    [Fact]
    public async Task An_octet_that_is_wrong_anywhere_behind_the_header_reuses_no_serial()
    {
        (UpdatedServer server, List<int> ends) = await UpdateAsync(3);
        byte[] journal = _files[UpdatedServer.Journal], kept = _files[UpdatedServer.Kept];
        for (int at = ends[0] - (ends[1] - ends[0]); at < journal.Length; at++)
        {
            _files[UpdatedServer.Journal] = [.. journal];
            _files[UpdatedServer.Kept] = kept;
            Damage(at);
            UpdatedServer again = new(_files);
            Assert.InRange(again.Slot.Zone!.Serial, server.Slot.Zone!.Serial + 990, server.Slot.Zone.Serial + 1010);
            Assert.NotNull(again.Zones.StatusOf(again.Slot.Name)!.Loss);
            Assert.Equal(again.Served, new UpdatedServer(_files).Served);
        }
    }

    [Fact]
    public async Task Changes_that_were_condensed_into_the_damaged_one_count_too()
    {
        UpdatedServer server = new(_files, new UpdateOptions { Journal = new JournalOptions { MaxOctets = 8000 } });
        for (int i = 0; i < 3000; i++) await server.UpdateAsync("delete x", $"add x 60 TXT \"{i}\"");
        uint served = server.Slot.Zone!.Serial;
        Damage(100);
        Assert.InRange(new UpdatedServer(_files).Slot.Zone!.Serial, served + 1000, served + 1100);
    }

    [Fact]
    public async Task A_loss_of_all_changes_raises_the_serial_above_the_file()
    {
        (_, List<int> ends) = await UpdateAsync(3);
        Damage(ends[0] - 10);
        // The file may have been edited meanwhile.
        string edited = UpdatedServer.File.Replace(" 42 ", " 43 ");
        UpdatedServer again = new(_files, text: edited);
        Assert.Equal((1045u, false), (again.Slot.Zone!.Serial, again.Has("n0")));
        Assert.Equal(Rcode.NoError, (await again.UpdateAsync("add next 60 A 192.0.2.9")).Rcode);
        Assert.Equal(again.Served, new UpdatedServer(_files, text: edited).Served);
    }

    [Fact]
    public async Task A_file_with_a_greater_serial_than_any_lost_one_is_served_as_it_is()
    {
        (_, List<int> ends) = await UpdateAsync(3);
        Damage(ends[0] - 10);
        string edited = UpdatedServer.File.Replace(" 42 ", " 9000 ");
        UpdatedServer again = new(_files, text: edited);
        Assert.Equal((9000u, null), (again.Slot.Zone!.Serial, again.Slot.Failure?.Text));
        Assert.Equal(Rcode.NoError, (await again.UpdateAsync("add next 60 A 192.0.2.9")).Rcode);
        Assert.Equal(again.Served, new UpdatedServer(_files, text: edited).Served);
    }

    [Fact]
    public async Task A_zone_whose_raised_serial_cannot_be_written_is_not_served_and_mended_later()
    {
        (_, List<int> ends) = await UpdateAsync(4);
        Damage(ends[1] + 30);
        // Room for the copy of the damaged octets alone.
        _files.Room = ends[3] - ends[1];
        UpdatedServer again = new(_files);
        Assert.Equal((ZoneState.Failed, null), (again.Slot.State, again.Slot.Zone));
        _files.Room = long.MaxValue;
        again.Read(UpdatedServer.File);
        Assert.Equal((1046u, null), (again.Slot.Zone!.Serial, again.Slot.Failure?.Text));
        Assert.Equal(again.Served, new UpdatedServer(_files).Served);
    }

    [Fact]
    public async Task A_crash_between_any_two_writes_of_the_raised_serial_forgets_no_loss()
    {
        (UpdatedServer server, List<int> ends) = await UpdateAsync(4);
        Damage(ends[1] + 30);
        byte[] damaged = _files[UpdatedServer.Journal], kept = _files[UpdatedServer.Kept];
        bool isKilled = true;
        for (int writes = 0; isKilled; writes++)
        {
            _files[UpdatedServer.Journal] = [.. damaged];
            _files[UpdatedServer.Kept] = [.. kept];
            MortalFiles process = new(_files) { WritesLeft = writes, LastPart = 0.5 };
            _ = new UpdatedServer(process);
            isKilled = process.IsDead;
            Assert.Equal((writes, server.Slot.Zone!.Serial + 1000),
                (writes, new UpdatedServer(_files).Slot.Zone!.Serial));
        }
    }

    [Fact]
    public async Task A_loss_that_is_found_while_the_zone_is_served_takes_no_update_before_it_is_written_out()
    {
        (UpdatedServer server, List<int> ends) = await UpdateAsync(3);
        await new UpdatedServer(_files).UpdateAsync("add other 60 A 192.0.2.9");
        Damage(ends[1] + 30);
        for (int i = 0; i < 2; i++)
            Assert.Equal(Rcode.ServFail, (await server.UpdateAsync("add more 60 A 192.0.2.9")).Rcode);
        Assert.Contains("dnsd zone sync z.test.", server.Told[^1]);
        // A crash before it is written out leaves the damage to be found by the next start.
        byte[] damaged = _files[UpdatedServer.Journal];
        Assert.Throws<IOException>(() => server.Zones.Synchronise(server.Slot, _ => throw new IOException("full")));
        Assert.Equal(damaged, _files[UpdatedServer.Journal]);
        Assert.Equal(45u, server.Slot.Zone!.Serial);
        // The other server has served 46.
        Assert.Equal(1046u, server.Zones.Synchronise(server.Slot, zone => Assert.Equal(1046u, zone.Serial))?.Serial);
        Assert.Equal((1046u, null), (server.Slot.Zone!.Serial, server.Zones.StatusOf(server.Slot.Name)!.Loss));
        Assert.Equal(Rcode.NoError, (await server.UpdateAsync("add more 60 A 192.0.2.9")).Rcode);
        Assert.Equal((1047u, true), (server.Slot.Zone!.Serial, server.Has("n2")));
    }

    [Fact]
    public async Task The_status_has_the_loss_until_the_zone_is_written_out()
    {
        (_, List<int> ends) = await UpdateAsync(4);
        Damage(ends[1] + 30);
        UpdatedServer again = new(_files);
        Assert.Contains("the zone continues at serial 1046 or above",
            again.Zones.StatusOf(again.Slot.Name)!.Loss!.ToString());
        Assert.Equal([again.Slot.Name], again.Zones.Lossy);
        again.Zones.Synchronise(again.Slot, _ => { });
        Assert.Null(again.Zones.StatusOf(again.Slot.Name)!.Loss);
        Assert.Empty(again.Zones.Lossy);
    }

    [Fact]
    public async Task An_incomplete_end_that_was_never_acknowledged_raises_nothing()
    {
        (UpdatedServer server, List<int> ends) = await UpdateAsync(3);
        IReadOnlyList<string> served = server.Served;
        byte[] journal = _files[UpdatedServer.Journal];
        await server.UpdateAsync("add torn 60 TXT \"" + new string('x', 200) + "\" \"" + new string('y', 200) +
            "\" \"" + new string('z', 200) + "\"");
        byte[] torn = _files[UpdatedServer.Journal];
        // Cut, not written at all, and with a sector that was not written.
        int sector = (ends[2] / 512 + 1) * 512;
        foreach (byte[] found in (byte[][])
            [torn[..^1], [.. journal, .. new byte[torn.Length - journal.Length]],
                [.. torn[..sector], .. new byte[torn.Length - sector]]])
        {
            _files[UpdatedServer.Journal] = found;
            UpdatedServer again = new(_files);
            Assert.Equal(served, again.Served);
            Assert.Null(again.Zones.StatusOf(again.Slot.Name)!.Loss);
        }
    }

    [Theory]
    [InlineData("gone", true), InlineData("empty", true), InlineData("empty", false)]
    [InlineData("header cut", true), InlineData("header cut", false), InlineData("changes cut", true)]
    [InlineData("changes cut", false)]
    public async Task Without_the_changes_that_it_had_a_journal_is_a_loss(string fault, bool isBaseKept)
    {
        (_, List<int> ends) = await UpdateAsync(3);
        byte[] journal = _files[UpdatedServer.Journal];
        if (fault == "gone") _files.Delete(UpdatedServer.Journal);
        else
            _files[UpdatedServer.Journal] =
                journal[..(fault == "empty" ? 0 : fault == "header cut" ? 20 : ends[0] - 3)];
        if (!isBaseKept) _files.Delete(UpdatedServer.Kept);
        UpdatedServer again = new(_files);
        Assert.Equal((100_042u, null), (again.Slot.Zone!.Serial, again.Slot.Failure?.Text));
        Assert.Equal(["loss it has no change, and had some, which are lost"], again.Told);
        Assert.Contains("the zone continues at serial 100042",
            again.Zones.StatusOf(again.Slot.Name)!.Loss!.ToString());
        Assert.Equal(Rcode.NoError, (await again.UpdateAsync("add next 60 A 192.0.2.9")).Rcode);
        // It is told once, and survives.
        UpdatedServer last = new(_files);
        Assert.Equal(100_043u, last.Slot.Zone!.Serial);
        Assert.Equal(again.Served, last.Served);
        Assert.Empty(last.Told);
    }

    [Fact]
    public async Task A_crash_between_any_two_writes_of_a_command_is_no_loss()
    {
        (UpdatedServer server, _) = await UpdateAsync(3);
        string written = UpdatedServer.File.Replace(" 42 ", " 45 ") + "n0 60 A 192.0.2.9\nn1 60 A 192.0.2.9\n"
            + "n2 60 A 192.0.2.9\n";
        byte[] journal = _files[UpdatedServer.Journal], kept = _files[UpdatedServer.Kept];
        bool isKilled = true;
        for (int writes = 0; isKilled; writes++)
        {
            _files[UpdatedServer.Journal] = [.. journal];
            _files[UpdatedServer.Kept] = [.. kept];
            MortalFiles process = new(_files) { WritesLeft = writes, LastPart = 0.5 };
            UpdatedServer mortal = new(process);
            bool isWritten = false;
            try
            {
                mortal.Zones.Synchronise(mortal.Slot, _ => isWritten = true);
            }
            catch (IOException)
            {
                // It is dead.
            }
            isKilled = process.IsDead;
            UpdatedServer again = new(_files, text: isWritten ? written : UpdatedServer.File);
            Assert.Equal((writes, 45u, null),
                (writes, again.Slot.Zone!.Serial, again.Zones.StatusOf(again.Slot.Name)!.Loss));
        }
        Assert.Equal(45u, server.Slot.Zone!.Serial);
    }

    private async Task<(UpdatedServer Server, List<int> Ends)> UpdateAsync(int count)
    {
        UpdatedServer server = new(_files);
        List<int> ends = [];
        for (int i = 0; i < count; i++)
        {
            Assert.Equal(Rcode.NoError, (await server.UpdateAsync($"add n{i} 60 A 192.0.2.9")).Rcode);
            ends.Add(_files[UpdatedServer.Journal].Length);
        }
        return (server, ends);
    }

    private void Damage(int at) => _files[UpdatedServer.Journal][at] ^= 0x10;
}
