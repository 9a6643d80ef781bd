using System.Globalization;

namespace Dns.Bench;

/// <summary>Repeated measurements: their median and range.</summary>
internal sealed class Spread
{
    private readonly List<double> _values = [];

    internal int Count => _values.Count;

    /// <summary>The median; NaN without measurements.</summary>
    internal double Middle
    {
        get
        {
            if (_values.Count == 0) return double.NaN;
            double[] sorted = [.. _values.Order()];
            return (sorted[(sorted.Length - 1) / 2] + sorted[sorted.Length / 2]) / 2;
        }
    }

    internal void Add(double value) => _values.Add(value);

    /// <summary>Median, range and, on demand, number of measurements, with this many decimals.</summary>
    internal string ToString(int decimals)
    {
        if (_values.Count == 0) return "–";
        string format = "F" + decimals.ToString(CultureInfo.InvariantCulture);
        string Text(double value) => value.ToString(format, CultureInfo.InvariantCulture);
        return $"{Text(Middle)} ({Text(_values.Min())}–{Text(_values.Max())})";
    }

    public override string ToString() => ToString(decimals: 0);
}
