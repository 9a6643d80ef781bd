namespace Dns.Telemetry.Otlp;

/// <summary>Appends histograms to metrics requests: two concatenated Protocol Buffers messages are one.</summary>
public sealed class OtlpHistogramHandler(OtlpHistograms histograms, TimeProvider clock, HttpMessageHandler inner)
    : DelegatingHandler(inner)
{
    protected override HttpResponseMessage Send(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        using MemoryStream body = new();
        request.Content?.CopyTo(body, null, cancellationToken);
        Replace(request, body);
        return base.Send(request, cancellationToken);
    }

    protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request,
        CancellationToken cancellationToken)
    {
        using MemoryStream body = new();
        if (request.Content is not null)
            await request.Content.CopyToAsync(body, cancellationToken).ConfigureAwait(false);
        Replace(request, body);
        return await base.SendAsync(request, cancellationToken).ConfigureAwait(false);
    }

    private void Replace(HttpRequestMessage request, MemoryStream body)
    {
        body.Write(histograms.Write(clock.GetUtcNow()));
        ByteArrayContent whole = new(body.ToArray());
        if (request.Content is { } before) whole.Headers.ContentType = before.Headers.ContentType;
        request.Content = whole;
    }
}
