using Dns.Testing;
using Microsoft.Extensions.Logging;

namespace Dns.Telemetry.Tests;

public sealed class ZoneLogTests : IDisposable
{
    private const string GoodZone = "@ 60 SOA ns.x. h.x. 1 2 3 4 5\n@ 60 NS ns.x.\n";
    private readonly SettingsFolder _folder = new();
    private readonly Recorder _log = new();
    private readonly VirtualClock _clock = new();

    public void Dispose() => _folder.Dispose();

    private ZoneLog Create(int zones) => new(_log, _clock, () => zones);

    private (ZoneFile File, ZoneLoadResult Result) Load(string text)
    {
        ZoneFile file = ZoneFile.At(DomainName.Parse("a.example"), _folder.Write("a.zone", text));
        return (file, ZoneLoader.Load(file.Zone, file.Path));
    }

    [Fact]
    public void One_error_is_one_line_with_its_place_and_what_becomes_of_the_zone()
    {
        var (file, result) = Load(GoodZone + "www 60 A x\n");
        Create(1).OnRead(file.Zone, file.Path, result, null);
        Assert.StartsWith(
            $"Error Zone a.example. is not served and answers SERVFAIL: {file.Path}:3:10: error: A: found \"x\"",
            Assert.Single(_log.Lines));
        Zone before = Load(GoodZone).Result.Zone!;
        Create(1).OnRead(file.Zone, file.Path, result, before);
        Assert.Equal(2, _log.Lines.Count);
        Assert.StartsWith(
            $"Error Zone a.example. is still served with serial {before.Serial}: {file.Path}:3:10: error: A",
            _log.Lines[1]);
    }

    [Fact]
    public void Several_errors_have_a_line_each_and_the_last_line_counts_them()
    {
        var (file, result) = Load(GoodZone + "www 60 A x\nother.test. 60 A 192.0.2.1\nwww 60 A y\n");
        Create(1).OnRead(file.Zone, file.Path, result, null);
        Assert.Equal(4, _log.Lines.Count);
        Assert.StartsWith($"Error {file.Path}:3:10: error: ", _log.Lines[0]);
        Assert.StartsWith($"Error {file.Path}:5:10: error: ", _log.Lines[2]);
        Assert.Equal($"Error Zone a.example. is not served and answers SERVFAIL: {file.Path} has 2 errors",
            _log.Lines[3]);
    }

    [Fact]
    public void A_warning_is_logged_as_one()
    {
        var (file, result) = Load(GoodZone + "other.test. 60 A 192.0.2.1\n");
        Create(1).OnRead(file.Zone, file.Path, result, null);
        Assert.StartsWith($"Warning {file.Path}:3:1: warning: ", Assert.Single(_log.Lines));
    }

    [Fact]
    public void The_diagnostics_of_one_zone_are_bounded()
    {
        var (file, result) = Load(GoodZone + string.Concat(Enumerable.Repeat("www 60 A x\n", 50)));
        Create(1).OnRead(file.Zone, file.Path, result, null);
        Assert.Equal(11, _log.Lines.Count);
        Assert.EndsWith(" has 50 errors, the first 10 of them above: dnsd check shows more", _log.Lines[10]);
    }

    [Fact]
    public void The_warnings_of_all_zones_are_bounded()
    {
        var (file, result) = Load(GoodZone + "other.test. 60 A 192.0.2.1\n");
        ZoneLog log = Create(1000);
        for (int i = 0; i < 1000; i++) log.OnRead(file.Zone, file.Path, result, null);
        Assert.Equal(100, _log.Lines.Count);
        log.OnFinished(new ZoneLoadSummary(1000, 0, 2000, 0), log.Elapsed);
        Assert.Equal("Warning 900 more warnings: dnsd check shows all", _log.Lines[100]);
    }

    [Fact]
    public void Progress_is_logged_once_a_second()
    {
        ZoneLog log = Create(1);
        var (file, _) = Load(GoodZone);
        log.OnProgress(file.Zone, file.Path, 1);
        _clock.Advance(TimeSpan.FromSeconds(1));
        log.OnProgress(file.Zone, file.Path, 2_000_000);
        log.OnProgress(file.Zone, file.Path, 3_000_000);
        Assert.Equal("Information Reading zone a.example.: 2,000,000 records so far", Assert.Single(_log.Lines));
    }

    [Fact]
    public void Progress_through_many_zones_is_logged_once_a_second()
    {
        ZoneLog log = Create(3);
        var (file, result) = Load(GoodZone);
        log.OnRead(file.Zone, file.Path, result, null);
        _clock.Advance(TimeSpan.FromSeconds(2));
        log.OnRead(file.Zone, file.Path, result, null);
        Assert.Equal("Information Read 2 of 3 zones", Assert.Single(_log.Lines));
    }

    [Theory]
    [InlineData(1, 1, "Information Serving 1 zone with 1 record, loaded in 0.00 s")]
    [InlineData(0, 0, "Information Serving 0 zones with 0 records, loaded in 0.00 s")]
    public void One_is_no_plural(int zones, int records, string line)
    {
        Create(1).OnFinished(new ZoneLoadSummary(zones, 0, records, 0), TimeSpan.Zero);
        Assert.Equal(line, Assert.Single(_log.Lines));
    }

    [Fact]
    public void The_end_says_what_is_served_and_what_is_not()
    {
        ZoneLog log = Create(3);
        _clock.Advance(TimeSpan.FromSeconds(1.5));
        log.OnFinished(new ZoneLoadSummary(2, 1, 1234, 0), log.Elapsed);
        Assert.Equal(
            ["Information Serving 2 zones with 1,234 records, loaded in 1.50 s",
                "Error Zones that are not served and answer SERVFAIL: 1"],
            _log.Lines);
    }

    private sealed class Recorder : ILogger
    {
        public List<string> Lines { get; } = [];

        public IDisposable? BeginScope<TState>(TState state) where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Information;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception,
            Func<TState, Exception?, string> formatter)
        {
            if (IsEnabled(logLevel)) Lines.Add($"{logLevel} {formatter(state, exception)}");
        }
    }
}
