namespace Dns.Management.Admin;

/// <summary>The value axis of a chart: equidistant ticks, from the lowest up.</summary>
public sealed class ChartScale
{
    private const int MostSteps = 4;
    private const double LeastLogarithm = -7; // 0.1 µs

    private ChartScale(bool isLogarithmic, IReadOnlyList<double> marks) =>
        (IsLogarithmic, Marks) = (isLogarithmic, marks);

    /// <summary>Whether it is logarithmic: each tick is ten times the one below.</summary>
    public bool IsLogarithmic { get; }

    /// <summary>The values of the ticks; at least two.</summary>
    public IReadOnlyList<double> Marks { get; }

    /// <summary>From 0 to a round number above all values, with ticks 1, 2 or 5 times a power of ten apart.</summary>
    public static ChartScale Linear(IReadOnlyCollection<double> values)
    {
        double most = Math.Max(1, values.DefaultIfEmpty().Max());
        double power = Math.Pow(10, Math.Floor(Math.Log10(most / MostSteps)));
        double step = power * new double[] { 1, 2, 5, 10 }.First(factor => most / (factor * power) <= MostSteps);
        int steps = Math.Max(1, (int)Math.Ceiling(most / step));
        return new ChartScale(false, [.. Enumerable.Range(0, steps + 1).Select(i => i * step)]);
    }

    /// <summary>From a power of ten below all values to one above them.</summary>
    public static ChartScale Logarithmic(IReadOnlyCollection<double> values)
    {
        double least = values.Where(value => value > 0).DefaultIfEmpty(1e-6).Min(),
            most = values.DefaultIfEmpty(1e-3).Max();
        int low = (int)Math.Floor(Math.Max(LeastLogarithm, Math.Log10(least)));
        int high = Math.Max(low + 1, (int)Math.Ceiling(Math.Log10(Math.Max(most, least))));
        return new ChartScale(true, [.. Enumerable.Range(low, high - low + 1).Select(power => Math.Pow(10, power))]);
    }

    /// <summary>The position of a value on the axis, 0 to 1.</summary>
    public double PartOf(double value) => Math.Clamp(
        IsLogarithmic ? Math.Log10(Math.Max(value, Marks[0]) / Marks[0]) / (Marks.Count - 1) : value / Marks[^1], 0, 1);
}
