namespace Dns.Protocol.Faults;

/// <summary>Loops and timers of the server that survive exceptions. The names are labels of a metric.</summary>
public enum ServerLoop
{
    /// <summary>Receiving and answering over UDP.</summary>
    UdpReceive,

    /// <summary>Accepting TCP connections.</summary>
    TcpAccept,

    /// <summary>Receiving and answering on one TCP connection.</summary>
    TcpConnection,

    /// <summary>The timer of TCP timeouts.</summary>
    TcpTimer,

    /// <summary>The timer that polls conditions of the listeners.</summary>
    ConditionTimer,

    /// <summary>Answering a message of a batch.</summary>
    Responder,

    /// <summary>Timing and recording of answers.</summary>
    AnswerWatch,

    /// <summary>Sending the first upstream query for a question.</summary>
    UpstreamQuery,

    /// <summary>Receiving datagrams from upstreams.</summary>
    UpstreamDatagram,

    /// <summary>Receiving and sending on a stream to an upstream.</summary>
    UpstreamStream,

    /// <summary>The timers of upstream queries.</summary>
    UpstreamTimer,

    /// <summary>Completing a query that waits for an upstream's answer.</summary>
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

    /// <summary>Passing sockets to the next server.</summary>
    Takeover,

    /// <summary>Starting the OTLP export.</summary>
    OtlpExport,
}
