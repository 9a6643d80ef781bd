using Microsoft.Extensions.Logging;

namespace Dns.Features.RateLimiting;

/// <summary>Says when answers go over the limit: a line a second at most, whatever happens.</summary>
public sealed class RateLimitLog(Func<RateLimiter?> limiterOf, TimeProvider clock, ILogger logger)
{
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(1);

    private long _saidAt = clock.GetTimestamp();
    private RateLimitCounters _said;

    /// <summary>Checks the counters. Called by one thread, at any interval.</summary>
    public void Tick()
    {
        if (limiterOf() is not { } limiter || clock.GetElapsedTime(_saidAt) < Interval) return;
        RateLimitCounters now = limiter.Counters;
        long dropped = now.Dropped - _said.Dropped, slipped = now.Slipped - _said.Slipped,
            counted = now.WouldDrop - _said.WouldDrop;
        _said = now;
        _saidAt = clock.GetTimestamp();
        if (counted > 0)
            logger.RateLimitWouldAct(Counted.Of(counted, "answer"), limiter.LastOver);
        if (dropped + slipped > 0)
            logger.RateLimitActs(Counted.Of(dropped, "answer"), slipped, limiter.LastOver);
    }
}
