using Microsoft.AspNetCore.Http;

namespace Dns.Management;

/// <summary>Which requests a route of the admin port is for.</summary>
internal enum AdminAudience : byte
{
    /// <summary>Every request.</summary>
    Everybody,

    /// <summary>Those with the token, and all others where the settings open metrics.</summary>
    Metrics,

    /// <summary>Those with the token.</summary>
    Granted,
}

/// <summary>A route of the admin port: a row of <see cref="AdminRoutes"/>, and the metadata of its endpoint.</summary>
/// <param name="Path">The path, without parameters.</param>
/// <param name="Audience">Which requests it is for.</param>
/// <param name="Answer">Answers a request that was let through.</param>
internal sealed record AdminRoute(string Path, AdminAudience Audience, RequestDelegate Answer)
{
    /// <summary>How a request without the token is asked for it (RFC 9110 §11.6.1).</summary>
    public string Challenge { get; init; } = "Bearer";
}
