using Microsoft.AspNetCore.Http;

namespace Dns.Management.Admin;

/// <summary>
/// Runs after routing and before the routes of the admin port: refuses requests that are not meant for this server,
/// have no route or method, or lack the token.
/// </summary>
public sealed class AdminGate(AdminAccess access, RequestDelegate next)
{
    public Task PassAsync(HttpContext context) => Refuse(context) ?? next(context);

    /// <summary>The reply to a refused request; null if it is accepted.</summary>
    private Task? Refuse(HttpContext context)
    {
        HttpRequest request = context.Request;
        context.Response.Headers.CacheControl = "no-store";
        context.Response.Headers.XContentTypeOptions = "nosniff";
        if (!access.IsForUs(request.Host.HasValue ? request.Host.Host.Trim('[', ']') : null))
            return AdminReply.RefuseAsync(context, StatusCodes.Status421MisdirectedRequest,
                "ask by address, or set Dns:Admin:Token");
        if (context.GetEndpoint() is not { } endpoint)
            return AdminReply.RefuseAsync(context, StatusCodes.Status404NotFound,
                "see /, /metrics, /health/live, /health/ready, /api/status, /api/why?name=NAME&type=TYPE");
        if (endpoint.Metadata.GetMetadata<AdminRoute>() is not { } route) return RefuseMethodAsync(context, endpoint);
        bool isGranted = access.IsGranted(request.Headers.Authorization);
        // Connections are few: a request without the token closes its own.
        if (!isGranted) context.Response.Headers.Connection = "close";
        bool mayPass = isGranted || route.Audience == AdminAudience.Public
            || route.Audience == AdminAudience.Metrics && access.HasOpenMetrics;
        return mayPass ? null : RefuseAccess(context, route);
    }

    /// <summary>For a path without the method, routing sets an endpoint of its own with the allowed methods.</summary>
    private static async Task RefuseMethodAsync(HttpContext context, Endpoint ofRouting)
    {
        if (ofRouting.RequestDelegate is { } sendMethods) await sendMethods(context).ConfigureAwait(false);
        await AdminReply.RefuseAsync(
            context, StatusCodes.Status405MethodNotAllowed, "only GET and HEAD: nothing can be changed here")
            .ConfigureAwait(false);
    }

    private Task RefuseAccess(HttpContext context, AdminRoute route)
    {
        if (!access.HasToken)
            return AdminReply.RefuseAsync(context, StatusCodes.Status403Forbidden,
                "not shown to others without Dns:Admin:Token");
        context.Response.Headers.WWWAuthenticate = route.Challenge;
        return AdminReply.RefuseAsync(context, StatusCodes.Status401Unauthorized,
            "the token of Dns:Admin:Token is missing or wrong; a browser sends it as the password, with any user name");
    }
}
