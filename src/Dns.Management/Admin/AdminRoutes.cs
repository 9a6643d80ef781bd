using System.Text.Json;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;

namespace Dns.Management.Admin;

/// <summary>
/// The routes of the admin port, all read-only; <see cref="AdminGate"/> checks access, path and method.
/// </summary>
public sealed class AdminRoutes
{
    private static readonly string[] Reading = [HttpMethods.Get, HttpMethods.Head];

    private readonly PrometheusText _metrics;
    private readonly HealthReport _health;
    private readonly Liveness _liveness;
    private readonly StatusReader _status;
    private readonly StatusPage _page;
    private readonly WhyQuery _why;
    private readonly AdminAccess _access;
    private readonly AdminRoute[] _routes;
    private readonly AdminTurns _turns = new(Math.Max(Environment.ProcessorCount / 2, 1));

    public AdminRoutes(
        PrometheusText metrics, HealthReport health, Liveness liveness, StatusReader status, StatusPage page,
        WhyQuery why, AdminAccess access)
    {
        (_metrics, _health, _liveness, _status, _page, _why, _access) =
            (metrics, health, liveness, status, page, why, access);
        _routes =
        [
            // The browser prompts for the token, also without script.
            new("/", AdminAudience.Granted, SendPageAsync) { Challenge = "Basic realm=\"dnsd\", charset=\"UTF-8\"" },
            new("/metrics", AdminAudience.Metrics, SendMetricsAsync),
            new("/health/live", AdminAudience.Public, SendLiveAsync),
            new("/health/ready", AdminAudience.Public, SendReadyAsync),
            new("/api/status", AdminAudience.Granted, SendStatusAsync),
            new("/api/why", AdminAudience.Granted, SendLookupAsync),
        ];
    }

    /// <summary>Adds the routes. Nothing is bound by reflection, so that the program can be trimmed.</summary>
    public void Map(IEndpointRouteBuilder endpoints)
    {
        foreach (AdminRoute route in _routes)
        {
            // Health does not wait for pages.
            RequestDelegate answer =
                route.Audience == AdminAudience.Public ? route.Answer : _turns.Around(route.Answer);
            endpoints.MapMethods(route.Path, Reading, answer).WithMetadata(route);
        }
    }

    private Task SendPageAsync(HttpContext context)
    {
        StatusQuery query = StatusQuery.Of(context.Request.Query);
        HtmlWriter html = new();
        new StatusHtml(html, _status.Read(query, StatusHtml.ZonesOfPage), query).Write(ExplainedLookup.Of(_why, query));
        context.Response.Headers.ContentSecurityPolicy = _page.SecurityPolicy;
        return AdminReply.SendAsync(context, "text/html; charset=utf-8", _page.With(html));
    }

    private Task SendMetricsAsync(HttpContext context) =>
        AdminReply.SendAsync(context, PrometheusText.ContentType, _metrics.Write);

    private Task SendLiveAsync(HttpContext context) => _liveness.Problem is { } problem
        ? AdminReply.RefuseAsync(context, StatusCodes.Status503ServiceUnavailable, problem)
        : AdminReply.SendAsync(context, AdminReply.PlainText, "ok\n"u8.ToArray());

    private Task SendReadyAsync(HttpContext context)
    {
        bool isReady = _health.IsReady;
        context.Response.StatusCode = isReady ? StatusCodes.Status200OK : StatusCodes.Status503ServiceUnavailable;
        // Names of zones need access.
        return _access.IsGranted(context.Request.Headers.Authorization)
            ? AdminReply.SendAsync(context, AdminReply.PlainText, _health.Write)
            : AdminReply.SendAsync(context, AdminReply.PlainText,
                isReady ? "ready\n"u8.ToArray() : "not ready\n"u8.ToArray());
    }

    private Task SendStatusAsync(HttpContext context) => AdminReply.SendAsync(context, AdminReply.Json, output =>
    {
        using Utf8JsonWriter json = new(output);
        StatusJson.Write(json, _status.Read(StatusQuery.Of(context.Request.Query), StatusJson.ZonesOfPage));
    });

    private Task SendLookupAsync(HttpContext context)
    {
        ExplainedLookup? lookup = ExplainedLookup.Of(_why, StatusQuery.Of(context.Request.Query));
        return lookup?.Explanation is { } explanation
            ? AdminReply.SendAsync(
                context, AdminReply.Json,
                JsonSerializer.SerializeToUtf8Bytes(explanation, ControlJson.Default.Explanation))
            : AdminReply.RefuseAsync(context, StatusCodes.Status400BadRequest,
                lookup?.Error ?? "name, type and client are given as in /api/why?name=www.example.com&type=A");
    }
}
