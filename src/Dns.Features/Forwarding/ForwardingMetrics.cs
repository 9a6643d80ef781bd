using System.Diagnostics.Metrics;

namespace Dns.Features.Forwarding;

/// <summary>The counters of the forwarder and its cache, as metrics and for <c>dnsd stats</c>.</summary>
public static class ForwardingMetrics
{
    /// <summary>Adds all metrics.</summary>
    public static void Add(MetricSet metrics, Forwarder forwarder)
    {
        AddQueries(metrics, forwarder);
        AddUpstreams(metrics, forwarder);
        AddCache(metrics, forwarder.Cache);
    }

    /// <summary>The counters of <c>dnsd stats</c>.</summary>
    public static IEnumerable<CountGroup> CountsOf(Forwarder forwarder)
    {
        ForwarderCounters counters = forwarder.Counters;
        CacheCounters cache = forwarder.Cache.Counters;
        yield return new(CountGroup.Forwarding, "",
        [
            .. EventsOf(counters), new("in flight", forwarder.InFlight), new("waiting", forwarder.Waiting),
            new("sent", counters.Sent), new("mismatched", counters.Mismatched),
            new("TCP fallbacks", counters.StreamFallbacks),
        ]);
        yield return new(CountGroup.Cache, "",
        [
            new("entries", cache.Entries), new("bytes", cache.Bytes), .. LookupsOf(cache),
            new("stored", cache.Stored), .. RemovedOf(cache),
        ]);
    }

    private static void AddQueries(MetricSet metrics, Forwarder forwarder)
    {
        ForwarderCounters counters = forwarder.Counters;
        metrics.Counter("dnsd_forward_questions_total", "Questions for upstreams, by outcome.", "event",
            () => EventsOf(counters));
        metrics.Counter("dnsd_forward_sent_total", "Queries sent to upstreams.", () => counters.Sent);
        metrics.Counter("dnsd_forward_mismatched_total",
            "Messages from upstreams that match no pending query: forged or late.",
            () => counters.Mismatched);
        metrics.Counter("dnsd_forward_tcp_fallbacks_total", "Queries repeated over TCP.",
            () => counters.StreamFallbacks);
        metrics.Counter("dnsd_forward_sockets_refused_total",
            "Times that the system refused sockets to an upstream, at most once a second.",
            () => counters.RefusedSockets);
        metrics.Gauge("dnsd_forward_in_flight", "Questions with a pending upstream query.", () => forwarder.InFlight);
        metrics.Gauge("dnsd_forward_waiting", "Queries of clients that wait for an upstream.", () => forwarder.Waiting);
    }

    private static void AddUpstreams(MetricSet metrics, Forwarder forwarder)
    {
        metrics.Gauge("dnsd_upstream_up", "1 if the upstream is queried, 0 if it is down or is this server.",
            () => Each(forwarder, status => status.State == UpstreamState.Up ? 1 : 0));
        metrics.Histogram(new CountedHistogram("dnsd_upstream_round_trip_seconds",
            "From a query over UDP to its reply.", "s", RoundTripCounts.UpperSeconds,
            () => [.. forwarder.Upstreams.Select(RoundTripsOf)]));
        metrics.Meter.CreateObservableGauge("dnsd_upstream_smoothed_round_trip_seconds",
            () => forwarder.Upstreams.Select(status =>
            new Measurement<double>(status.RoundTripMs / 1000,
                new KeyValuePair<string, object?>("upstream", status.Address.ToString()))),
            null, "Smoothed round-trip time; 0 without a measurement.");
        metrics.Counter("dnsd_upstream_queries_total", "Queries sent to the upstream.",
            () => Each(forwarder, status => status.Sent));
        metrics.Counter("dnsd_upstream_replies_total", "Replies accepted.",
            () => Each(forwarder, status => status.Answered));
        metrics.Counter("dnsd_upstream_timeouts_total", "Queries that timed out.",
            () => Each(forwarder, status => status.TimedOut));
        metrics.Counter("dnsd_upstream_mismatched_total", "Messages that match no pending query.",
            () => Each(forwarder, status => status.Mismatched));
        metrics.Counter("dnsd_upstream_tcp_fallbacks_total",
            "Queries repeated over TCP: truncated, wrong letter case, or under attack.",
            () => Each(forwarder, status => status.StreamFallbacks));
        metrics.Gauge("dnsd_upstream_tcp_only",
            "1 if it is queried over TCP because it does not copy the letter case of questions.",
            () => Each(forwarder, status => status.IsStreamOnly ? 1 : 0));
    }

    private static HistogramSeries RoundTripsOf(UpstreamStatus status) => new(
        "upstream", status.Address.ToString(),
        () => new HistogramReading(status.RoundTrips.Classes, status.RoundTrips.Seconds));

    private static IEnumerable<Measurement<long>> Each(Forwarder forwarder, Func<UpstreamStatus, long> read) =>
        forwarder.Upstreams.Select(status => MetricSet.Of(read(status), "upstream", status.Address.ToString()));

    private static void AddCache(MetricSet metrics, AnswerCache cache)
    {
        metrics.Counter("dnsd_cache_lookups_total", "Lookups in the cache, by result.", "result",
            () => LookupsOf(cache.Counters));
        metrics.Counter("dnsd_cache_stored_total", "Answers and failures stored.", () => cache.Counters.Stored);
        metrics.Counter("dnsd_cache_removed_total", "Entries removed, by reason.", "reason",
            () => RemovedOf(cache.Counters));
        metrics.Gauge("dnsd_cache_entries", "Entries in the cache.", () => cache.Counters.Entries);
        metrics.Gauge("dnsd_cache_bytes", "Memory of the cache.", () => cache.Counters.Bytes);
    }

    private static NamedCount[] EventsOf(ForwarderCounters counters) =>
    [
        new("asked", counters.Queried), new("joined", counters.Joined), new("refreshed", counters.Refreshed),
        new("answered", counters.Answered), new("failed", counters.Failed), new("stale", counters.Stale),
        new("table_full", counters.TableFull), new("unreachable", counters.Unreachable),
        new("client_limit", counters.ClientLimit),
        new("timed_out", counters.TimedOut), new("discarded", counters.Discarded), new("loop", counters.Loops),
    ];

    private static NamedCount[] LookupsOf(CacheCounters cache) =>
    [
        new("hit", cache.Hits), new("miss", cache.Misses), new("stale", cache.Stale), new("failure", cache.Failures),
    ];

    private static NamedCount[] RemovedOf(CacheCounters cache) =>
        [new("evicted", cache.Evicted), new("expired", cache.Expired)];
}
