using System.Net;
using Dns.Testing;
using Microsoft.Extensions.Logging;

namespace Dns.Server.Tests.Hosting;

public sealed class AbuseProtectionTests : IDisposable
{
    private const string Secret = "e5e973e5a6b2a43f48e7dc849e37bfcf";

    private readonly SettingsFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Cookies_are_on_unless_they_are_turned_off()
    {
        Assert.NotNull(ProtectionOf("{ }").AddTo(new ResponderOptions()).Cookies);
        Assert.Null(ProtectionOf("""{ "Cookies": { "Enabled": false } }""").AddTo(new ResponderOptions()).Cookies);
    }

    [Fact]
    public void The_settings_of_cookies_are_read()
    {
        ServerOptions options =
            _folder.Options($$"""{ "Cookies": { "Secrets": [ "{{Secret}}", "{{Secret}}" ], "Rotate": "12h" } }""");
        Assert.Equal((2, TimeSpan.FromHours(12)), (options.Cookies.Secrets.Count, options.Cookies.Rotate));
    }

    [Theory]
    [InlineData("e5e973e5a6b2a43f48e7dc849e37bfc")]
    [InlineData("e5e973e5a6b2a43f48e7dc849e37bfcfa")]
    [InlineData("e5e973e5a6b2a43f48e7dc849e37bfcg")]
    public void A_bad_secret_is_refused_and_not_repeated(string secret)
    {
        Settings settings = _folder.Read($$"""{ "Dns": { "Cookies": { "Secrets": [ "{{secret}}" ] } } }""");
        SettingDiagnostic problem = Assert.Single(settings.Problems);
        Assert.Contains("Dns:Cookies:Secrets:0 is text: expected a secret of 32 hexadecimal digits",
            problem.ToString());
        Assert.DoesNotContain(secret, problem.ToString());
    }

    [Fact]
    public void More_than_eight_secrets_are_refused()
    {
        string secrets = string.Join(", ", Enumerable.Repeat($"\"{Secret}\"", 9));
        Settings settings = _folder.Read($$"""{ "Dns": { "Cookies": { "Secrets": [ {{secrets}} ] } } }""");
        Assert.Contains("9 secrets: expected at most 8", Assert.Single(settings.Problems).ToString());
    }

    [Fact]
    public void Proxies_are_listed_or_there_are_none()
    {
        Assert.Null(SocketBinding.TransportOptionsOf(_folder.Options("{ }")).ProxyFrom);
        ClientAddress client = ClientAddress.From(IPEndPoint.Parse("192.0.2.1:53000"));
        Assert.True(SocketBinding.TransportOptionsOf(_folder.Options("""{ "Proxy": { "From": [ "192.0.2.0/24" ] } }"""))
            .ProxyFrom!.Contains(ref client));
    }

    [Fact]
    public void The_limit_of_answers_is_off_unless_it_is_turned_on()
    {
        Assert.Null(ProtectionOf("{ }").AddTo(new ResponderOptions()).RateLimiter);
        Assert
            .NotNull(ProtectionOf("""{ "RateLimit": { "Mode": "log" } }""").AddTo(new ResponderOptions()).RateLimiter);
        Assert.Equal(RateLimitMode.Log, _folder.Options("""{ "RateLimit": { "Mode": "log" } }""").RateLimit.Mode);
        Assert.Equal(RateLimitMode.On, _folder.Options("""{ "RateLimit": { "Mode": "on" } }""").RateLimit.Mode);
    }

    [Fact]
    public void The_settings_of_the_limit_are_read()
    {
        RateLimitOptions options = _folder.Options("""
            { "RateLimit": { "Mode": "On", "ResponsesPerSecond": 1, "ErrorsPerSecond": 2, "NxDomainsPerSecond": 3, "Slip": 4,
              "IPv4Prefix": 25, "IPv6Prefix": 48, "Exempt": [ "192.0.2.0/24" ], "Table": 5000 } }
            """).RateLimit;
        Assert.Equal((1, 2, 3, 4),
            (options.ResponsesPerSecond, options.ErrorsPerSecond, options.NxDomainsPerSecond, options.Slip));
        Assert.Equal((25, 48, 5000, RateLimitMode.On),
            (options.IPv4Prefix, options.IPv6Prefix, options.Table, options.Mode));
        Assert.Equal("192.0.2.0/24", Assert.Single(options.Exempt).ToString());
    }

    [Fact]
    public void The_limit_is_logged_once_a_second_at_most()
    {
        VirtualClock clock = new();
        AbuseProtection defence =
            new(_folder.Options("""{ "RateLimit": { "Mode": "log", "ErrorsPerSecond": 5 } }"""), clock);
        Responder responder = new(new PublishedZones(), defence.AddTo(new ResponderOptions()));
        LineLogger logger = new();
        RateLimitLog log = new(() => defence.RateLimiter, clock, logger);
        for (int tenth = 0; tenth < 20; tenth++)
        {
            Ask(responder, 10);
            clock.Advance(TimeSpan.FromSeconds(0.1));
            defence.Tick();
            log.Tick();
        }
        Assert.Equal(
            ["Rate limit: 95 answers over the limit sent (mode log), the last to 192.0.2.0/24",
             "Rate limit: 95 answers over the limit sent (mode log), the last to 192.0.2.0/24"], logger.Lines);
    }

    [Fact]
    public void The_limit_is_turned_on_and_off_while_the_server_runs_and_goes_on_counting()
    {
        VirtualClock clock = new();
        AbuseProtection defence = new(_folder.Options("{ }"), clock);
        Responder responder = new(new PublishedZones(), defence.AddTo(new ResponderOptions()));
        Assert.Null(defence.RateLimiter);
        Ask(Change("log"), 7);
        Assert.Equal(new RateLimitCounters(5, 0, 0, 2), defence.RateLimiter!.Counters);
        Ask(Change("off"), 7);
        responder = Change("log");
        Ask(responder, 1);
        Assert.Equal(new RateLimitCounters(5, 0, 0, 3), defence.RateLimiter!.Counters);
        clock.Advance(TimeSpan.FromSeconds(1));
        defence.Tick();
        Ask(responder, 1);
        Assert.Equal(6, defence.RateLimiter!.Counters.Passed);

        Responder Change(string mode)
        {
            defence.Use(_folder.Options($$"""{ "RateLimit": { "Mode": "{{mode}}", "ErrorsPerSecond": 5 } }"""));
            return responder.With(defence.AddTo(responder.Options));
        }
    }

    [Fact]
    public void Cookies_are_turned_off_and_on_while_the_server_runs()
    {
        AbuseProtection defence = new(_folder.Options("{ }"), TimeProvider.System);
        ServerCookies? before = defence.AddTo(new ResponderOptions()).Cookies;
        defence.Use(_folder.Options("""{ "Cookies": { "Enabled": false } }"""));
        Assert.Null(defence.AddTo(new ResponderOptions()).Cookies);
        defence.Use(_folder.Options("{ }"));
        Assert.Same(before, defence.AddTo(new ResponderOptions()).Cookies);
    }

    private static void Ask(Responder responder, int queries)
    {
        ClientAddress client = ClientAddress.From(IPEndPoint.Parse("192.0.2.1:53000"));
        byte[] room = new byte[512];
        for (int i = 0; i < queries; i++)
        {
            "\0\u0001\0\0\0\u0001\0\0\0\0\0\0\0\0\u0001\0\u0001"u8.CopyTo(room);
            Assert.Equal(17, responder.Respond(room, 17, DnsTransport.Udp, ref client));
        }
    }

    private sealed class LineLogger : ILogger
    {
        public List<string> Lines { get; } = [];

        public IDisposable? BeginScope<TState>(TState state) where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception,
            Func<TState, Exception?, string> formatter) =>
            Lines.Add(formatter(state, exception));
    }

    private AbuseProtection ProtectionOf(string settings) => new(_folder.Options(settings), TimeProvider.System);
}
