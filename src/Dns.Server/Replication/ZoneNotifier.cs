using Dns.Protocol;
using Dns.Replication;
using Dns.Transport.Outgoing;
using Dns.Zones;

namespace Dns.Server;

/// <summary>Joins notifications to the zones, and follows the settings.</summary>
internal sealed class ZoneNotifier : IDisposable
{
    private volatile IReadOnlyList<PeerAddress> _targets = [];

    /// <summary>Makes one.</summary>
    /// <param name="clock">The time.</param>
    /// <param name="log">Told what becomes of notifications.</param>
    /// <param name="exceptions">Told of exceptions of timers and sockets.</param>
    /// <param name="options">Who is notified.</param>
    public ZoneNotifier(TimeProvider clock, INotifyObserver log, IExceptionSink exceptions, ServerOptions options)
    {
        Sender = new NotifySender(new SocketNetwork(exceptions), new MonotonicClock(clock), TargetsOf, exceptions) { Observer = log };
        Use(options);
    }

    /// <summary>Sends.</summary>
    public NotifySender Sender { get; }

    /// <summary>Takes the keys, and who is notified of the zones that do not say so themselves.</summary>
    public void Use(ServerOptions options)
    {
        _targets = options.Notify;
        Sender.Keys = new TsigKeyRing(options.TsigKeys);
    }

    /// <inheritdoc/>
    public void Dispose() => Sender.Dispose();

    /// <summary>Who is notified of a zone.</summary>
    // Names that every server has for itself are no news to others.
    public IReadOnlyList<PeerAddress> TargetsOf(ZoneSlot slot) =>
        slot.Policy?.Notify ?? (slot.Precedence == ZonePrecedence.BuiltIn ? [] : _targets);
}
