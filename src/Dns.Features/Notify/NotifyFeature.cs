using Microsoft.Extensions.Logging;

namespace Dns.Features.Notify;

/// <summary>Notifies secondaries of new versions of zones (RFC 1996).</summary>
public sealed class NotifyFeature : Feature, IFeature
{
    private volatile IReadOnlyList<PeerAddress> _targets = [];

    /// <param name="log">Receives events of notifications.</param>
    /// <param name="exceptions">Receives exceptions of timers and sockets.</param>
    /// <param name="handover">Whether notifications may be sent.</param>
    public NotifyFeature(
        TimeProvider clock, INotifyObserver log, IExceptionSink exceptions, ServerOptions options, Handover handover)
    {
        Sender = new NotifySender(SchemeNetwork.Create(exceptions), new MonotonicClock(clock), TargetsOf, exceptions)
            { Observer = log, Handover = handover };
        Use(options);
    }

    /// <summary>Sends notifications; during a takeover not before the end of the other server.</summary>
    public NotifySender Sender { get; }

    public static Feature Create(ServerParts parts)
    {
        NotifyLog log = new(parts.Loggers.CreateLogger<NotifyLog>(), parts.Clock);
        NotifyFeature feature = new(parts.Clock, log, parts.Exceptions, parts.Options, parts.Handover);
        parts.Get<SigningFeature>().NotifyParents(feature.Sender);
        // After the history, so that notified secondaries find the deltas.
        parts.Get<TransferFeature>();
        feature.Sender.Follow(parts.Registry);
        return feature;
    }

    /// <summary>Sets the keys, and the default servers to notify.</summary>
    public override void Use(ServerOptions options)
    {
        _targets = options.Notify;
        Sender.Keys = new TsigKeyRing(options.TsigKeys);
    }

    public override void Dispose() => Sender.Dispose();

    /// <summary>The servers to notify of a zone.</summary>
    // Built-in local names are not announced.
    public IReadOnlyList<PeerAddress> TargetsOf(ZoneSlot slot) =>
        slot.Policy?.Notify ?? (slot.Precedence == ZonePrecedence.BuiltIn ? [] : _targets);

    public override ZoneStatus AddTo(ZoneStatus status, ZoneSlot slot) =>
        status with { Notify = [.. TargetsOf(slot).Select(target => target.ToString())] };

    public override void AddTo(CommandTable commands) => commands.Add("zone notify", call =>
    {
        DomainName zone = call.Name(0);
        ZoneSlot slot = ZoneOperations.Find(commands.Zones, zone);
        if (slot.Zone is null) throw new OperationException(OperationError.Rejected, $"zone {zone} has no data");
        int count = Sender.Send(slot);
        return count > 0 ? call.Done($"zone {zone}: notifying {Counted.Of(count, "server")}")
            : throw new OperationException(
                OperationError.Rejected, $"zone {zone} has no servers to notify: set Notify");
    });

    public override void AddTo(MetricSet metrics)
    {
        NotifyCounters counters = Sender.Counters;
        metrics.Counter("dnsd_notify_sent_total", "NOTIFY messages sent, retries included.", () => counters.Sent);
        metrics.Counter("dnsd_notify_total", "Notifications of zones to secondaries, by result.", "result", () =>
        [
            new("answered", counters.Answered), new("refused", counters.Refused),
            new("unanswered", counters.Unanswered), new("dropped", counters.Dropped),
        ]);
        metrics.Gauge("dnsd_notify_pending", "Notifications that wait or are in progress.", () => Sender.Pending);
    }
}
