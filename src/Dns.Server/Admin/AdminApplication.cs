using System.Buffers;
using System.Text;
using System.Text.Json;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;

namespace Dns.Server;

/// <summary>
/// What the admin port answers. Everything is read; nothing changes the server. Each answer is made whole and then sent, so
/// that a client that does not read holds up nobody.
/// </summary>
internal sealed class AdminApplication(
    AdminAccess access, PrometheusText metrics, HealthReport health, Liveness liveness, StatusReport status, StatusPage page,
    AdminConnections connections)
    : IHttpApplication<HttpContext>
{
    private const string PlainText = "text/plain; charset=utf-8";

    /// <inheritdoc/>
    public HttpContext CreateContext(IFeatureCollection contextFeatures)
    {
        connections.Note(contextFeatures, isBusy: true);
        return new DefaultHttpContext(contextFeatures);
    }

    /// <inheritdoc/>
    public void DisposeContext(HttpContext context, Exception? exception) => connections.Note(context.Features, isBusy: false);

    /// <inheritdoc/>
    public Task ProcessRequestAsync(HttpContext context)
    {
        HttpRequest request = context.Request;
        context.Response.Headers.CacheControl = "no-store";
        context.Response.Headers.XContentTypeOptions = "nosniff";
        if (!access.IsForUs(request.Host.HasValue ? request.Host.Host.Trim('[', ']') : null))
            return RefuseAsync(context, StatusCodes.Status421MisdirectedRequest, "ask by address, or set Dns:Admin:Token");
        if (!HttpMethods.IsGet(request.Method) && !HttpMethods.IsHead(request.Method))
        {
            context.Response.Headers.Allow = "GET, HEAD";
            return RefuseAsync(context, StatusCodes.Status405MethodNotAllowed, "only GET and HEAD: nothing can be changed here");
        }
        bool isGranted = access.IsGranted(request.Headers.Authorization);
        // Connections are few: whoever shows no token keeps none.
        if (!isGranted) context.Response.Headers.Connection = "close";
        switch (request.Path.Value)
        {
            // The page by itself shows nothing: it asks for the token, and then for the status.
            case "/" when isGranted || access.HasToken:
                context.Response.Headers.ContentSecurityPolicy = page.SecurityPolicy;
                return SendAsync(context, "text/html; charset=utf-8", page.Octets);
            case "/health/live":
                return liveness.Problem is { } problem
                    ? RefuseAsync(context, StatusCodes.Status503ServiceUnavailable, problem)
                    : SendAsync(context, PlainText, "ok\n"u8.ToArray());
            case "/health/ready":
                return SendReadyAsync(context, isGranted);
            case "/metrics" when isGranted || access.HasOpenMetrics:
                return SendAsync(context, PrometheusText.ContentType, metrics.Write);
            case "/api/status" when isGranted:
                return SendAsync(context, "application/json; charset=utf-8", WriteStatus);
            case "/" or "/metrics" or "/api/status" when !access.HasToken:
                return RefuseAsync(context, StatusCodes.Status403Forbidden, "not shown to others without Dns:Admin:Token");
            case "/metrics" or "/api/status":
                context.Response.Headers.WWWAuthenticate = "Bearer";
                return RefuseAsync(context, StatusCodes.Status401Unauthorized, "the token of Dns:Admin:Token is missing or wrong");
            default:
                return RefuseAsync(context, StatusCodes.Status404NotFound, "see /, /metrics, /health/live, /health/ready, /api/status");
        }
    }

    private Task SendReadyAsync(HttpContext context, bool isGranted)
    {
        bool isReady = health.IsReady;
        context.Response.StatusCode = isReady ? StatusCodes.Status200OK : StatusCodes.Status503ServiceUnavailable;
        // Names of zones are for those who may see them.
        return isGranted
            ? SendAsync(context, PlainText, health.Write)
            : SendAsync(context, PlainText, isReady ? "ready\n"u8.ToArray() : "not ready\n"u8.ToArray());
    }

    private void WriteStatus(IBufferWriter<byte> output)
    {
        using Utf8JsonWriter json = new(output);
        status.Write(json);
    }

    private static Task RefuseAsync(HttpContext context, int code, string reason)
    {
        context.Response.StatusCode = code;
        context.Response.Headers.Connection = "close";
        return SendAsync(context, PlainText, Encoding.UTF8.GetBytes(reason + "\n"));
    }

    private static Task SendAsync(HttpContext context, string type, Action<IBufferWriter<byte>> write)
    {
        ArrayBufferWriter<byte> content = new(16 * 1024);
        write(content);
        return SendAsync(context, type, content.WrittenMemory);
    }

    private static async Task SendAsync(HttpContext context, string type, ReadOnlyMemory<byte> content)
    {
        HttpResponse response = context.Response;
        response.ContentType = type;
        response.ContentLength = content.Length;
        if (HttpMethods.IsHead(context.Request.Method)) return;
        try
        {
            await response.Body.WriteAsync(content, context.RequestAborted).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // The client has gone, or reads too slowly.
        }
    }
}
