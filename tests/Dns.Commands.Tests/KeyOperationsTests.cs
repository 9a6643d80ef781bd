using System.Text.Json;
using Dns.Testing;

namespace Dns.Commands.Tests;

/// <summary><c>dnsd keys list|rollover|submitted</c> on the files of a folder.</summary>
public sealed class KeyOperationsTests : IDisposable
{
    private static readonly DomainName Zone = DomainName.Parse("a.example");

    private readonly string _folder = Directory.CreateTempSubdirectory("dnsd-keys-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private async Task<(int Code, string Output, string Errors)> RunAsync(params string[] words)
    {
        StringWriter output = new(), errors = new();
        int code = await DnsdCommand.InvokeAsync(["keys", .. words, "--keys", _folder], output, errors);
        return (code, output.ToString(), errors.ToString());
    }

    /// <summary>A zone that was signed for a while, and whose DS record is at its parent or not.</summary>
    private ZoneKeys Sign(DnssecPolicy policy, bool isDelegated)
    {
        KeyStore store = new(_folder, TimeProvider.System.GetUtcNow);
        DateTimeOffset now = TimeProvider.System.GetUtcNow().AddDays(-3);
        ZoneKeys keys = store.Load(Zone);
        TimeSpan hour = TimeSpan.FromHours(1);
        ServedKeys served = ServedKeys.Unsigned with { KeysTtl = hour, LongestTtl = hour };
        for (int i = 0; i < 10; i++, now += TimeSpan.FromHours(3))
        {
            ParentDs? parent = isDelegated ? new ParentDs(keys.WantedDs, hour) : null;
            KeyStep step = KeyRollover.Step(policy, keys, new ZoneFacts(served) { Parent = parent }, now);
            keys = step.Keys;
            foreach (KeyNeed need in step.Needs) keys = keys.With(store.Generate(Zone, need, 0, keys, now));
            served = ServedKeys.Of(step.Plan, hour, hour);
        }
        store.Save(Zone, keys);
        return keys;
    }

    [Fact]
    public async Task Each_key_is_listed_with_its_state_and_its_next_step()
    {
        ZoneKeys keys = Sign(DnssecPolicy.Default with { Keys = KeyScheme.KskAndZsk }, isDelegated: false);
        (int code, string output, string errors) = await RunAsync("list", "a.example", "--json");
        Assert.Equal((0, ""), (code, errors));
        JsonElement[] listed = [.. JsonDocument.Parse(output).RootElement.GetProperty("keys").EnumerateArray()];
        Assert.Equal(["ksk ready", "zsk active"],
            listed.Select(key => $"{key.GetProperty("role")} {key.GetProperty("state")}"));
        Assert.Equal(keys.Keys.Select(key => (int)key.Id.Tag), listed.Select(key => key.GetProperty("tag").GetInt32()));
        Assert.All(listed, key => Assert.Equal("ecdsap256sha256", key.GetProperty("algorithm").GetString()));
        Assert.Equal("see the DS record", listed[0].GetProperty("next").GetString());
        Assert.StartsWith("the DS record of key", listed[0].GetProperty("waitsFor").GetString());
        (_, output, _) = await RunAsync("list", "a.example");
        Assert.Matches(
            @"^ *\d+  ecdsap256sha256  ksk  ready   next: see the DS record, waits for the DS record of key \d+ at the parent\n", output);
    }

    [Fact]
    public void A_key_that_rolls_over_is_listed_with_the_time_of_its_rollover()
    {
        Sign(DnssecPolicy.Default with { Keys = KeyScheme.KskAndZsk, KskLifetime = TimeSpan.FromDays(100) },
            isDelegated: true);
        KeyList listing = new StoredKeyOperations(
            _folder,
            _ => DnssecPolicy.Default with { Keys = KeyScheme.KskAndZsk, KskLifetime = TimeSpan.FromDays(100) },
            TimeProvider.System).List(Zone);
        Assert.All(listing.Keys, key => Assert.Equal(("active", "roll over"), (key.State, key.Next)));
        Assert.InRange((listing.Keys[0].NextAt!.Value - listing.Keys[0].Activated!.Value).TotalDays, 99, 100);
    }

    [Theory]
    [InlineData(true, "generated")]
    [InlineData(false, "published")]
    public async Task Keys_that_were_made_and_not_used_are_listed(bool hasTime, string expected)
    {
        using SigningKey key = SigningKey.Generate(DnssecAlgorithm.EcdsaP384Sha384, isSep: true);
        KeyTimes times = hasTime ? new KeyTimes { Created = TimeProvider.System.GetUtcNow() } : new KeyTimes();
        KeyFolder.Write(_folder, new KeyFile { Zone = Zone, Public = key.Public, Key = key, Times = times });
        (int code, string output, _) = await RunAsync("list", "a.example");
        Assert.Equal(0, code);
        Assert.Contains("ecdsap384sha384  csk  " + expected, output);
    }

    [Fact]
    public async Task A_folder_without_keys_is_told()
    {
        (int code, _, string errors) = await RunAsync("list", "a.example");
        Assert.Equal((1, $"dnsd: error: {_folder}: found no key of a.example., expected one{Environment.NewLine}"),
            (code, errors));
    }

    [Fact]
    public async Task A_rollover_that_is_asked_for_is_kept()
    {
        Sign(DnssecPolicy.Default with { Keys = KeyScheme.KskAndZsk }, isDelegated: true);
        (int code, string output, _) = await RunAsync("rollover", "a.example", "--zsk");
        Assert.Equal(0, code);
        Assert.Matches(@"^key \d+ rolls over\n", output);
        ZoneKeys keys = new KeyStore(_folder, TimeProvider.System.GetUtcNow).Load(Zone);
        Assert.Equal((false, true), (keys.WantsKsk, keys.WantsZsk));
        (code, output, _) = await RunAsync("rollover", "a.example", "--algorithm", "rsasha512");
        Assert.StartsWith("the keys roll over to rsasha512; policy default says ecdsap256sha256", output);
        Assert.Equal(DnssecAlgorithm.RsaSha512,
            new KeyStore(_folder, TimeProvider.System.GetUtcNow).Load(Zone).WantedAlgorithm);
        (_, output, _) = await RunAsync("rollover", "a.example");
        Assert.Matches(@"^keys \d+ and \d+ roll over\n", output);
    }

    [Fact]
    public async Task A_zone_that_stops_being_signed_rolls_no_key_over()
    {
        ZoneKeys keys = Sign(DnssecPolicy.Default, isDelegated: true) with { IsLeaving = true };
        new KeyStore(_folder, TimeProvider.System.GetUtcNow).Save(Zone, keys);
        foreach (string option in (string[])["--ksk", "--algorithm=ed25519"])
        {
            (int code, _, string errors) = await RunAsync("rollover", "a.example", option);
            Assert.Equal(1, code);
            Assert.StartsWith("dnsd: error: zone a.example.: the zone is becoming unsigned: ", errors);
        }
    }

    [Fact]
    public async Task The_DS_records_of_a_zone_are_asked_of_a_server_too()
    {
        Sign(DnssecPolicy.Default, isDelegated: false);
        (int code, string output, _) = await RunAsync("ds", "a.example");
        Assert.Equal(0, code);
        Assert.Matches(@"^a\.example\. IN DS \d+ 13 2 [0-9A-F]{64}\n$", output.ReplaceLineEndings("\n"));
        Assert.Equal(output, new LiveKeyOperations(null, TimeProvider.System, _folder).Ds(Zone, DsDigest.Sha256));
        StringWriter errors = new();
        string socket = Path.Combine(_folder, "none");
        code = await DnsdCommand.InvokeAsync(["keys", "ds", "a.example", "--socket", socket], TextWriter.Null, errors);
        Assert.Equal(1, code);
        Assert.Contains(socket, errors.ToString());
    }

    [Theory]
    [InlineData("the zone has no ZSK: it has a CSK, use --ksk", "rollover", "a.example", "--zsk")]
    [InlineData("the zone has ecdsap256sha256 already, or is rolling over to it", "rollover", "a.example",
        "--algorithm", "ecdsap256sha256")]
    [InlineData("the requested DS record is of key ", "submitted", "a.example", "0")]
    public async Task What_cannot_be_is_told_and_nothing_is_changed(string why, params string[] words)
    {
        // Of 65536 tags one is 0.
        ZoneKeys keys = Sign(DnssecPolicy.Default, isDelegated: true);
        if (keys.Keys[0].Id.Tag == 0) return;
        (int code, _, string errors) = await RunAsync(words);
        Assert.Equal(1, code);
        Assert.StartsWith($"dnsd: error: zone a.example.: {why}", errors);
        Assert.Equal(KeyStateText.Format(keys),
            KeyStateText.Format(new KeyStore(_folder, TimeProvider.System.GetUtcNow).Load(Zone)));
    }

    [Fact]
    public async Task A_folder_that_cannot_be_read_is_not_one_without_keys()
    {
        // A cycle of symlinks cannot be read, by root either.
        string cycle = Path.Combine(_folder, "cycle");
        File.CreateSymbolicLink(cycle, cycle);
        foreach (string command in (string[])["list", "ds"])
        {
            StringWriter errors = new();
            int code = await DnsdCommand.InvokeAsync(
                ["keys", command, "a.example", "--keys", cycle], TextWriter.Null, errors);
            Assert.Equal(1, code);
            Assert.StartsWith($"dnsd: error: {cycle}: ", errors.ToString());
            Assert.DoesNotContain("found no key", errors.ToString());
        }
    }

    /// <summary>A state directory whose folder of keys is a symlink; returns it, the folder, and settings.</summary>
    private (string State, string Elsewhere, string Settings) MoveKeys()
    {
        Sign(DnssecPolicy.Default, isDelegated: true);
        string state = Directory.CreateDirectory(Path.Combine(_folder, "state of a")).FullName;
        string elsewhere = Directory.CreateDirectory(Path.Combine(_folder, "volume", "keys")).FullName;
        foreach (string file in Directory.EnumerateFiles(_folder))
            File.Move(file, Path.Combine(elsewhere, Path.GetFileName(file)));
        Directory.CreateSymbolicLink(Path.Combine(state, "keys"), Path.Combine("..", "volume", "keys"));
        string alias = Path.Combine(Directory.CreateDirectory(Path.Combine(_folder, "deep")).FullName, "alias");
        Directory.CreateSymbolicLink(alias, state);
        string settings = Path.Combine(_folder, "dnsd.json");
        File.WriteAllText(settings, """
            { "Dns": { "StateDirectory": "state of a", "Control": { "Socket": "none.sock" } } }
            """);
        return (state, elsewhere, settings);
    }

    private static async Task<(int Code, string Errors)> RollOverAsync(params string[] options)
    {
        StringWriter errors = new();
        int code = await DnsdCommand.InvokeAsync(
            ["keys", "rollover", "a.example", "--ksk", .. options], TextWriter.Null, errors);
        return (code, errors.ToString());
    }

    [Theory]
    [InlineData("state of a", "state of a/keys")]
    [InlineData("state of a", "other/keys")]
    [InlineData("volume", "state of a/keys")]
    [InlineData("volume", "deep/alias/keys")]
    [InlineData("state of a", null)]
    public async Task Keys_of_a_server_do_not_change_whatever_symlinks_lead_to_them(string used, string? given)
    {
        (_, _, string settings) = MoveKeys();
        string other = Directory.CreateDirectory(Path.Combine(_folder, "other")).FullName;
        Directory.CreateSymbolicLink(Path.Combine(other, "keys"), Path.Combine(_folder, "state of a", "keys"));
        string directory = Path.Combine(_folder, used);
        using DirectoryLock? server = DirectoryLock.TryTake(directory, out _, out _);
        Assert.NotNull(server);
        var (code, errors) = await (given is null
            ? RollOverAsync("--config", settings) : RollOverAsync("--keys", Path.Combine(_folder, given)));
        Assert.Equal(1, code);
        Assert.StartsWith($"dnsd: error: {directory}: a server uses this state directory", errors);
    }

    [Fact]
    public async Task No_lock_is_left_where_there_is_no_state_directory()
    {
        (string state, string elsewhere, string settings) = MoveKeys();
        Assert.Equal((0, ""), await RollOverAsync("--keys", Path.Combine(state, "keys")));
        Assert.Equal(0, (await RollOverAsync("--config", settings)).Code);
        Assert.True(File.Exists(Path.Combine(state, DirectoryLock.FileName)));
        Assert.False(File.Exists(Path.Combine(elsewhere, "..", DirectoryLock.FileName)));
        // A lock that this command has already is not that of a server.
        File.Delete(Path.Combine(state, "keys"));
        Directory.Move(elsewhere, Path.Combine(state, "moved"));
        Directory.CreateSymbolicLink(Path.Combine(_folder, "alias"), state);
        Directory.CreateSymbolicLink(Path.Combine(state, "keys"), Path.Combine(_folder, "alias", "moved"));
        Assert.Equal(0, (await RollOverAsync("--config", settings)).Code);
    }

    [LinuxFact(NeedsRoot = true)]
    [System.Runtime.Versioning.SupportedOSPlatform("linux")]
    public async Task The_command_for_files_of_another_user_names_directories_and_not_symlinks()
    {
        (string state, string elsewhere, string settings) = MoveKeys();
        string alias = Path.Combine(_folder, "deep", "alias");
        File.WriteAllText(settings, File.ReadAllText(settings).Replace("state of a", "deep/alias"));
        using (Microsoft.Win32.SafeHandles.SafeFileHandle? open = FileCalls.Open(state, 0, default, out _))
            FileCalls.Give(open!, 65534, 65534);
        Assert.Contains($"chown -R --reference='{alias}/' '{alias}/' '{elsewhere}/'{Environment.NewLine}",
            (await RollOverAsync("--config", settings)).Errors);
    }

    [Fact]
    public async Task An_operator_says_that_the_DS_record_is_at_the_parent()
    {
        ZoneKeys keys = Sign(DnssecPolicy.Default, isDelegated: false);
        string tag = keys.Keys[0].Id.Tag.ToString();
        (int code, string output, _) = await RunAsync("submitted", "a.example", tag);
        Assert.Equal((0, $"the parent has the DS record of key {tag} and no other{Environment.NewLine}"),
            (code, output));
        (_, output, _) = await RunAsync("list", "a.example");
        Assert.Contains("active", output);
    }

    [Theory]
    [InlineData("--algorithm is about all keys", "rollover", "a.example", "--ksk", "--algorithm", "ed25519")]
    [InlineData("\"x\" is not a supported algorithm", "rollover", "a.example", "--algorithm", "x")]
    [InlineData("\"70000\" is not the tag of a key: expected 0 to 65535", "submitted", "a.example", "70000")]
    public async Task A_command_line_that_means_nothing_is_told(string why, params string[] words)
    {
        (int code, _, string errors) = await RunAsync(words);
        Assert.Equal(2, code);
        Assert.Contains(why, errors);
    }
}
