namespace Dns.Telemetry.Metrics;

/// <summary>
/// A histogram whose classes are counted anyway, and summed when read. <see cref="System.Diagnostics.Metrics"/> has no
/// observable histogram, and recording each answer would cost the answers.
/// </summary>
/// <param name="Unit">The unit of the values, as UCUM has it.</param>
/// <param name="Bounds">The upper ends of the classes, included; the last class has none and is left out here.</param>
/// <param name="Series">Gives what is counted at the moment, a series for each label.</param>
public sealed record CountedHistogram(
    string Name, string Description, string Unit, double[] Bounds, Func<IReadOnlyList<HistogramSeries>> Series)
{
    public string BucketName => Name + "_bucket";

    public string SumName => Name + "_sum";

    public string CountName => Name + "_count";
}

/// <summary>One series of a histogram.</summary>
/// <param name="Label">The name of its label; empty = there is none.</param>
public sealed record HistogramSeries(string Label, string Content, Func<HistogramReading> Read)
{
    public KeyValuePair<string, object?>[] Labels => Label.Length == 0 ? [] : [new(Label, Content)];
}

/// <summary>What was counted up to some moment.</summary>
/// <param name="Classes">How many values in each class, the open one at the end.</param>
public readonly record struct HistogramReading(long[] Classes, double Sum);
