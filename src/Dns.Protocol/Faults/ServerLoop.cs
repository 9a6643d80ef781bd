namespace Dns.Protocol;

/// <summary>
/// The loops and timers of the server that must outlive an exception of what they call. The names are labels of a metric.
/// </summary>
public enum ServerLoop
{
    /// <summary>Receiving and answering over UDP.</summary>
    UdpReceive,

    /// <summary>Accepting TCP connections.</summary>
    TcpAccept,

    /// <summary>Receiving and answering on one TCP connection.</summary>
    TcpConnection,

    /// <summary>The timer that ends TCP connections.</summary>
    TcpTimer,

    /// <summary>The timer that looks for conditions of the listeners to log.</summary>
    ConditionTimer,

    /// <summary>Answering one message of a batch.</summary>
    Responder,

    /// <summary>Timing and recording of answers.</summary>
    AnswerWatch,

    /// <summary>Sending the first query for a question to an upstream.</summary>
    UpstreamQuery,

    /// <summary>Receiving datagrams of upstreams.</summary>
    UpstreamDatagram,

    /// <summary>Receiving on, and sending to, a stream to an upstream.</summary>
    UpstreamStream,

    /// <summary>The timers of queries to upstreams.</summary>
    UpstreamTimer,

    /// <summary>Completing one of the queries that wait for the answer of an upstream.</summary>
    DeferredReply,

    /// <summary>Accepting clients of the control socket.</summary>
    ControlAccept,

    /// <summary>Serving one client of the control socket.</summary>
    ControlConnection,

    /// <summary>Accepting connections to the admin port.</summary>
    AdminAccept,

    /// <summary>The clock of rate limiting and cookies.</summary>
    DefenceClock,

    /// <summary>Writing the query log and dnstap.</summary>
    AnswerRecorder,

    /// <summary>The timers of the history on the status page.</summary>
    HistoryTimer,

    /// <summary>The timer that returns memory after a reload.</summary>
    MemoryTimer,

    /// <summary>The timers of notifications to the service manager.</summary>
    ServiceTimer,

    /// <summary>Watching zone files.</summary>
    ZoneWatch,

    /// <summary>Reloading after SIGHUP.</summary>
    ReloadSignal,

    /// <summary>Handing sockets to the next server.</summary>
    Takeover,

    /// <summary>Starting the export by OTLP.</summary>
    OtlpExport,
}
