namespace Dns.Telemetry.Answers;

/// <summary>How long answers took, as counted up to some moment. A copy.</summary>
public sealed class TimeCounts
{
    /// <summary>How many were counted in each of the <see cref="TimeClasses"/>.</summary>
    public long[] Classes { get; } = new long[TimeClasses.Count];

    /// <summary>The sum of the times.</summary>
    public long Nanoseconds { get; set; }
}
