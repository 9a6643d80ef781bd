namespace Dns.Features.Cookies;

/// <summary>
/// DNS cookies (RFC 7873, RFC 9018). A reload turns them on and off, and changes the secrets. The query path reads no
/// clock: <see cref="Tick"/> sets their time.
/// </summary>
public sealed class CookieFeature : Feature, IFeature
{
    private readonly TimeProvider _clock;
    private readonly long _started;
    private readonly Lock _changing = new();
    private readonly AnswerCounters _answers;
    private bool _isOn;

    /// <summary>Makes it with the settings of a start.</summary>
    /// <param name="answers">Counts queries by their cookie.</param>
    public CookieFeature(ServerOptions options, TimeProvider clock, AnswerCounters answers)
    {
        (_clock, _started, _answers) = (clock, clock.GetTimestamp(), answers);
        Secrets = new ServerCookies(
            options.Of(CookieOptions.Section).Rotate, clock.GetUtcNow().ToUnixTimeSeconds());
        Use(options);
    }

    /// <summary>The cookies, used or not.</summary>
    public ServerCookies Secrets { get; }

    public static IEnumerable<Setting> Settings => [CookieOptions.Section];

    public static Feature Create(ServerParts parts) => new CookieFeature(parts.Options, parts.Clock, parts.Answers);

    public override ResponderOptions AddTo(ResponderOptions options) =>
        options with { Cookies = _isOn ? Secrets : null };

    public override void Use(ServerOptions options)
    {
        CookieOptions cookies = options.Of(CookieOptions.Section);
        lock (_changing)
        {
            _isOn = cookies.Enabled;
            if (cookies.Secrets.Count > 0) Secrets.Use(cookies.Secrets);
            else Secrets.Use(cookies.Rotate);
            SetTime();
        }
    }

    public override void Tick()
    {
        lock (_changing) SetTime();
    }

    public override void AddTo(MetricSet metrics) => metrics.Counter("dnsd_cookies_total",
        "Queries, by the state of their cookie.", "state", () => States(_answers.Read()));

    public override IEnumerable<CountGroup> Counts => [new(CountGroup.Defence, "cookies:", States(_answers.Read()))];

    private void SetTime() => Secrets.Tick(
        _clock.GetUtcNow().ToUnixTimeSeconds(), (long)_clock.GetElapsedTime(_started).TotalSeconds);

    private static IEnumerable<NamedCount> States(AnswerCounts counts) =>
        Enum.GetValues<CookieState>().Select(state => new NamedCount(NameOf(state), counts.Of(state)));

    private static string NameOf(CookieState state) => state switch
    {
        CookieState.None => "none",
        CookieState.Malformed => "malformed",
        CookieState.ClientOnly => "first",
        CookieState.WithServerCookie => "wrong",
        _ => "valid",
    };
}
