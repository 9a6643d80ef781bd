using System.Diagnostics.Metrics;

namespace Dns.Telemetry.Metrics;

/// <content>What is served.</content>
public sealed partial class ServerMeter
{
    private void AddZones()
    {
        Gauge("dnsd_zones", "Zones, by state.", () =>
        {
            ZoneTotals totals = _sources.Zones.Totals();
            return
            [
                Of(totals.Serving, "state", "serving"), Of(totals.Loading, "state", "loading"),
                Of(totals.Failed, "state", "failed"), Of(totals.Expired, "state", "expired"),
            ];
        });
        Gauge("dnsd_zones_stale", "Stale zones: the last good version is served because the latest is broken.",
            () => _sources.Zones.Totals().Stale);
        Gauge("dnsd_zones_conflicts", "Zones not served because another source has a zone of the same name.",
            () => _sources.Zones.Conflicts.Count);
        Gauge("dnsd_zones_signed", "Zones served that have DNSSEC records.", () => _sources.Zones.Totals().Signed);
        Gauge("dnsd_zones_records", "Records in all zones.", () => _sources.Zones.Totals().Records);
        Gauge("dnsd_zones_bytes", "Memory of all zones.", () => _sources.Zones.Totals().MemoryBytes);
        Gauge("dnsd_zone_up", "1 if the zone is served, 0 if it is not.",
            () => EachZone(zone => zone.Zone is null ? 0 : 1));
        Gauge("dnsd_zone_serial", "The serial of the zone.", () => EachZone(zone => zone.Zone?.Serial));
        Gauge("dnsd_zone_records", "Records in the zone.", () => EachZone(zone => zone.Zone?.RecordCount));
        Gauge("dnsd_zone_bytes", "Memory of the zone.", () => EachZone(zone => zone.Zone?.MemoryBytes));
        Gauge("dnsd_zone_loaded_timestamp_seconds", "When the zone was loaded, in seconds since 1970.",
            () => EachZone(zone => zone.LoadedAt?.ToUnixTimeSeconds()));
        Gauge("dnsd_zone_signature_expiry", "When the first signature of the zone expires, in seconds since 1970.",
            () => EachZone(zone => zone.Zone?.Signatures?.Earliest));
        Counter("dnsd_zone_queries_total", "Answered queries, by the zone of their name.",
            () => _sources.ReadZoneAnswers().Select(zone => Of(zone.Queries, "zone", zone.Zone)));
        Counter("dnsd_zone_answers_total", "Answers by the zone of the name and RCODE.",
            () => _sources.ReadZoneAnswers().SelectMany(CodesOf));
    }

    private static IEnumerable<Measurement<long>> CodesOf(ZoneAnswers zone)
    {
        for (int i = 0; i < ZoneAnswers.Rcodes.Count; i++)
            if (zone.Counts[i] > 0)
                yield return Of(zone.Counts[i], "zone", zone.Zone, "rcode", RcodeText.Format(ZoneAnswers.Rcodes[i]));
        if (zone.OtherCodes > 0) yield return Of(zone.OtherCodes, "zone", zone.Zone, "rcode", "other");
    }
}
