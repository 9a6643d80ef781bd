using Microsoft.Extensions.Logging.Abstractions;

namespace Dns.Commands.Tests;

/// <summary><c>dnsd check</c> of zones with updates in journals, as a start would read them.</summary>
public sealed class JournalTrialTests : IDisposable
{
    private const string File = "@ 60 SOA ns.x. h.x. 1 2 3 4 5\n@ 60 NS ns.x.\n";

    private readonly SettingsFolder _folder = new();
    private readonly StringWriter _output = new(), _errors = new();
    private readonly string _settings, _journal;

    public JournalTrialTests()
    {
        string path = _folder.Write("a.zone", File);
        _settings = _folder.Write("d.json", """
            { "Dns": { "StateDirectory": "state", "AllowUpdate": [ "127.0.0.1" ], "Zones": [ { "Name": "a.test", "File": "a.zone" } ] } }
            """);
        DomainName name = DomainName.Parse("a.test");
        Zone zone = ZoneLoader.Load(name, path).Zone!;
        _journal = Path.Combine(
            Directory.CreateDirectory(Path.Combine(_folder.Root, "state", "zones")).FullName, "a.test.journal");
        ZoneJournal journal = ZoneJournal.Open(_journal, name);
        for (byte serial = 1; serial < 4; serial++)
            journal.Append(Change(zone, serial), new JournalBase(zone.Serial, ZoneDigest.Of(zone)));
    }

    public void Dispose() => _folder.Dispose();

    private string Errors => _errors.ToString();

    private Task<int> CheckAsync() => DnsdCommand.InvokeAsync(["check", "--config", _settings], _output, _errors);

    [Fact]
    public async Task A_zone_is_good_with_the_serial_and_the_records_that_a_start_would_serve()
    {
        byte[] journal = await System.IO.File.ReadAllBytesAsync(_journal);
        Assert.Equal(0, await CheckAsync());
        Assert.Contains("zone a.test.: good, serial 4, 5 records, ", _output.ToString());
        Assert.DoesNotContain("journal", Errors);
        // Nothing is changed on disk.
        Assert.Equal(journal, await System.IO.File.ReadAllBytesAsync(_journal));
        Assert.Single(Directory.GetFileSystemEntries(Path.GetDirectoryName(_journal)!));
    }

    [Fact]
    public async Task A_file_that_was_edited_is_bad_as_at_a_start()
    {
        _folder.Write("a.zone", File.Replace(" 1 2 3", " 5 2 3"));
        Assert.Equal(1, await CheckAsync());
        Assert.Contains("zone a.test.: bad, not served", _output.ToString());
        Assert.Contains("a.zone has been edited: it has serial 5, and ", Errors);
        Assert.Contains("keeps 3 changes up to serial 4", Errors);
    }

    [Fact]
    public async Task With_a_kept_version_an_edited_file_is_bad_and_that_version_is_served()
    {
        DomainName name = DomainName.Parse("a.test");
        string path = Path.Combine(_folder.Root, "a.zone");
        DynamicZones zones = new(Path.Combine(_folder.Root, "state"), _ => true,
            new UpdateLog(NullLogger.Instance, TimeProvider.System), TimeProvider.System, new(), new DiskFiles());
        zones.Publish(new ZoneSlot(name), ZoneLoader.Load(name, path), path, DateTimeOffset.UnixEpoch);
        _folder.Write("a.zone", File.Replace(" 1 2 3", " 5 2 3"));
        Assert.Equal(1, await CheckAsync());
        Assert.Contains("zone a.test.: bad, the version with its updates is served", _output.ToString());
        Assert.Contains("\"dnsd zone sync a.test.\" writes what is served", Errors);
    }

    [Theory]
    [InlineData(0, "it has no change, and had some, which are lost; the zone continues at serial 100001 or", 100001)]
    [InlineData(150, "are damaged; kept before them: ", 1000)]
    public async Task Lost_updates_are_a_warning_and_the_damage_stays_for_the_start(
        int at, string expected, int least)
    {
        byte[] journal = await System.IO.File.ReadAllBytesAsync(_journal);
        if (at == 0) journal = [];
        else journal[at] ^= 0x10;
        await System.IO.File.WriteAllBytesAsync(_journal, journal);
        Assert.Equal(0, await CheckAsync());
        Assert.Contains(expected, Errors);
        Assert.Contains("and 1 warning, 0 bad", _output.ToString());
        string serial = _output.ToString().Split("good, serial ")[1].Split(',')[0];
        Assert.InRange(int.Parse(serial, System.Globalization.CultureInfo.InvariantCulture), least, 200_000);
        Assert.Equal(journal, await System.IO.File.ReadAllBytesAsync(_journal));
        Assert.Single(Directory.GetFileSystemEntries(Path.GetDirectoryName(_journal)!));
    }

    private static ZoneDelta Change(Zone zone, byte serial)
    {
        zone.ApexNode.TryFind(RRType.SOA, out RRset soa);
        byte[] before = soa.First.ToArray(), after = soa.First.ToArray();
        (before[^17], after[^17]) = (serial, (byte)(serial + 1));
        ZoneDeltaBuilder builder = new(DomainName.FromOctets(zone.Apex), serial);
        builder.Remove(zone.Apex, RRType.SOA, before, soa.Ttl);
        builder.Add(zone.Apex, RRType.SOA, soa.Ttl, after);
        builder.Add(DomainName.Parse($"n{serial}.a.test").Octets, RRType.A, 60, [192, 0, 2, serial]);
        return builder.Build();
    }
}
