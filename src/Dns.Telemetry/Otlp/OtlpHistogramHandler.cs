namespace Dns.Telemetry.Otlp;

/// <summary>
/// Appends histograms to metrics requests: two concatenated Protocol Buffers messages are one. The exporter sends
/// synchronously.
/// </summary>
public sealed class OtlpHistogramHandler(OtlpHistograms histograms, TimeProvider clock, HttpMessageHandler inner)
    : DelegatingHandler(inner)
{
    protected override HttpResponseMessage Send(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        using MemoryStream body = new();
        request.Content?.CopyTo(body, null, cancellationToken);
        body.Write(histograms.Write(clock.GetUtcNow()));
        ByteArrayContent whole = new(body.ToArray());
        if (request.Content is { } before) whole.Headers.ContentType = before.Headers.ContentType;
        request.Content = whole;
        return base.Send(request, cancellationToken);
    }
}
