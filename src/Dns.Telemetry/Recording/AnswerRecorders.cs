using Microsoft.Extensions.Logging;

namespace Dns.Telemetry.Recording;

/// <summary>The configured recorders.</summary>
internal sealed class AnswerRecorders
{
    /// <summary>Makes them; nothing is opened yet.</summary>
    public AnswerRecorders(ServerOptions options, TimeProvider clock, ILoggerFactory log,
        IExceptionSink? exceptions = null)
    {
        ILogger<AnswerRecorder> logger = log.CreateLogger<AnswerRecorder>();
        AnswerRecorder Record(IRecordSink sink, double share, AnswerFilter? filter = null) =>
            new(sink, share, clock, logger)
                { Exceptions = exceptions ?? IExceptionSink.None, Filter = filter ?? AnswerFilter.None };
        if (options.QueryLog.File is { } path)
            QueryLog = Record(
                new QueryLogSink(path, options.QueryLog.Format, clock), options.QueryLog.Sample,
                new AnswerFilter(options.QueryLog.Clients, options.QueryLog.Zones, options.QueryLog.Rcodes));
        if (options.Dnstap.Socket is { } socket)
            DnstapSocket = Record(new DnstapSocketSink(socket, Message(options), clock), options.Dnstap.Sample);
        if (options.Dnstap.File is { } file)
            DnstapFile = Record(new DnstapFileSink(file, Message(options), clock), options.Dnstap.Sample);
    }

    /// <summary>The log of queries; null = there is none.</summary>
    public AnswerRecorder? QueryLog { get; }

    /// <summary>dnstap to a socket; null = there is none.</summary>
    public AnswerRecorder? DnstapSocket { get; }

    /// <summary>dnstap to a file; null = there is none.</summary>
    public AnswerRecorder? DnstapFile { get; }

    /// <summary>All there are, with what they are called in metrics.</summary>
    public IEnumerable<(string Name, AnswerRecorder Recorder)> All
    {
        get
        {
            if (QueryLog is not null) yield return ("query_log", QueryLog);
            if (DnstapSocket is not null) yield return ("dnstap_socket", DnstapSocket);
            if (DnstapFile is not null) yield return ("dnstap_file", DnstapFile);
        }
    }

    private static DnstapMessage Message(ServerOptions options) => new(options.Identity, "dnsd " + ProgramVersion.Text);
}
