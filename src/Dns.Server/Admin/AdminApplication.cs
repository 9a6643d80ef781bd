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
    AdminAccess access, PrometheusText metrics, HealthReport health, Liveness liveness, StatusReader status, StatusPage page,
    WhyVerb why, AdminConnections connections)
    : IHttpApplication<HttpContext>
{
    private const string PlainText = "text/plain; charset=utf-8";
    private const string Json = "application/json; charset=utf-8";

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
            case "/" when isGranted:
                return SendPageAsync(context);
            case "/health/live":
                return liveness.Problem is { } problem
                    ? RefuseAsync(context, StatusCodes.Status503ServiceUnavailable, problem)
                    : SendAsync(context, PlainText, "ok\n"u8.ToArray());
            case "/health/ready":
                return SendReadyAsync(context, isGranted);
            case "/metrics" when isGranted || access.HasOpenMetrics:
                return SendAsync(context, PrometheusText.ContentType, metrics.Write);
            case "/api/status" when isGranted:
                return SendAsync(context, Json, output => WriteStatus(output, StatusQuery.Of(request.Query)));
            case "/api/why" when isGranted:
                return SendLookupAsync(context);
            case "/" or "/metrics" or "/api/status" or "/api/why" when !access.HasToken:
                return RefuseAsync(context, StatusCodes.Status403Forbidden, "not shown to others without Dns:Admin:Token");
            case "/" or "/metrics" or "/api/status" or "/api/why":
                // A browser asks for the token by itself, also without script.
                context.Response.Headers.WWWAuthenticate = request.Path.Value == "/" ? "Basic realm=\"dnsd\", charset=\"UTF-8\"" : "Bearer";
                return RefuseAsync(context, StatusCodes.Status401Unauthorized,
                    "the token of Dns:Admin:Token is missing or wrong; a browser sends it as the password, with any user name");
            default:
                return RefuseAsync(context, StatusCodes.Status404NotFound,
                    "see /, /metrics, /health/live, /health/ready, /api/status, /api/why?name=NAME&type=TYPE");
        }
    }

    private Task SendPageAsync(HttpContext context)
    {
        StatusQuery query = StatusQuery.Of(context.Request.Query);
        HtmlWriter html = new();
        new StatusHtml(html, status.Read(query, StatusHtml.ZonesOfPage), query).Write(ExplainedLookup.Of(why, query));
        context.Response.Headers.ContentSecurityPolicy = page.SecurityPolicy;
        return SendAsync(context, "text/html; charset=utf-8", page.With(html));
    }

    private Task SendLookupAsync(HttpContext context)
    {
        ExplainedLookup? lookup = ExplainedLookup.Of(why, StatusQuery.Of(context.Request.Query));
        return lookup?.Explanation is { } explanation
            ? SendAsync(context, Json, JsonSerializer.SerializeToUtf8Bytes(explanation, ControlJson.Default.Explanation))
            : RefuseAsync(context, StatusCodes.Status400BadRequest,
                lookup?.Error ?? "name, type and client are given as in /api/why?name=www.example.com&type=A");
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

    private void WriteStatus(IBufferWriter<byte> output, StatusQuery query)
    {
        using Utf8JsonWriter json = new(output);
        StatusJson.Write(json, status.Read(query, StatusJson.ZonesOfPage));
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
