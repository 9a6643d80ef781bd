using Microsoft.Extensions.Logging;

namespace Dns.Telemetry.Recording;

/// <summary>A recorder, with its name in metrics: <c>query_log</c>.</summary>
public sealed record NamedRecorder(string Name, AnswerRecorder Recorder)
{
    /// <summary>Makes one; nothing is opened yet.</summary>
    /// <param name="share">Which share of answers is recorded, 0 to 1.</param>
    /// <param name="filter">Which answers are recorded.</param>
    public static NamedRecorder Of(
        string name, IRecordSink sink, double share, AnswerFilter filter, TimeProvider clock, ILoggerFactory loggers,
        IExceptionSink exceptions) =>
        new(name, new AnswerRecorder(sink, share, clock, loggers.CreateLogger<AnswerRecorder>())
            { Exceptions = exceptions, Filter = filter });
}
