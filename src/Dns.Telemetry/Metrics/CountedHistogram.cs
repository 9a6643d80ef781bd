namespace Dns.Telemetry;

/// <summary>
/// A histogram whose classes are counted anyway, and summed when read. <see cref="System.Diagnostics.Metrics"/> has
/// no observable histogram: recording each answer would cost the answers, so exporters are given the classes as they
/// are.
/// </summary>
/// <param name="Name">Its name.</param>
/// <param name="Description">What is counted.</param>
/// <param name="Unit">The unit of the values, as UCUM has it.</param>
/// <param name="Bounds">The upper ends of the classes, included; the last class has none and is left out here.</param>
/// <param name="Series">Gives what is counted at the moment, a series for each label.</param>
internal sealed record CountedHistogram(
    string Name, string Description, string Unit, double[] Bounds, Func<IReadOnlyList<HistogramSeries>> Series)
{
    /// <summary>The names under which instruments show its parts.</summary>
    public string BucketName => Name + "_bucket";

    /// <summary>The sum of all values.</summary>
    public string SumName => Name + "_sum";

    /// <summary>How many values there are.</summary>
    public string CountName => Name + "_count";
}

/// <summary>One series of a histogram.</summary>
/// <param name="Label">The name of its label; empty = there is none.</param>
/// <param name="Content">The value of the label.</param>
/// <param name="Read">Reads it as it is at this moment.</param>
internal sealed record HistogramSeries(string Label, string Content, Func<HistogramReading> Read)
{
    /// <summary>Its labels.</summary>
    public KeyValuePair<string, object?>[] Labels => Label.Length == 0 ? [] : [new(Label, Content)];
}

/// <summary>What was counted up to some moment.</summary>
/// <param name="Classes">How many values in each class, the open one at the end.</param>
/// <param name="Sum">The sum of the values.</param>
internal readonly record struct HistogramReading(long[] Classes, double Sum);
