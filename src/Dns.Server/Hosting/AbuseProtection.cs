namespace Dns.Server.Hosting;

/// <summary>
/// Rate limiting and cookies, and their clock: the query path reads none. Settings may change at runtime; counters and
/// known clients are kept.
/// </summary>
internal sealed class AbuseProtection
{
    private readonly TimeProvider _clock;
    private readonly long _started;
    private readonly Lock _changing = new();
    private volatile RateLimiter? _limiter;
    private bool _limits, _usesCookies;

    public AbuseProtection(ServerOptions options, TimeProvider clock)
    {
        _clock = clock;
        _started = clock.GetTimestamp();
        Cookies = new ServerCookies(options.Cookies.Rotate, clock.GetUtcNow().ToUnixTimeSeconds());
        Use(options);
    }

    /// <summary>The cookies, used or not.</summary>
    public ServerCookies Cookies { get; }

    /// <summary>The rate limiter, also after it was turned off, for its counters; null if it was never on.</summary>
    public RateLimiter? RateLimiter => _limiter;

    /// <summary>The limiter of signatures made for answers.</summary>
    public SigningLimiter SigningLimiter { get; } = new(new SigningLimits());

    /// <summary>Applies other settings, effective with the next <see cref="AddTo"/>.</summary>
    public void Use(ServerOptions options)
    {
        lock (_changing)
        {
            _limits = options.RateLimit.Mode != RateLimitMode.Off;
            if (_limits) _limiter = _limiter?.With(options.RateLimit) ?? new RateLimiter(options.RateLimit);
            _usesCookies = options.Cookies.Enabled;
            if (options.Cookies.Secrets.Count > 0) Cookies.Use(options.Cookies.Secrets);
            else Cookies.Use(options.Cookies.Rotate);
            Tick();
        }
    }

    /// <summary>The options of a responder with rate limiting and cookies.</summary>
    public ResponderOptions AddTo(ResponderOptions options) => options with
    {
        Cookies = _usesCookies ? Cookies : null,
        RateLimiter = _limits ? _limiter : null,
        SigningLimiter = SigningLimiter,
    };

    /// <summary>Sets the time. Called several times a second.</summary>
    public void Tick()
    {
        TimeSpan uptime = _clock.GetElapsedTime(_started);
        long uptimeSeconds = (long)uptime.TotalSeconds;
        SigningLimiter.Tick(uptime);
        lock (_changing)
        {
            _limiter?.Tick(uptimeSeconds);
            Cookies.Tick(_clock.GetUtcNow().ToUnixTimeSeconds(), uptimeSeconds);
        }
    }
}
