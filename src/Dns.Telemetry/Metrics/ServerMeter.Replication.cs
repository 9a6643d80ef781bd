using System.Diagnostics.Metrics;
using Dns.Replication;

namespace Dns.Telemetry;

/// <content>Zones given to secondaries, and secondaries notified.</content>
internal sealed partial class ServerMeter
{
    private void AddReplication()
    {
        if (_sources.Transfers is { } transfers)
        {
            Counter("dnsd_transfers_out_total", "Transfers to secondaries that have ended, by form and result.",
                () => EndedTransfers(transfers));
            Counter("dnsd_transfers_out_refused_total",
                "Queries for a transfer of a zone served that got none, by the reason.", "reason",
                () => CounterGroups.TransferRefusals(transfers.Counters));
            Counter("dnsd_transfers_out_bytes_total", "Octets of transfers to secondaries.",
                () => transfers.Counters.Octets);
            Gauge("dnsd_transfers_out_running", "Transfers to secondaries that run now.", () => transfers.Running);
            Gauge("dnsd_zone_history_bytes", "Memory of changes that are kept for IXFR.",
                () => transfers.History.Bytes);
        }
        if (_sources.Notifications is not { } notifications) return;
        Counter("dnsd_notify_sent_total", "Notifications sent, each try by itself.", () => notifications.Counters.Sent);
        Counter("dnsd_notify_total", "Notifications of zones to secondaries, by result.", "result",
            () => CounterGroups.Notifications(notifications.Counters));
        Gauge("dnsd_notify_pending", "Notifications that wait or are under way.", () => notifications.Pending);
    }

    private static IEnumerable<Measurement<long>> EndedTransfers(OutgoingTransfers transfers)
    {
        foreach (TransferKind kind in Enum.GetValues<TransferKind>())
            foreach (NamedCount one in CounterGroups.Transfers(transfers.Counters, kind))
                yield return Of(one.Count, "kind", CounterGroups.NameOf(kind), "result", one.Name);
    }
}
