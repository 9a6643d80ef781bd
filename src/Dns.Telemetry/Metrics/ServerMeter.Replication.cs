using System.Diagnostics.Metrics;

namespace Dns.Telemetry.Metrics;

/// <content>Zones given to secondaries, and secondaries notified.</content>
internal sealed partial class ServerMeter
{
    private void AddReplication()
    {
        if (_sources.Transfers is { } transfers)
        {
            Counter("dnsd_transfers_out_total", "Outgoing transfers that have ended, by kind and result.",
                () => EndedTransfers(transfers));
            Counter("dnsd_transfers_out_refused_total",
                "Refused queries for a transfer of a served zone, by reason.", "reason",
                () => CounterGroups.TransferRefusals(transfers.Counters));
            Counter("dnsd_transfers_out_bytes_total", "Octets of transfers to secondaries.",
                () => transfers.Counters.Octets);
            Gauge("dnsd_transfers_out_running", "Outgoing transfers in progress.", () => transfers.Running);
            Gauge("dnsd_zone_history_bytes", "Memory of the changes stored for IXFR.",
                () => transfers.History.Bytes);
        }
        if (_sources.Notifications is not { } notifications) return;
        Counter("dnsd_notify_sent_total", "NOTIFY messages sent, retries included.", () => notifications.Counters.Sent);
        Counter("dnsd_notify_total", "Notifications of zones to secondaries, by result.", "result",
            () => CounterGroups.Notifications(notifications.Counters));
        Gauge("dnsd_notify_pending", "Notifications that wait or are in progress.", () => notifications.Pending);
    }

    private static IEnumerable<Measurement<long>> EndedTransfers(OutgoingTransfers transfers)
    {
        foreach (TransferKind kind in Enum.GetValues<TransferKind>())
            foreach (NamedCount one in CounterGroups.Transfers(transfers.Counters, kind))
                yield return Of(one.Count, "kind", CounterGroups.NameOf(kind), "result", one.Name);
    }
}
