namespace Dns.Transport.Binding;

/// <summary>Logs each abnormal condition of the listeners once. Polls counters, so receive loops never log.</summary>
internal sealed class ConditionLog : IDisposable
{
    private static readonly TimeSpan Period = TimeSpan.FromSeconds(5);

    private readonly ListenerSet _listeners;
    private readonly Action<string> _log;
    private readonly IExceptionSink _exceptions;
    private readonly ITimer _timer;
    private readonly Lock _gate = new();
    private readonly HashSet<string> _logged = [];

    public ConditionLog(ListenerSet listeners, TransportOptions options, Action<string> log)
    {
        _exceptions = options.Exceptions;
        _listeners = listeners;
        _log = log;
        _timer = options.Clock.CreateTimer(_ => Poll(), null, Period, Period);
    }

    public void Dispose() => _timer.Dispose();

    /// <summary>Polls the counters; also called at the end, for servers that stop within the first period.</summary>
    public void Poll()
    {
        try
        {
            PollCounters();
        }
        catch (Exception error)
        {
            _exceptions.Report(TransportLoops.ConditionTimer, error, default);
        }
    }

    private void PollCounters()
    {
        lock (_gate)
        {
            UdpCounters udp = _listeners.ReadUdpCounters();
            TcpCounters tcp = _listeners.ReadTcpCounters();
            LogOnce("receive", udp.ReceiveErrors, "receiving over UDP failed; the listeners continue");
            LogOnce("send", udp.SendErrors, "the system refused to send answers over UDP; others are sent");
            LogOnce("drop", udp.KernelDrops, "a UDP receive buffer was full and the system dropped queries");
            LogOnce("segment", udp.SegmentationRefusals, "the system refused UDP segmentation; it is retried later");
            LogOnce("accept", tcp.AcceptErrors, "accepting over TCP failed; the listeners continue");
            LogOnce("fault", udp.Faults + tcp.Faults, "the responder failed; its query is not answered");
        }
    }

    private void LogOnce(string condition, long count, string what)
    {
        if (count > 0 && _logged.Add(condition)) _log($"{what} ({count} so far; logged once, still counted)");
    }
}
