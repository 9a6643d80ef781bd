using Dns.Answering;

namespace Dns.Server;

/// <content>What is held back, and what is recorded.</content>
internal sealed partial class ServerMeter
{
    private void AddDefence()
    {
        Counter("dnsd_rate_limit_total", "Answers that the limiter has judged, by its verdict.", () =>
        {
            if (_sources.RateLimiter is not { } limiter) return [];
            RateLimitCounters counters = limiter.Counters;
            return [Of(counters.Passed, "verdict", "passed"), Of(counters.Dropped, "verdict", "dropped"),
                Of(counters.Slipped, "verdict", "slipped"), Of(counters.WouldDrop, "verdict", "would_drop")];
        });
    }

    private void AddRecords()
    {
        Counter("dnsd_records_written_total", "Records of answers written to the query log or to dnstap.", () =>
            (_sources.Recorders?.All ?? []).Select(one => Of(one.Recorder.Written, "sink", one.Name)));
        Counter("dnsd_records_lost_total", "Records of answers that found no room or could not be written.", () =>
            (_sources.Recorders?.All ?? []).Select(one => Of(one.Recorder.Lost, "sink", one.Name)));
    }
}
