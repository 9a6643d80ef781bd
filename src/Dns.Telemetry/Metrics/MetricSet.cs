using System.Diagnostics.Metrics;

namespace Dns.Telemetry.Metrics;

/// <summary>
/// Instruments of the meter <c>dnsd</c>, named as Prometheus has them. All of them read counters that exist anyway, and
/// only on a scrape.
/// </summary>
/// <param name="zones">The zones, for <see cref="EachZone"/>.</param>
/// <param name="maxZones">With more zones there are no measurements by zone.</param>
public class MetricSet(IZoneFigures zones, int maxZones) : IDisposable
{
    /// <summary>The name of the meter.</summary>
    public const string Name = "dnsd";

    private readonly List<CountedHistogram> _histograms = [];

    /// <summary>The meter with the instruments.</summary>
    public Meter Meter { get; } = new(Name);

    /// <summary>The histograms, whose parts are counters of the meter.</summary>
    public IReadOnlyList<CountedHistogram> Histograms => _histograms;

    /// <inheritdoc/>
    public void Dispose() => Meter.Dispose();

    /// <summary>Adds a counter.</summary>
    public void Counter(string name, string description, Func<long> read) =>
        Meter.CreateObservableCounter(name, read, null, description);

    /// <summary>Adds a counter with labels.</summary>
    public void Counter(string name, string description, Func<IEnumerable<Measurement<long>>> read) =>
        Meter.CreateObservableCounter(name, read, null, description);

    /// <summary>Adds a counter with one label, whose values are the names of the counts.</summary>
    public void Counter(string name, string description, string label, Func<IEnumerable<NamedCount>> read) =>
        Counter(name, description, () => read().Select(one => Of(one.Count, label, one.Name)));

    /// <summary>Adds a gauge.</summary>
    public void Gauge(string name, string description, Func<long> read) =>
        Meter.CreateObservableGauge(name, read, null, description);

    /// <summary>Adds a gauge with labels.</summary>
    public void Gauge(string name, string description, Func<IEnumerable<Measurement<long>>> read) =>
        Meter.CreateObservableGauge(name, read, null, description);

    /// <summary>Adds a histogram whose classes are counted anyway.</summary>
    public void Histogram(CountedHistogram histogram)
    {
        _histograms.Add(histogram);
        Counter(histogram.BucketName, histogram.Description,
            () => histogram.Series().SelectMany(one => Buckets(histogram, one)));
        Meter.CreateObservableCounter(histogram.SumName, () => histogram.Series().Select(one =>
            new Measurement<double>(one.Read().Sum, one.Labels)), null, histogram.Description);
        Counter(histogram.CountName, histogram.Description, () =>
            histogram.Series().Select(one => new Measurement<long>(one.Read().Classes.Sum(), one.Labels)));
    }

    private static IEnumerable<Measurement<long>> Buckets(CountedHistogram histogram, HistogramSeries series)
    {
        long sum = 0;
        long[] classes = series.Read().Classes;
        for (int i = 0; i < classes.Length; i++)
        {
            double bound = i < histogram.Bounds.Length ? histogram.Bounds[i] : double.PositiveInfinity;
            yield return new Measurement<long>(sum += classes[i],
                [.. series.Labels, new("le", PrometheusText.TextOf(bound))]);
        }
    }

    /// <summary>A measurement with a label.</summary>
    public static Measurement<long> Of(long value, string label, string content) =>
        new(value, new KeyValuePair<string, object?>(label, content));

    /// <summary>A measurement with two labels.</summary>
    public static Measurement<long> Of(long value, string label, string content, string label2, string content2) =>
        new(value, new KeyValuePair<string, object?>(label, content),
            new KeyValuePair<string, object?>(label2, content2));

    /// <summary>One measurement for each zone; none at all where there are too many zones for that.</summary>
    /// <param name="read">The value of a zone; null = none.</param>
    public IEnumerable<Measurement<long>> EachZone(Func<ZoneSlot, long?> read)
    {
        if (zones.Totals().Count > maxZones) yield break;
        foreach (ZoneSlot zone in zones.Zones)
            if (read(zone) is { } value) yield return Of(value, "zone", zone.Name.ToString());
    }
}
