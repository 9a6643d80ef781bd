using Dns.Protocol;

namespace Dns.Transport;

/// <summary>
/// Tells the operator once of each condition that the listeners live with: looks at their counters now and
/// then, so that no receive loop has to. The counters go on counting.
/// </summary>
internal sealed class ConditionLog : IDisposable
{
    private static readonly TimeSpan Period = TimeSpan.FromSeconds(5);

    private readonly ListenerSet _listeners;
    private readonly Action<string> _tell;
    private readonly IExceptionSink _exceptions;
    private readonly ITimer _timer;
    private readonly Lock _gate = new();
    private readonly HashSet<string> _told = [];

    public ConditionLog(ListenerSet listeners, TransportOptions options, Action<string> tell)
    {
        _exceptions = options.Exceptions;
        _listeners = listeners;
        _tell = tell;
        _timer = options.Clock.CreateTimer(_ => Look(), null, Period, Period);
    }

    /// <inheritdoc/>
    public void Dispose() => _timer.Dispose();

    /// <summary>Looks now. Also done once more at the end, for servers that live shorter than the period.</summary>
    public void Look()
    {
        try
        {
            LookAtCounters();
        }
        catch (Exception error)
        {
            _exceptions.Report(ServerLoop.ConditionTimer, error, default);
        }
    }

    private void LookAtCounters()
    {
        lock (_gate)
        {
            UdpCounters udp = _listeners.ReadUdpCounters();
            TcpCounters tcp = _listeners.ReadTcpCounters();
            Tell("receive", udp.ReceiveErrors, "receiving over UDP failed; the listeners go on");
            Tell("send", udp.SendErrors, "the system refused to send answers over UDP; the others are sent");
            Tell("drop", udp.KernelDrops, "a UDP receive buffer was full and the system dropped queries");
            Tell("segment", udp.SegmentationRefusals, "the system refused UDP segmentation; it is tried again later");
            Tell("accept", tcp.AcceptErrors, "accepting over TCP failed; the listeners go on");
            Tell("fault", udp.Faults + tcp.Faults, "the responder failed; its query stays without an answer");
        }
    }

    private void Tell(string condition, long count, string what)
    {
        if (count > 0 && _told.Add(condition))
        {
            _tell($"{what} ({count} so far; told once, counted on)");
        }
    }
}
