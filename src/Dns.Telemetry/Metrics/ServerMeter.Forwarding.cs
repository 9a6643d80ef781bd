using System.Diagnostics.Metrics;

namespace Dns.Telemetry.Metrics;

/// <content>Metrics of the forwarder and its cache.</content>
internal sealed partial class ServerMeter
{
    private void AddForwarding(Forwarder forwarder)
    {
        ForwarderCounters counters = forwarder.Counters;
        Counter("dnsd_forward_questions_total", "Questions for upstreams, by outcome.", "event",
            () => CounterGroups.Forwarding(counters));
        Counter("dnsd_forward_sent_total", "Queries sent to upstreams.", () => counters.Sent);
        Counter("dnsd_forward_mismatched_total",
            "Messages from upstreams that match no pending query: forged or late.",
            () => counters.Mismatched);
        Counter("dnsd_forward_tcp_fallbacks_total", "Queries repeated over TCP.", () => counters.StreamFallbacks);
        Counter("dnsd_forward_sockets_refused_total",
            "Times that the system refused sockets to an upstream, at most once a second.",
            () => counters.RefusedSockets);
        Gauge("dnsd_forward_in_flight", "Questions with a pending upstream query.", () => forwarder.InFlight);
        Gauge("dnsd_forward_waiting", "Queries of clients that wait for an upstream.", () => forwarder.Waiting);
    }

    private void AddUpstreams(Forwarder forwarder)
    {
        Gauge("dnsd_upstream_up", "1 if the upstream is queried, 0 if it is down or is this server.",
            () => Each(forwarder, status => status.State == UpstreamState.Up ? 1 : 0));
        Histogram(new CountedHistogram("dnsd_upstream_round_trip_seconds", "From a query over UDP to its reply.", "s",
            RoundTripCounts.UpperSeconds, () => [.. forwarder.Upstreams.Select(RoundTripsOf)]));
        Meter.CreateObservableGauge("dnsd_upstream_smoothed_round_trip_seconds",
            () => forwarder.Upstreams.Select(status =>
            new Measurement<double>(status.RoundTripMs / 1000,
                new KeyValuePair<string, object?>("upstream", status.Address.ToString()))),
            null, "Smoothed round-trip time; 0 without a measurement.");
        Counter("dnsd_upstream_queries_total", "Queries sent to the upstream.",
            () => Each(forwarder, status => status.Sent));
        Counter("dnsd_upstream_replies_total", "Replies accepted.",
            () => Each(forwarder, status => status.Answered));
        Counter("dnsd_upstream_timeouts_total", "Queries that timed out.",
            () => Each(forwarder, status => status.TimedOut));
        Counter("dnsd_upstream_mismatched_total", "Messages that match no pending query.",
            () => Each(forwarder, status => status.Mismatched));
        Counter("dnsd_upstream_tcp_fallbacks_total",
            "Queries repeated over TCP: truncated, wrong letter case, or under attack.",
            () => Each(forwarder, status => status.StreamFallbacks));
        Gauge("dnsd_upstream_tcp_only",
            "1 if it is queried over TCP because it does not copy the letter case of questions.",
            () => Each(forwarder, status => status.IsStreamOnly ? 1 : 0));
    }

    private static HistogramSeries RoundTripsOf(UpstreamStatus status) => new(
        "upstream", status.Address.ToString(),
        () => new HistogramReading(status.RoundTrips.Classes, status.RoundTrips.Seconds));

    private static IEnumerable<Measurement<long>> Each(Forwarder forwarder, Func<UpstreamStatus, long> read) =>
        forwarder.Upstreams.Select(status => Of(read(status), "upstream", status.Address.ToString()));

    private void AddCache(AnswerCache cache)
    {
        Counter("dnsd_cache_lookups_total", "Lookups in the cache, by result.", "result",
            () => CounterGroups.CacheLookups(cache.Counters));
        Counter("dnsd_cache_stored_total", "Answers and failures stored.", () => cache.Counters.Stored);
        Counter("dnsd_cache_removed_total", "Entries removed, by reason.", "reason",
            () => CounterGroups.CacheRemoved(cache.Counters));
        Gauge("dnsd_cache_entries", "Entries in the cache.", () => cache.Counters.Entries);
        Gauge("dnsd_cache_bytes", "Memory of the cache.", () => cache.Counters.Bytes);
    }
}
