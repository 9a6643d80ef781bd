namespace Dns.Features.Notify;

/// <summary>Sends notifications for changed zones, with the current settings.</summary>
internal sealed class ZoneNotifier : IDisposable
{
    private volatile IReadOnlyList<PeerAddress> _targets = [];

    /// <param name="log">Receives events of notifications.</param>
    /// <param name="exceptions">Receives exceptions of timers and sockets.</param>
    /// <param name="handover">Whether notifications may be sent.</param>
    public ZoneNotifier(
        TimeProvider clock, INotifyObserver log, IExceptionSink exceptions, ServerOptions options, Handover handover)
    {
        Sender = new NotifySender(new SocketNetwork(exceptions), new MonotonicClock(clock), TargetsOf, exceptions)
            { Observer = log, Handover = handover };
        Use(options);
    }

    public NotifySender Sender { get; }

    /// <summary>Sets the keys, and the default servers to notify.</summary>
    public void Use(ServerOptions options)
    {
        _targets = options.Notify;
        Sender.Keys = new TsigKeyRing(options.TsigKeys);
    }

    public void Dispose() => Sender.Dispose();

    /// <summary>The servers to notify of a zone.</summary>
    // Built-in local names are not announced.
    public IReadOnlyList<PeerAddress> TargetsOf(ZoneSlot slot) =>
        slot.Policy?.Notify ?? (slot.Precedence == ZonePrecedence.BuiltIn ? [] : _targets);
}
