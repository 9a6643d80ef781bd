using Microsoft.Extensions.Logging;

namespace Dns.Server;

/// <summary>The recorders that the settings ask for.</summary>
internal sealed class AnswerRecorders
{
    /// <summary>Makes them; nothing is opened yet.</summary>
    public AnswerRecorders(ServerOptions options, TimeProvider clock, ILoggerFactory log)
    {
        ILogger<AnswerRecorder> logger = log.CreateLogger<AnswerRecorder>();
        if (options.QueryLog.File is { } path)
            QueryLog = new AnswerRecorder(
                new QueryLogSink(path, options.QueryLog.Format, clock), options.QueryLog.Sample, clock, logger);
        if (options.Dnstap.Socket is { } socket)
            DnstapSocket = new AnswerRecorder(
                new DnstapSocketSink(socket, Message(options), clock), options.Dnstap.Sample, clock, logger);
        if (options.Dnstap.File is { } file)
            DnstapFile = new AnswerRecorder(new DnstapFileSink(file, Message(options), clock), options.Dnstap.Sample, clock, logger);
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
