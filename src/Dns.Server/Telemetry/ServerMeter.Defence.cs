using Dns.Answering;

namespace Dns.Server;

/// <content>What is held back, and what is recorded.</content>
internal sealed partial class ServerMeter
{
    private void AddDefence()
    {
        Counter("dnsd_rate_limit_total", "Answers that the limiter has judged, by its verdict.", () =>
        {
            if (_sources.Defence?.RateLimiter is not { } limiter) return [];
            RateLimitCounters counters = limiter.Counters;
            return [Of(counters.Passed, "verdict", "passed"), Of(counters.Dropped, "verdict", "dropped"),
                Of(counters.Slipped, "verdict", "slipped"), Of(counters.WouldDrop, "verdict", "would_drop")];
        });
        Gauge("dnsd_rate_limit_bytes", "Memory that the limiter takes; it does not depend on traffic.",
            () => _sources.Defence?.RateLimiter?.MemoryBytes ?? 0);
        Counter("dnsd_cookies_total", "Queries, by how their cookie stood.", () =>
        {
            AnswerTally tally = _sources.Answers.Read();
            return Enum.GetValues<CookieState>().Select(state => Of(tally.Of(state), "state", NameOf(state)));
        });
    }

    internal static string NameOf(CookieState state) => state switch
    {
        CookieState.None => "none",
        CookieState.Malformed => "malformed",
        CookieState.WithoutOurs => "first",
        CookieState.WithOurs => "wrong",
        _ => "valid",
    };

    private void AddRecords()
    {
        Counter("dnsd_records_written_total", "Records of answers written to the query log or to dnstap.", () =>
            (_sources.Recorders?.All ?? []).Select(one => Of(one.Recorder.Written, "sink", one.Name)));
        Counter("dnsd_records_lost_total", "Records of answers that found no room or could not be written.", () =>
            (_sources.Recorders?.All ?? []).Select(one => Of(one.Recorder.Lost, "sink", one.Name)));
    }
}
