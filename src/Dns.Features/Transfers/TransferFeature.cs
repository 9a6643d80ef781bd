using System.Diagnostics.Metrics;
using Microsoft.Extensions.Logging;

namespace Dns.Features.Transfers;

/// <summary>Zone transfers to secondaries (RFC 5936, RFC 1995), and the changes that they are made of.</summary>
public sealed class TransferFeature : Feature, IFeature, IMessageHandler
{
    private volatile PeerList _allowed = PeerList.Empty;
    private StoredHistory? _stored;

    /// <param name="time">The clock, for signatures.</param>
    /// <param name="log">Receives events of transfers.</param>
    /// <param name="handover">Whether secondaries may get the served versions.</param>
    public TransferFeature(TimeProvider time, ITransferObserver log, ServerOptions options, Handover handover)
    {
        Transfers = new OutgoingTransfers(time, AllowedOf) { Observer = log, Handover = handover };
        Use(options);
    }

    /// <summary>The transfers.</summary>
    public OutgoingTransfers Transfers { get; }

    /// <summary>Whether the changes of a zone are stored in a journal, so that its history need not be.</summary>
    public Func<DomainName, bool> HasJournal { private get; set; } = _ => false;

    public static IEnumerable<Setting> Settings => [TransferSettings.Section];

    public static Feature Create(ServerParts parts)
    {
        TransferLog log = new(parts.Loggers.CreateLogger<TransferLog>(), parts.Clock);
        TransferFeature feature = new(parts.Clock, log, parts.Options, parts.Handover);
        ZoneHistory history = feature.Transfers.History;
        if (parts.Get<SigningFeature>().Service is { } signing) signing.Restored += history.Continue;
        history.Follow(parts.Registry);
        if (parts.StateDirectory is null) return feature;
        feature._stored = new StoredHistory(
            Path.Join(parts.StateDirectory, "history"), new DiskFiles(flushes: false), history, feature.IsStored,
            parts.Options.ZoneLimits, log)
        {
            Handover = parts.Handover,
        };
        feature._stored.Follow(parts.Registry);
        return feature;
    }

    public override MessageHandlers AddTo(MessageHandlers handlers) =>
        handlers.With(RRType.AXFR, this).With(RRType.IXFR, this);

    /// <summary>Sets the keys, the maximum number of transfers, and the default transfer policy.</summary>
    public override void Use(ServerOptions options)
    {
        _allowed = new PeerList(options.AllowTransfer);
        Transfers.Keys = new TsigKeyRing(options.TsigKeys);
        Transfers.MaxConcurrent = options.Of(TransferSettings.Section).MaxOutgoing;
    }

    public override void OnZonesStopped() => _stored?.Dispose();

    public ReplyOutcome Respond(scoped in HandledMessage message)
    {
        QueryOrigin origin = message.Origin;
        TransferReply reply = Transfers.Answer(message.Room, message.QueryOctets, ref origin, message.Zones);
        if (reply.Sequence is not { } sequence)
            return reply.Octets > 0 ? ReplyOutcome.Of(reply.Octets) : ReplyOutcome.NotHandled;
        ReplyPath path = message.TakePath();
        if (path.TryStream(sequence)) return ReplyOutcome.Deferred;
        // The limit is reached; a secondary retries.
        path.Send(message.Room[..sequence.Refuse(message.Room, Rcode.ServFail)]);
        sequence.Dispose();
        return ReplyOutcome.Deferred;
    }

    public override ZoneStatus AddTo(ZoneStatus status, ZoneSlot slot) =>
        status with { AllowTransfer = [.. AllowedOf(slot).Rules.Select(rule => rule.ToString())] };

    public override void AddTo(MetricSet metrics)
    {
        TransferCounters counters = Transfers.Counters;
        metrics.Counter("dnsd_transfers_out_total", "Outgoing transfers that have ended, by kind and result.",
            () => Enum.GetValues<TransferKind>().SelectMany(kind => EndedOf(counters, kind)));
        metrics.Counter("dnsd_transfers_out_refused_total",
            "Refused queries for a transfer of a served zone, by reason.", "reason", () => RefusalsOf(counters));
        metrics.Counter("dnsd_transfers_out_bytes_total", "Octets of transfers to secondaries.",
            () => counters.Octets);
        metrics.Gauge("dnsd_transfers_out_running", "Outgoing transfers in progress.", () => Transfers.Running);
        metrics.Gauge("dnsd_zone_history_bytes", "Memory of the changes stored for IXFR.",
            () => Transfers.History.Bytes);
    }

    // The others have their versions elsewhere: signed copies, copies of secondaries, journals of updates.
    private bool IsStored(ZoneSlot slot) => slot is { Source: IZoneFiles, IsSignedHere: false }
        && AllowedOf(slot).Rules.Count > 0 && !HasJournal(slot.Name);

    private PeerList AllowedOf(ZoneSlot slot) => slot.Policy?.AllowTransfer ?? _allowed;

    private static Measurement<long>[] EndedOf(TransferCounters counters, TransferKind kind)
    {
        string name = kind switch
        {
            TransferKind.Whole => "axfr",
            TransferKind.Changes => "ixfr",
            _ => "axfr_for_ixfr",
        };
        Measurement<long> Of(TransferOutcome outcome, string result) =>
            MetricSet.Of(counters.Ended(kind, outcome), "kind", name, "result", result);
        return [Of(TransferOutcome.Complete, "complete"), Of(TransferOutcome.ClosedEarly, "early"),
            Of(TransferOutcome.RecordTooLarge, "too_large")];
    }

    private static NamedCount[] RefusalsOf(TransferCounters counters) =>
    [
        new("not_allowed", counters.Refused(TransferRefusal.NotAllowed)),
        new("signature", counters.Refused(TransferRefusal.BadSignature)),
        new("busy", counters.Refused(TransferRefusal.Busy)), new("no_data", counters.Refused(TransferRefusal.NoData)),
        new("signed_online", counters.Refused(TransferRefusal.SignedOnline)),
        new("taking_over", counters.Refused(TransferRefusal.TakingOver)),
    ];
}
