using System.Net;
using Dns.Testing;
using Microsoft.Extensions.Logging.Abstractions;

namespace Dns.Server.Tests.Features;

public sealed class RateLimitFeatureTests : IDisposable
{
    private readonly SettingsFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void The_limit_of_answers_is_off_unless_it_is_turned_on()
    {
        Assert.Null(FeatureOf("{ }").AddTo(new ResponderOptions()).RateLimiter);
        Assert
            .NotNull(FeatureOf("""{ "RateLimit": { "Mode": "log" } }""").AddTo(new ResponderOptions()).RateLimiter);
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
        LineLog<RateLimitFeature> log = new();
        RateLimitFeature limit =
            new(_folder.Options("""{ "RateLimit": { "Mode": "log", "ErrorsPerSecond": 5 } }"""), clock, log);
        Responder responder = new(new PublishedZones(), limit.AddTo(new ResponderOptions()));
        for (int tenth = 0; tenth < 20; tenth++)
        {
            Ask(responder, 10);
            clock.Advance(TimeSpan.FromSeconds(0.1));
            limit.Tick();
        }
        Assert.Equal(
            ["Warning Rate limit: 95 answers over the limit sent (mode log), the last to 192.0.2.0/24",
             "Warning Rate limit: 95 answers over the limit sent (mode log), the last to 192.0.2.0/24"], log.Lines);
    }

    [Fact]
    public void Metrics_and_statistics_show_each_verdict_under_one_name()
    {
        RateLimitFeature limit = FeatureOf("""{ "RateLimit": { "Mode": "on", "ResponsesPerSecond": 2, "Slip": 3 } }""");
        Dns.Testing.ServedZones served = ExampleZones.WithOptions(limit.AddTo(new ResponderOptions()));
        for (int i = 0; i < 9; i++) served.TryAsk(ExampleZones.Query("www A").ToOctets(), from: "192.0.2.1");
        // Two answers a second; of the seven beyond, every third is sent empty.
        Assert.Equal(["passed 2", "dropped 5", "slipped 2", "would_drop 0"],
            FeatureMetrics.Read(limit, "dnsd_rate_limit_total"));
        Assert.Equal(["rate limit: passed 2", "rate limit: dropped 5", "rate limit: slipped 2",
            "rate limit: would_drop 0"], FeatureMetrics.CountsOf(limit));
    }

    [Fact]
    public void The_limit_is_turned_on_and_off_while_the_server_runs_and_goes_on_counting()
    {
        VirtualClock clock = new();
        RateLimitFeature limit = new(_folder.Options("{ }"), clock, NullLogger<RateLimitFeature>.Instance);
        Responder responder = new(new PublishedZones(), limit.AddTo(new ResponderOptions()));
        Assert.Null(limit.Limiter);
        Ask(Change("log"), 7);
        Assert.Equal(new RateLimitCounters(5, 0, 0, 2), limit.Limiter!.Counters);
        Ask(Change("off"), 7);
        responder = Change("log");
        Ask(responder, 1);
        Assert.Equal(new RateLimitCounters(5, 0, 0, 3), limit.Limiter!.Counters);
        clock.Advance(TimeSpan.FromSeconds(1));
        limit.Tick();
        Ask(responder, 1);
        Assert.Equal(6, limit.Limiter!.Counters.Passed);

        Responder Change(string mode)
        {
            limit.Use(_folder.Options($$"""{ "RateLimit": { "Mode": "{{mode}}", "ErrorsPerSecond": 5 } }"""));
            return responder.With(limit.AddTo(responder.Options));
        }
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

    private RateLimitFeature FeatureOf(string settings) => 
        new(_folder.Options(settings), TimeProvider.System, NullLogger<RateLimitFeature>.Instance);
}
