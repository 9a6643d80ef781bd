using Dns.Testing;
using Microsoft.Extensions.Logging;

namespace Dns.Telemetry.Tests;

public class ZoneClaimLogTests
{
    private readonly ZoneRegistry _registry = new(new PublishedZones());
    private readonly LineLog<ZoneClaimLog> _log = new();

    public ZoneClaimLogTests() => new ZoneClaimLog(_log).Follow(_registry);

    private async Task StartAsync(string words, int zones)
    {
        InMemoryZoneSource source = new(words);
        for (int i = 0; i < zones; i++) source.Claim(DomainName.Parse($"z{i}.test"));
        await source.StartAsync(_registry, new SilentObserver(), default);
    }

    [Fact]
    public async Task A_zone_of_two_sources_is_a_warning_that_names_both()
    {
        await StartAsync("one", 1);
        Assert.Empty(_log.Lines);
        await StartAsync("other", 1);
        Assert.Equal(["Warning zone z0.test. comes from one; that of other is not served as long as it does"],
            _log.Lines);
    }

    [Fact]
    public async Task The_lines_of_one_change_are_bounded()
    {
        await StartAsync("one", 1000);
        await StartAsync("other", 1000);
        Assert.Equal(21, _log.Lines.Count);
        Assert.Equal("Warning and 980 more: see dnsd status", _log.Lines[20]);
    }
}
