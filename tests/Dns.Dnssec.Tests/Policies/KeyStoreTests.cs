using Dns.Testing;

namespace Dns.Dnssec.Tests;

public sealed class KeyStoreTests : IDisposable
{
    private static readonly DomainName Zone = DomainName.Parse("a.example");
    private static readonly DateTimeOffset Start = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);
    private static readonly ServedKeys Unsigned =
        ServedKeys.Unsigned with { KeysTtl = TimeSpan.FromHours(1), LongestTtl = TimeSpan.FromHours(1) };
    private static readonly DnssecPolicy Split = DnssecPolicy.Default with { Keys = KeyScheme.KskAndZsk };

    /// <summary>The disk without its waits: tests end before it loses power.</summary>
    private static CutFiles Unflushed => new(new DiskFiles(), long.MaxValue);

    private readonly string _folder = Directory.CreateTempSubdirectory("dnsd-keys-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private static StoredZone Open(KeyStore store) => new(store, Zone);

    /// <summary>A zone whose state was read, as a service holds it.</summary>
    private sealed class StoredZone(KeyStore store, DomainName zone)
    {
        public ZoneKeys State { get; private set; } = store.Load(zone);

        public KeyStep Step(DnssecPolicy policy, ZoneFacts facts, DateTimeOffset now)
        {
            KeyStep step = KeyRollover.Step(policy, State, facts, now);
            for (int round = 0; step.Needs.Count > 0 && round < 4; round++)
            {
                ZoneKeys keys = step.Keys;
                foreach (KeyNeed need in step.Needs)
                    keys = keys.With(store.Generate(zone, need, policy.RsaBits, keys, now));
                step = KeyRollover.Step(policy, keys, facts, now);
            }
            store.Save(zone, State = step.Keys);
            return step;
        }

        public void Change(Func<ZoneKeys, ZoneKeys> change) => store.Save(zone, State = change(State));
    }

    [Fact]
    public void Keys_are_made_written_and_the_same_when_they_are_opened_again()
    {
        KeyStore store = new(Path.Combine(_folder, "keys"), () => Start);
        StoredZone keys = Open(store);
        KeyStep step = keys.Step(Split, new ZoneFacts(Unsigned), Start);
        Assert.Equal((2, 1, 1), (step.Plan.Published.Count, step.Plan.KeySigners.Count, step.Plan.ZoneSigners.Count));
        StoredZone again = Open(store);
        Assert.Equal(KeyStateText.Format(keys.State), KeyStateText.Format(again.State));
        Assert.Equal(step.Plan, KeyRollover.PlanOf(again.State));
        foreach (KeyId id in step.Plan.Published)
        {
            using SigningKey key = store.Open(Zone, id);
            Assert.Equal((id.Tag, step.Plan.KeySigners.Contains(id)), (key.Public.Tag, key.Public.IsSep));
        }
        Assert.Empty(store.FindOpen(Zone));
    }

    [LinuxFact]
    [System.Runtime.Versioning.UnsupportedOSPlatform("windows")]
    public void Folder_and_files_are_for_their_owner_alone_and_others_are_told()
    {
        KeyStore store = new(Path.Combine(_folder, "keys"), () => Start);
        Open(store).Step(Split, new ZoneFacts(Unsigned), Start);
        Assert.Equal("700", Mode(store.Folder));
        foreach (string file in Directory.EnumerateFiles(store.Folder)) Assert.Equal("600", Mode(file));
        string key = Directory.EnumerateFiles(store.Folder, "*.private").First();
        File.SetUnixFileMode(key, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupRead);
        Assert.Contains(Path.GetFileName(key), Assert.Single(store.FindOpen(Zone)));
        Assert.Equal(store.FindOpen(Zone), store.FindOpen(Zone, store.Load(Zone)));
    }

    [Fact]
    public void The_private_key_of_an_offline_ksk_on_the_server_is_reported()
    {
        KeyStore store = new(Path.Combine(_folder, "keys"), () => Start);
        StoredZone keys = Open(store);
        keys.Step(Split, new ZoneFacts(Unsigned), Start);
        ZoneKeys state = keys.State with { Policy = Split with { OfflineKsk = true } };
        string found = Assert.Single(store.FindOpen(Zone, state));
        KeyId ksk = Assert.Single(state.KeySigners);
        Assert.Contains($"+{ksk.Tag:00000}.private: the private key of an offline KSK is on this server", found);
        File.Delete(store.PathOf(Zone, ksk) + ".private");
        Assert.Empty(store.FindOpen(Zone, state));
    }

    private static string Mode(string path) =>
        OperatingSystem.IsWindows() ? "" : Convert.ToString((int)File.GetUnixFileMode(path), 8);

    [Fact]
    public void A_zone_whose_name_ends_with_another_has_keys_of_its_own()
    {
        KeyStore store = new(_folder, () => Start, Unflushed);
        foreach (string name in (string[])["example", "a.example", "b/a.example", "."])
        {
            StoredZone keys = new(store, DomainName.Parse(name));
            keys.Step(DnssecPolicy.Default, new ZoneFacts(Unsigned), Start);
            Assert.Single(keys.State.Keys);
        }
        Assert.Equal(12, Directory.EnumerateFiles(_folder).Count());
    }

    [Fact]
    public void Zones_whose_parent_may_have_a_DS_record_are_found()
    {
        KeyStore store = new(_folder, () => Start, Unflushed);
        DomainName other = DomainName.Parse("b.example"), none = DomainName.Parse("c.example");
        Open(store).Step(DnssecPolicy.Default, new ZoneFacts(Unsigned), Start);
        StoredZone delegated = new(store, other);
        delegated.Step(DnssecPolicy.Default, new ZoneFacts(Unsigned), Start);
        delegated.Change(keys => keys with { DsSets = [new CachedSet(keys.Published, TimeSpan.FromHours(1))] });
        Assert.Equal([other], store.FindDelegated([Zone, other, none]));
    }

    [Fact]
    public void A_folder_that_cannot_be_read_is_no_concern_of_zones_that_are_not_signed()
    {
        KeyStore store = new(_folder, () => Start, new CountedFiles(Unflushed) { Fault = "permission denied" });
        Assert.Empty(store.FindDelegated([Zone]));
        Assert.False(store.HasState(Zone));
        Assert.Equal("permission denied", store.FindFault());
        Assert.Null(new KeyStore(_folder, () => Start, Unflushed).FindFault());
    }

    [Fact]
    public void A_key_that_is_in_use_and_was_deleted_is_told()
    {
        KeyStore store = new(_folder, () => Start, Unflushed);
        Open(store).Step(DnssecPolicy.Default, new ZoneFacts(Unsigned), Start);
        string lost = Directory.EnumerateFiles(_folder, "*.key").Single();
        File.Delete(lost);
        Assert.StartsWith(lost + ": there is no such file", Assert.Throws<IOException>(() => store.Load(Zone)).Message);
    }

    [Fact]
    public void A_state_that_was_changed_is_told_and_the_zone_gets_no_other_keys()
    {
        KeyStore store = new(_folder, () => Start, Unflushed);
        Open(store).Step(DnssecPolicy.Default, new ZoneFacts(Unsigned), Start);
        File.AppendAllText(store.StatePathOf(Zone), "key\n");
        Assert.StartsWith(store.StatePathOf(Zone), Assert.Throws<IOException>(() => store.Load(Zone)).Message);
    }

    [Fact]
    public void Keys_that_another_server_used_go_on_to_be_used()
    {
        KeyTimes used =
            new() { Created = Start.AddDays(-9), Publish = Start.AddDays(-9), Activate = Start.AddDays(-9) };
        using KeyFile ksk = Write(isSep: true, used), zsk = Write(isSep: false, used);
        using KeyFile next = Write(isSep: false,
            used with { Created = Start.AddDays(-1), Publish = Start.AddDays(-1), Activate = null });
        StoredZone keys = Open(new KeyStore(_folder, () => Start));
        Assert.Equal(3, keys.State.Published.Count);
        Assert.Equal([KeyStore.IdOf(zsk)], keys.State.ZoneSigners);
        Assert.True(keys.State.MayHaveDs);
        KeyStep step = keys.Step(Split, new ZoneFacts(Unsigned), Start);
        Assert.Equal((3, KeyIds.Of(KeyStore.IdOf(ksk))), (step.Plan.Published.Count, step.Plan.KeySigners));
        Assert.False(step.Plan.IsCdsDelete);
        Assert.True(keys.State.Find(KeyStore.IdOf(zsk))!.IsRetiring);
        Assert.False(keys.State.Find(KeyStore.IdOf(next))!.IsRetiring);
    }

    [Theory]
    [InlineData(true, null, 1)]
    [InlineData(true, 3, 3)]
    [InlineData(true, 60, 7)]
    [InlineData(false, 3, 1)]
    public void A_key_that_another_server_has_replaced_stays_while_caches_have_its_signatures(
        bool hasNext, int? daysToEnd, int expected)
    {
        KeyTimes used =
            new() { Created = Start.AddDays(-9), Publish = Start.AddDays(-9), Activate = Start.AddDays(-9) };
        KeyTimes ended = used with
        {
            Inactive = Start.AddDays(-1), Delete = daysToEnd is { } days ? Start.AddDays(days) : null,
        };
        using KeyFile ksk = Write(isSep: true, used), old = Write(isSep: false, ended);
        KeyId former = KeyStore.IdOf(old);
        using KeyFile? next = hasNext ? Write(isSep: false, used) : null;
        StoredZone keys = Open(new KeyStore(_folder, () => Start));
        KeyStep step = keys.Step(Split, new ZoneFacts(Unsigned), Start);
        // Without a successor, whose record caches would not have, it signs again.
        Assert.Equal([next is null ? former : KeyStore.IdOf(next)], step.Plan.ZoneSigners);
        TimeSpan ttl = TimeSpan.FromHours(1);
        for (int hour = 0; hour < 24 * expected; hour++)
        {
            step = keys.Step(
                Split, new ZoneFacts(ServedKeys.Of(step.Plan, ttl, ttl)), Start + TimeSpan.FromHours(hour));
            Assert.Contains(former, step.Plan.Published);
        }
        if (!hasNext) return;
        Assert.Equal((true, Start.AddDays(-1)),
            (keys.State.Find(former)!.IsRetiring, keys.State.Find(former)!.Retired));
        step = keys.Step(Split, new ZoneFacts(ServedKeys.Of(step.Plan, ttl, ttl)), Start.AddDays(expected + 0.5));
        Assert.Equal(2, step.Plan.Published.Count);
    }

    [Theory]
    [InlineData(true, 2, 24)]
    [InlineData(true, 100, 100)]
    [InlineData(true, 1000, 168)]
    [InlineData(false, 2, 24)]
    public void A_key_that_another_server_has_just_published_signs_when_no_cache_has_a_set_without_it(
        bool isSplit, int hoursToUse, int expected)
    {
        DnssecPolicy policy = isSplit ? Split : DnssecPolicy.Default;
        KeyTimes used =
            new() { Created = Start.AddDays(-9), Publish = Start.AddDays(-9), Activate = Start.AddDays(-9) };
        DateTimeOffset published = Start.AddHours(-1);
        // Also where all keys were generated in one second, before they were used.
        KeyTimes later = used with { Publish = published, Activate = published.AddHours(hoursToUse) };
        using KeyFile? ksk = isSplit ? Write(isSep: true, used) : null;
        using KeyFile zsk = Write(isSep: !isSplit, used), next = Write(isSep: !isSplit, later);
        StoredZone keys = Open(new KeyStore(_folder, () => Start));
        KeyStep step = keys.Step(policy, new ZoneFacts(Unsigned), Start);
        TimeSpan ttl = TimeSpan.FromHours(1);
        for (int hour = 0; hour < expected; hour++)
        {
            step = keys.Step(
                policy, new ZoneFacts(ServedKeys.Of(step.Plan, ttl, ttl)), published + TimeSpan.FromHours(hour));
            Assert.Equal([KeyStore.IdOf(zsk)], step.Plan.ZoneSigners);
            Assert.Contains(KeyStore.IdOf(next), step.Plan.Published);
        }
        step = keys.Step(policy, new ZoneFacts(ServedKeys.Of(step.Plan, ttl, ttl)),
            published + TimeSpan.FromHours(expected) + policy.PropagationDelay);
        Assert.Equal([KeyStore.IdOf(next)], step.Plan.ZoneSigners);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Keys_of_a_server_that_writes_no_times_are_used(bool isSplit)
    {
        using KeyFile ksk = Write(isSep: true, new KeyTimes()), zsk = Write(isSep: false, new KeyTimes());
        StoredZone keys = Open(new KeyStore(_folder, () => Start));
        // With a CSK, too, which takes their place when no cache needs them.
        KeyStep step = keys.Step(isSplit ? Split : DnssecPolicy.Default, new ZoneFacts(Unsigned), Start);
        Assert.Equal([KeyStore.IdOf(zsk)], step.Plan.ZoneSigners);
        Assert.Contains(KeyStore.IdOf(ksk), step.Plan.KeySigners);
        Assert.True(keys.State.MayHaveDs);
        // Its lifetime begins.
        Assert.Equal(Start, keys.State.Find(KeyStore.IdOf(ksk))!.Activated);
    }

    [Fact]
    public void An_imported_key_is_the_next_one()
    {
        KeyStore store = new(_folder, () => Start, Unflushed);
        Open(store).Step(DnssecPolicy.Default, new ZoneFacts(Unsigned), Start);
        using KeyFile spare = Write(isSep: true, new KeyTimes { Created = Start });
        // The folder was listed in this second, and an operator requests the following.
        store.Invalidate();
        StoredZone again = Open(store);
        again.Change(state => state with { WantsKsk = true });
        ServedKeys served =
            ServedKeys.Of(KeyRollover.PlanOf(again.State), TimeSpan.FromHours(1), TimeSpan.FromHours(1));
        again.Step(DnssecPolicy.Default, new ZoneFacts(served), Start);
        Assert.Equal(KeyStore.IdOf(spare), again.State.Keys[^1].Id);
        Assert.Equal(4, Directory.EnumerateFiles(_folder, "K*").Count());
    }

    [Fact]
    public void A_new_key_needs_the_files_of_none_that_are_known()
    {
        KeyStore store = new(_folder, () => Start, Unflushed);
        ZoneKeys known = ZoneKeys.Empty;
        KeyNeed need = new(KeyRole.Zsk, DnssecAlgorithm.EcdsaP256Sha256);
        for (int i = 0; i < 3; i++)
            known = known.With(store.Generate(Zone, need, rsaBits: 2048, known, Start));
        foreach (string path in Directory.EnumerateFiles(_folder, "K*")) File.WriteAllText(path, "damaged");
        KeyRecord next = store.Generate(Zone, need, rsaBits: 2048, known, Start);
        Assert.Null(known.Find(next.Id));
        // Those that are not known may be spares.
        ZoneKeys one = ZoneKeys.Empty.With(next);
        Assert.StartsWith(_folder,
            Assert.Throws<IOException>(() => store.Generate(Zone, need, rsaBits: 2048, one, Start)).Message);
    }

    [Fact]
    public void A_first_start_with_many_zones_lists_the_folder_a_few_times()
    {
        CountedFiles files = new(new DiskFiles());
        DateTimeOffset now = Start;
        KeyStore store = new(_folder, () => now, files);
        for (int i = 0; i < 200; i++)
        {
            now += TimeSpan.FromMilliseconds(10);
            StoredZone keys = new(store, DomainName.Parse($"zone{i}.example"));
            keys.Step(DnssecPolicy.Default, new ZoneFacts(Unsigned), now);
            Assert.True(store.HasState(DomainName.Parse($"zone{i}.example")));
        }
        Assert.False(store.HasState(Zone));
        // Once a second, of two that it took.
        Assert.InRange(files.Listed, 1, 3);
        Assert.Equal(200, Directory.EnumerateFiles(_folder, "*.private").Count());
        now += TimeSpan.FromSeconds(1);
        using KeyFile spare = Write(isSep: true, new KeyTimes { Created = Start });
        KeyStep step = new StoredZone(store, Zone).Step(DnssecPolicy.Default, new ZoneFacts(Unsigned), now);
        Assert.Equal(KeyIds.Of(KeyStore.IdOf(spare)), step.Plan.Published);
    }

    /// <summary>A disk that counts how often a directory is listed.</summary>
    private sealed class CountedFiles(IJournalFiles disk) : IJournalFiles
    {
        public int Listed { get; private set; }

        public string? Fault { get; init; }

        public bool Exists(string path) => disk.Exists(path);

        public IReadOnlyList<string> List(string directory)
        {
            Listed++;
            return Fault is null ? disk.List(directory) : throw new IOException(Fault);
        }

        public bool TryOpen(string path, [System.Diagnostics.CodeAnalysis.NotNullWhen(true)] out IJournalFile? file) =>
            disk.TryOpen(path, out file);

        public IJournalFile Create(string path) => disk.Create(path);

        public void Move(string from, string to) => disk.Move(from, to);

        public void Delete(string path) => disk.Delete(path);
    }

    [Fact]
    public void Files_of_a_key_that_is_long_out_of_use_are_deleted_and_the_key_is_not_used_again()
    {
        KeyStore store = new(_folder, () => Start, Unflushed);
        StoredZone keys = Open(store);
        DnssecPolicy policy = DnssecPolicy.Default with { DnskeyTtl = TimeSpan.FromHours(1) };
        HashSet<KeyId> seen = [];
        DateTimeOffset now = Start;
        ServedKeys served = Unsigned;
        for (int day = 0; day < 400; day++, now += TimeSpan.FromDays(1))
        {
            if (day % 60 == 30) keys.Change(state => state with { WantsKsk = true });
            KeyStep step = keys.Step(policy,
                new ZoneFacts(served) { Parent = new ParentDs(keys.State.WantedDs, TimeSpan.FromHours(1)) }, now);
            served = ServedKeys.Of(step.Plan, TimeSpan.FromHours(1), TimeSpan.FromHours(1));
            foreach (KeyRecord key in keys.State.Keys)
                if (seen.Add(key.Id)) Assert.Equal(Seconds(now), Seconds(key.Created));
        }
        Assert.InRange(seen.Count, 6, 8);
        Assert.InRange(Directory.EnumerateFiles(_folder, "*.private").Count(), 2, 4);
    }

    private static long Seconds(DateTimeOffset time) => time.ToUnixTimeSeconds();

    /// <summary>
    /// A process that is killed at any octet that it writes leaves the state from before or the next one, every key
    /// that either names, and no key that is used by two.
    /// </summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_kill_at_any_octet_loses_no_key_and_brings_no_state_back(bool isRollover)
    {
        string ready = Path.Combine(_folder, "ready");
        KeyStore first = new(ready, () => Start, Unflushed);
        ServedKeys served = Unsigned;
        if (isRollover)
        {
            StoredZone keys = Open(first);
            served = ServedKeys.Of(keys.Step(Split, new ZoneFacts(Unsigned), Start).Plan, TimeSpan.FromHours(1),
                TimeSpan.FromHours(1));
            keys.Step(Split, new ZoneFacts(served), Start);
            keys.Change(state => state with { WantsZsk = true });
        }
        foreach (long steps in StepsOf(Path.Combine(_folder, "whole"), isRollover ? ready : null, served))
        {
            string folder = Path.Combine(_folder, "cut");
            if (Directory.Exists(folder)) Directory.Delete(folder, recursive: true);
            Directory.CreateDirectory(folder);
            if (isRollover) Copy(ready, folder);
            // The last octets may not be cut: other keys are shorter by some.
            Run(new KeyStore(folder, () => Start, new CutFiles(new DiskFiles(), steps)), served);
            Recover(new KeyStore(folder, () => Start, Unflushed), served, isRollover ? 3 : 2);
        }
    }

    /// <summary>
    /// Where a process is killed: around every change that is no octet, and at every 29th octet; at every one with
    /// <c>DNS_SIMULATION_SEEDS</c>.
    /// </summary>
    private static SortedSet<long> StepsOf(string folder, string? ready, ServedKeys served)
    {
        Directory.CreateDirectory(folder);
        if (ready is not null) Copy(ready, folder);
        CutFiles whole = new(new DiskFiles(), long.MaxValue);
        Assert.True(Run(new KeyStore(folder, () => Start, whole), served));
        Assert.InRange(whole.Taken, 1000, 10_000);
        int stride = Environment.GetEnvironmentVariable("DNS_SIMULATION_SEEDS") is null ? 29 : 1;
        SortedSet<long> steps = [];
        for (long step = 0; step < whole.Taken; step += stride) steps.Add(step);
        foreach (long change in whole.Changes) steps.UnionWith([Math.Max(0, change - 1), change]);
        return steps;
    }

    private static void Copy(string from, string to)
    {
        foreach (string file in Directory.EnumerateFiles(from))
            File.Copy(file, Path.Combine(to, Path.GetFileName(file)));
    }

    private static bool Run(KeyStore store, ServedKeys served)
    {
        StoredZone keys = Open(store);
        try
        {
            keys.Step(Split, new ZoneFacts(served), Start);
            return true;
        }
        catch (IOException)
        {
            return false;
        }
    }

    private static void Recover(KeyStore store, ServedKeys served, int keysInAll)
    {
        StoredZone keys = Open(store);
        KeyIds before = keys.State.Published;
        Assert.True(served.Keys.All(before.Contains));
        KeyStep step = keys.Step(Split, new ZoneFacts(served), Start.AddMinutes(1));
        Assert.Equal(keysInAll, keys.State.Keys.Count);
        Assert.Equal(keysInAll, step.Plan.Published.Count);
        // What was made before the end is used; a private key without its record is none.
        Assert.Equal(keysInAll, Directory.EnumerateFiles(store.Folder, "*.key").Count());
        foreach (KeyId id in step.Plan.Published) store.Open(Zone, id).Dispose();
    }

    private KeyFile Write(bool isSep, KeyTimes times)
    {
        SigningKey key = DistinctKeys.Generate(DnssecAlgorithm.EcdsaP256Sha256, isSep);
        KeyFile file = new() { Zone = Zone, Public = key.Public, Key = key, Times = times };
        file.Write(_folder);
        return file;
    }
}
