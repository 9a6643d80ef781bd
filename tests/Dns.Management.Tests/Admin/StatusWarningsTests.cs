using Dns.Testing;

namespace Dns.Management.Tests.Admin;

public class StatusWarningsTests
{
    private readonly TelemetrySources _sources = new();

    [Fact]
    public void Where_all_is_well_there_is_no_warning()
    {
        _sources.AddZone("good.test.", ZoneState.Serving);
        Assert.Empty(Read());
    }

    [Fact]
    public void Errors_come_before_warnings_and_name_their_zones()
    {
        _sources.AddZone("slow.test.", ZoneState.Loading);
        _sources.AddZone("old.test.", ZoneState.Stale, "line 3");
        for (int i = 0; i < 8; i++) _sources.AddZone($"bad{i}.test.", ZoneState.Failed, "line 4");
        Zone signed = ZoneText.Load("signed.test.",
            "@ SOA ns hostmaster 7 1 1 1 1\n@ NS ns\nns A 192.0.2.1\n@ DNSKEY 257 3 13 AAAA\n"
            + "@ RRSIG SOA 13 2 300 20300101000000 20200101000000 1 signed.test. AAAA\n");
        _sources.Zones.Publish(signed);
        _sources.Zones
            .Publish(ZoneText.Load("late.test.", "@ SOA ns.x. h.x. 7 1 1 1 1\n@ NS ns.x.\n@ NSEC @ NS SOA NSEC\n"
            + "@ RRSIG SOA 13 2 300 20190101000000 20180101000000 1 late.test. AAAA\n"));
        IReadOnlyList<StatusWarning> warnings = Read();
        Assert.Equal(
            ["8 zones broken", "1 zone served from old data", "1 zone with expired signatures",
                "1 zone signed, with faults for validating resolvers", "1 zone still loading"],
            warnings.Select(warning => warning.Text.Split(':')[0]));
        Assert.Equal([true, true, true, false, false], warnings.Select(warning => warning.IsError));
        Assert.Equal(6, warnings[0].Details.Count);
        Assert.Equal("bad0.test. line 4", warnings[0].Details[0]);
        Assert.Equal("and 3 more", warnings[0].Details[^1]);
        Assert.Equal(["old.test. line 3"], warnings[1].Details);
        Assert.Equal(["late.test. signatures expired at 2019-01-01 00:00:00Z: validating resolvers reject its answers"],
            warnings[2].Details);
        Assert.Equal([$"signed.test. {SignatureFault.NoDenial}"], warnings[3].Details);
    }

    [Fact]
    public async Task A_zone_of_two_sources_and_one_that_has_expired_are_told()
    {
        _sources.AddZone("taken.test.", ZoneState.Serving);
        _sources.AddZone("old.test.", ZoneState.Expired, "a week old");
        InMemoryZoneSource other = new("elsewhere");
        other.Claim(DomainName.Parse("taken.test."));
        await other.StartAsync(_sources.Registry, new SilentObserver(), default);
        IReadOnlyList<StatusWarning> warnings = Read();
        Assert.Equal(["1 zone expired", "1 zone of another source not served"],
            warnings.Select(warning => warning.Text.Split(':')[0]));
        Assert.Equal(["old.test. a week old"], warnings[0].Details);
        Assert.Equal(["zone taken.test. comes from memory; that of elsewhere is not served as long as it does"],
            warnings[1].Details);
        Assert.Equal((1, 1), (_sources.Status.Totals().Expired, _sources.Status.Totals().Serving));
        Assert.Equal(["elsewhere"], _sources.Status.Read(DomainName.Parse("taken.test."))!.Waiting);
        Assert.Equal(("expired", "a week old"),
            _sources.Status.Read(DomainName.Parse("old.test.")) is { } status
                ? (status.State, status.Failure) : default);
    }

    [Fact]
    public void Faults_of_loops_and_a_listener_that_accepts_nothing_are_errors()
    {
        _sources.All.Exceptions!.Report(TransportLoops.TcpAccept, new InvalidOperationException(), default);
        IReadOnlyList<StatusWarning> warnings = Read(acceptsTcp: false);
        Assert.Equal(2, warnings.Count);
        Assert.All(warnings, warning => Assert.True(warning.IsError));
        Assert.StartsWith("TCP connections", warnings[0].Text);
        Assert.Equal(["tcp_accept: 1"], warnings[1].Details);
    }

    [Fact]
    public void A_zone_directory_that_is_missing_is_a_warning()
    {
        string missing = Path.Combine(AppContext.BaseDirectory, "missing");
        StatusWarning warning = Assert.Single(
            Read(sources: _sources.All with { ZoneDirectories = () => [AppContext.BaseDirectory, missing] }));
        Assert.StartsWith("zone directories missing", warning.Text);
        Assert.Equal((false, missing), (warning.IsError, Assert.Single(warning.Details)));
    }

    [Fact]
    public void A_log_file_that_could_not_be_opened_is_a_warning()
    {
        FileFault fault = new("Serilog:WriteTo:0:Args:path", "/var/log/x", "Permission denied");
        StatusWarning warning = Assert.Single(Read(sources: _sources.All with { LogFaults = [fault] }));
        Assert.False(warning.IsError);
        Assert.EndsWith(
            ": Serilog:WriteTo:0:Args:path is \"/var/log/x\", which cannot be written: Permission denied", warning.Text);
    }

    [Fact]
    public void Settings_that_were_not_reloaded_are_a_warning_with_their_errors()
    {
        string[] errors = [.. Enumerable.Range(1, 7).Select(line => $"dnsd.json:{line}:1: error: x")];
        StatusWarning warning = Assert.Single(Read(sources: _sources.All with { ReloadRefusal = () => errors }));
        Assert.StartsWith("settings not reloaded, ", warning.Text);
        Assert.EndsWith(": dnsd.json:1:1: error: x", warning.Text);
        Assert.Equal((false, "dnsd.json:1:1: error: x", "and 2 more"),
            (warning.IsError, warning.Details[0], warning.Details[^1]));
    }

    [Fact]
    public void A_warning_about_zones_names_the_first_ones()
    {
        StatusWarning warning = StatusWarning.OfZones(
            true, 7, "frozen", Enumerable.Range(1, 7).Reverse().Select(number => $"z{number}.test."));
        Assert.Equal(("7 zones frozen", true, "z1.test.", "and 2 more"),
            (warning.Text, warning.IsError, warning.Details[0], warning.Details[^1]));
    }

    private IReadOnlyList<StatusWarning> Read(bool acceptsTcp = true, ServerSources? sources = null)
    {
        HistoryPoint point = HistoryPoint.Read(_sources.All, _sources.Clock);
        return new StatusWarnings(sources ?? _sources.All, new Liveness(() => acceptsTcp), IFeatureStatus.None).Read(
            _sources.Status.ReadTotals(), new HistoryFigures(point, point, _sources.Clock));
    }
}
