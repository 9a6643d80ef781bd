using System.Diagnostics.Metrics;

namespace Dns.Telemetry.Metrics;

/// <content>Zones that are copied from primaries.</content>
internal sealed partial class ServerMeter
{
    private void AddSecondaries(SecondaryCounters counters)
    {
        Counter("dnsd_refreshes_total",
            "Refreshes of secondaries: responses of primaries to SOA and transfer queries, by result.",
            () => ResultsOf(counters));
        Counter("dnsd_transfers_in_bytes_total", "Octets of served incoming transfers.", () => counters.Octets);
        Counter("dnsd_transfers_in_records_total", "Records of served incoming transfers.", () => counters.Records);
        Counter("dnsd_notifies_received_total",
            "NOTIFY messages received for secondaries, accepted or refused.", () =>
            [Of(counters.Notifies, "result", "taken"), Of(counters.NotifiesRefused, "result", "refused")]);
        Gauge("dnsd_zone_confirmed_timestamp_seconds",
            "When a primary last confirmed the version of a secondary, in seconds since 1970.",
            () => EachReplica(replica => replica.ConfirmedAt?.ToUnixTimeSeconds()));
        Gauge("dnsd_zone_expires_timestamp_seconds",
            "When a secondary expires unless a primary confirms it, in seconds since 1970.",
            () => EachReplica(replica => replica.Expires?.ToUnixTimeSeconds()));
    }

    private IEnumerable<Measurement<long>> EachReplica(Func<ZoneReplica, long?> read) =>
        EachZone(zone => zone is IReplicatedZone copy ? read(copy.Replica) : null);

    private static IEnumerable<Measurement<long>> ResultsOf(SecondaryCounters counters)
    {
        yield return Of(counters.Whole, "result", "axfr");
        yield return Of(counters.Incremental, "result", "ixfr");
        yield return Of(counters.UpToDate, "result", "current");
        foreach (TransferFailureKind kind in Enum.GetValues<TransferFailureKind>())
            if (WordOf(kind) is { } word) yield return Of(counters.Failed(kind), "result", word);
    }

    private static string? WordOf(TransferFailureKind kind) => kind switch
    {
        TransferFailureKind.Unreachable => "unreachable",
        TransferFailureKind.EndedEarly => "ended_early",
        TransferFailureKind.Refused => "refused",
        TransferFailureKind.Signature => "signature",
        TransferFailureKind.WrongReply => "wrong_reply",
        TransferFailureKind.Malformed => "malformed",
        TransferFailureKind.SerialBehind => "serial_behind",
        TransferFailureKind.TooLarge => "too_large",
        TransferFailureKind.DoesNotFit => "does_not_fit",
        TransferFailureKind.BadZone => "bad_zone",
        TransferFailureKind.NotStored => "not_kept",
        _ => null,
    };
}
