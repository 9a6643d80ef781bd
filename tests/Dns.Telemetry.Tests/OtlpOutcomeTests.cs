using System.Net;
using Microsoft.Extensions.Logging;

namespace Dns.Telemetry.Tests;

public sealed class OtlpOutcomeTests : ILogger
{
    private readonly List<string> _lines = [];
    private readonly Collector _collector = new();

    [Fact]
    public void A_collector_that_is_not_there_is_told_once_and_so_is_its_return()
    {
        using HttpClient client = new(new OtlpOutcome("Metrics", new Uri("http://192.0.2.9:4318/"), this, _collector));
        Func<HttpResponseMessage>[] outcomes =
        [
            () => new HttpResponseMessage(HttpStatusCode.OK),
            () => throw new HttpRequestException("Connection refused"),
            () => throw new HttpRequestException("Connection refused"),
            () => new HttpResponseMessage(HttpStatusCode.OK),
            () => new HttpResponseMessage(HttpStatusCode.OK),
            () => new HttpResponseMessage(HttpStatusCode.NotFound),
            () => new HttpResponseMessage(HttpStatusCode.OK),
            () => throw new TaskCanceledException(),
        ];
        foreach (Func<HttpResponseMessage> outcome in outcomes)
        {
            _collector.Outcome = outcome;
            HttpRequestMessage request = new(HttpMethod.Post, "http://192.0.2.9:4318/v1/metrics");
            Exception? error = Record.Exception(() => client.Send(request));
            Assert.True(error is null or HttpRequestException or TaskCanceledException);
        }
        Assert.Equal(
            [
                "Warning Metrics are not accepted by http://192.0.2.9:4318/: Connection refused",
                "Information Metrics are accepted by http://192.0.2.9:4318/ again",
                "Warning Metrics are not accepted by http://192.0.2.9:4318/: it answers 404",
                "Information Metrics are accepted by http://192.0.2.9:4318/ again",
                "Warning Metrics are not accepted by http://192.0.2.9:4318/: no answer in time",
            ],
            _lines);
    }

    [Fact]
    public void The_password_of_a_collector_is_not_logged()
    {
        Uri endpoint = new("http://user:secret@192.0.2.9:4318/a%20b/?key=secret#secret");
        Assert.Equal("http://192.0.2.9:4318/a%20b/", OtlpOutcome.Shown(endpoint).AbsoluteUri);
        using HttpClient client = new(new OtlpOutcome("Metrics", endpoint, this, _collector));
        _collector.Outcome = () => new HttpResponseMessage(HttpStatusCode.NotFound);
        client.Send(new HttpRequestMessage(HttpMethod.Post, endpoint));
        Assert.DoesNotContain("secret", Assert.Single(_lines));
    }

    IDisposable? ILogger.BeginScope<TState>(TState state) => null;

    bool ILogger.IsEnabled(LogLevel logLevel) => true;

    void ILogger.Log<TState>(LogLevel level, EventId id, TState state, Exception? error,
        Func<TState, Exception?, string> format) =>
        _lines.Add($"{level} {format(state, error)}");

    private sealed class Collector : HttpMessageHandler
    {
        public Func<HttpResponseMessage> Outcome { get; set; } = () => new();

        protected override HttpResponseMessage Send(HttpRequestMessage request, CancellationToken cancellationToken) =>
            Outcome();

        protected override Task<HttpResponseMessage> SendAsync(
            HttpRequestMessage request, CancellationToken cancellationToken) => throw new NotSupportedException();
    }
}
