namespace Dns.Telemetry;

/// <summary>Loops of telemetry that survive exceptions, by their labels in metrics.</summary>
public static class TelemetryLoops
{
    /// <summary>Timing and recording of answers.</summary>
    public const string AnswerWatch = "answer_watch";

    /// <summary>Writing the query log and dnstap.</summary>
    public const string AnswerRecorder = "answer_recorder";

    /// <summary>The timers of the history on the status page.</summary>
    public const string HistoryTimer = "history_timer";

    /// <summary>Starting the OTLP export.</summary>
    public const string OtlpExport = "otlp_export";

    /// <summary>All of them.</summary>
    public static IReadOnlyList<string> All { get; } =
        [AnswerWatch, AnswerRecorder, HistoryTimer, OtlpExport];
}
