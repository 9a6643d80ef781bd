using Dns.Providers;

namespace Dns.Server;

/// <summary>The zones as people and metrics see them; those that every server has by itself are left out.</summary>
/// <param name="zones">Gives all zones at the moment.</param>
/// <param name="clock">Gives timestamps.</param>
internal sealed class ZoneCensus(Func<IEnumerable<ZoneView>> zones, TimeProvider clock)
{
    // A scrape asks for several sums: of 100,000 zones they are made once.
    private static readonly TimeSpan GoodFor = TimeSpan.FromSeconds(1);

    private readonly Lock _gate = new();
    private ZoneTotals _totals;
    private long _countedAt;
    private bool _isCounted;

    /// <summary>The zones of a provider.</summary>
    public static ZoneCensus Of(MasterFileProvider provider, TimeProvider clock) => new(
        () => provider.Zones.Select(status => new ZoneView(
            status.File.Zone.ToString(), status.State, status.Data, status.Failure, status.LoadedAt)), clock);

    /// <summary>The zones, made one by one as they are asked for.</summary>
    public IEnumerable<ZoneView> Read() => zones();

    /// <summary>The sums, no more than a second old.</summary>
    public ZoneTotals Totals()
    {
        lock (_gate)
        {
            if (_isCounted && clock.GetElapsedTime(_countedAt) < GoodFor) return _totals;
            return Count();
        }
    }

    /// <summary>The sums of this moment.</summary>
    public ZoneTotals ReadTotals()
    {
        lock (_gate) return Count();
    }

    private ZoneTotals Count()
    {
        _totals = Read().Aggregate(default(ZoneTotals), static (sum, zone) => sum.With(in zone));
        _countedAt = clock.GetTimestamp();
        _isCounted = true;
        return _totals;
    }
}
