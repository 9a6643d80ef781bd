using Microsoft.Extensions.Logging;

namespace Dns.Telemetry.Otlp;

/// <summary>
/// Sends requests to the collector, and logs when it becomes unreachable and when it is back. The exporter sends
/// synchronously.
/// </summary>
public sealed class OtlpOutcome(string what, Uri endpoint, ILogger logger,
    HttpMessageHandler inner) : DelegatingHandler(inner)
{
    private readonly Uri _shown = Shown(endpoint);
    private bool _isFailing;

    /// <summary>An address as logged: without credentials and without the query, which may hold a key.</summary>
    public static Uri Shown(Uri endpoint) =>
        new(endpoint.GetComponents(UriComponents.SchemeAndServer | UriComponents.Path, UriFormat.UriEscaped));

    protected override HttpResponseMessage Send(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        try
        {
            HttpResponseMessage response = base.Send(request, cancellationToken);
            Report(response.IsSuccessStatusCode ? null : $"it answers {(int)response.StatusCode}");
            return response;
        }
        catch (Exception error) when (error is HttpRequestException or OperationCanceledException)
        {
            Report(error is OperationCanceledException ? "no answer in time" : error.Message.ReplaceLineEndings(" "));
            throw;
        }
    }

    private void Report(string? problem)
    {
        bool wasFailing = _isFailing;
        _isFailing = problem is not null;
        if (_isFailing == wasFailing) return;
        if (problem is not null) logger.CollectorFails(what, _shown, problem);
        else logger.CollectorWorks(what, _shown);
    }
}
