namespace Dns.Telemetry.Metrics;

/// <content>What is held back, and what is recorded.</content>
internal sealed partial class ServerMeter
{
    private void AddProtection()
    {
        Counter("dnsd_rate_limit_total", "Responses checked by response rate limiting (RRL), by verdict.", "verdict",
            () => _sources.RateLimiter() is { Counters: var counters } ? CounterGroups.RateLimit(counters) : []);
        Gauge("dnsd_rate_limit_bytes", "Memory of the RRL table; it does not depend on traffic.",
            () => _sources.RateLimiter()?.MemoryBytes ?? 0);
        Counter("dnsd_online_signatures_total", "Signatures for answers of zones with compact denial, by result.", () =>
        [
            Of(_sources.OnlineSignatures(), "result", "made"),
            Of(_sources.SigningLimiter?.Refused ?? 0, "result", "refused"),
        ]);
        Counter("dnsd_cookies_total", "Queries, by the state of their cookie.", "state",
            () => CounterGroups.Cookies(_sources.Answers.Read()));
    }

    private void AddRecords()
    {
        Counter("dnsd_records_written_total", "Records of responses written to the query log or to dnstap.", () =>
            (_sources.Recorders?.All ?? []).Select(one => Of(one.Recorder.Written, "sink", one.Name)));
        Counter("dnsd_records_lost_total", "Records of responses lost: the queue was full or the sink failed.", () =>
            (_sources.Recorders?.All ?? []).Select(one => Of(one.Recorder.Lost, "sink", one.Name)));
    }
}
