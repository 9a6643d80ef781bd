namespace Dns.Telemetry;

/// <content>What is held back, and what is recorded.</content>
internal sealed partial class ServerMeter
{
    private void AddDefence()
    {
        Counter("dnsd_rate_limit_total", "Answers that the limiter has judged, by its verdict.", "verdict",
            () => _sources.RateLimiter() is { Counters: var counters } ? CounterGroups.RateLimit(counters) : []);
        Gauge("dnsd_rate_limit_bytes", "Memory that the limiter takes; it does not depend on traffic.",
            () => _sources.RateLimiter()?.MemoryBytes ?? 0);
        Counter("dnsd_online_signatures_total", "Signatures for answers of zones with compact denial, by result.", () =>
        [
            Of(_sources.OnlineSignatures(), "result", "made"),
            Of(_sources.SigningLimiter?.Refused ?? 0, "result", "refused"),
        ]);
        Counter("dnsd_cookies_total", "Queries, by how their cookie stood.", "state",
            () => CounterGroups.Cookies(_sources.Answers.Read()));
    }

    private void AddRecords()
    {
        Counter("dnsd_records_written_total", "Records of answers written to the query log or to dnstap.", () =>
            (_sources.Recorders?.All ?? []).Select(one => Of(one.Recorder.Written, "sink", one.Name)));
        Counter("dnsd_records_lost_total", "Records of answers that found no room or could not be written.", () =>
            (_sources.Recorders?.All ?? []).Select(one => Of(one.Recorder.Lost, "sink", one.Name)));
    }
}
