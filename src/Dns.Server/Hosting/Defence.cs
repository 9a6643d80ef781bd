using Dns.Answering;

namespace Dns.Server;

/// <summary>What the responder defends itself with, and the time that it is told: nothing in an answer's way reads a clock.</summary>
internal sealed class Defence
{
    private readonly TimeProvider _clock;
    private readonly long _started;

    /// <summary>Makes what the settings ask for.</summary>
    public Defence(ServerOptions options, TimeProvider clock)
    {
        _clock = clock;
        _started = clock.GetTimestamp();
        if (options.RateLimit.Mode != RateLimitMode.Off) RateLimiter = new RateLimiter(options.RateLimit.ToLimiter());
        if (options.Cookies.Enabled) Cookies = CookiesOf(options.Cookies, clock.GetUtcNow().ToUnixTimeSeconds());
    }

    /// <summary>Cookies; null if they are off.</summary>
    public ServerCookies? Cookies { get; }

    /// <summary>The limiter of answers; null if it is off.</summary>
    public RateLimiter? RateLimiter { get; }

    /// <summary>The options of a responder with these defences.</summary>
    public ResponderOptions AddTo(ResponderOptions options) => options with { Cookies = Cookies, RateLimiter = RateLimiter };

    /// <summary>Tells the time to whoever needs it. Called by one thread, several times a second.</summary>
    public void Tick()
    {
        long uptimeSeconds = (long)_clock.GetElapsedTime(_started).TotalSeconds;
        RateLimiter?.Tick(uptimeSeconds);
        Cookies?.Tick(_clock.GetUtcNow().ToUnixTimeSeconds(), uptimeSeconds);
    }

    private static ServerCookies CookiesOf(CookieOptions options, long unixSeconds) => options.Secrets.Count > 0
        ? new ServerCookies(options.Secrets, unixSeconds)
        : new ServerCookies(options.Rotate, unixSeconds);
}
