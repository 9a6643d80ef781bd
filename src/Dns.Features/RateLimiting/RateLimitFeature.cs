using Microsoft.Extensions.Logging;

namespace Dns.Features.RateLimiting;

/// <summary>
/// Response rate limiting (RRL). A reload turns it on and off; counters and known networks are kept. The query path
/// reads no clock: <see cref="Tick"/> sets its time.
/// </summary>
public sealed class RateLimitFeature : Feature, IFeature
{
    private readonly TimeProvider _clock;
    private readonly long _started;
    private readonly RateLimitLog _log;
    private readonly Lock _changing = new();
    private volatile RateLimiter? _limiter;
    private bool _isOn;

    /// <summary>Makes it with the settings of a start.</summary>
    public RateLimitFeature(ServerOptions options, TimeProvider clock, ILogger<RateLimitFeature> logger)
    {
        (_clock, _started) = (clock, clock.GetTimestamp());
        _log = new RateLimitLog(() => _limiter, clock, logger);
        Use(options);
    }

    /// <summary>The limiter, also after it was turned off, for its counters; null if it was never on.</summary>
    public RateLimiter? Limiter => _limiter;

    public static IEnumerable<Setting> Settings => [RateLimitSettings.Section];

    public static Feature Create(ServerParts parts) =>
        new RateLimitFeature(parts.Options, parts.Clock, parts.Loggers.CreateLogger<RateLimitFeature>());

    public override ResponderOptions AddTo(ResponderOptions options) =>
        options with { RateLimiter = _isOn ? _limiter : null };

    public override void Use(ServerOptions options)
    {
        RateLimitOptions limits = options.Of(RateLimitSettings.Section);
        lock (_changing)
        {
            _isOn = limits.Mode != RateLimitMode.Off;
            if (_isOn) _limiter = _limiter?.With(limits) ?? new RateLimiter(limits);
            SetTime();
        }
    }

    public override void Tick()
    {
        lock (_changing) SetTime();
        _log.Tick();
    }

    public override void AddTo(MetricSet metrics)
    {
        metrics.Counter("dnsd_rate_limit_total", "Responses checked by response rate limiting (RRL), by verdict.",
            "verdict", () => _limiter is { } limiter ? Verdicts(limiter.Counters) : []);
        metrics.Gauge("dnsd_rate_limit_bytes", "Memory of the RRL table; it does not depend on traffic.",
            () => _limiter?.MemoryBytes ?? 0);
    }

    public override IEnumerable<CountGroup> Counts =>
        [new(CountGroup.Defence, "rate limit:", Verdicts(_limiter?.Counters ?? default))];

    private void SetTime() => _limiter?.Tick((long)_clock.GetElapsedTime(_started).TotalSeconds);

    private static NamedCount[] Verdicts(RateLimitCounters counters) =>
    [
        new("passed", counters.Passed), new("dropped", counters.Dropped), new("slipped", counters.Slipped),
        new("would_drop", counters.WouldDrop),
    ];
}
