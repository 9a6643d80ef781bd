using Microsoft.AspNetCore.Http;

namespace Dns.Management.Admin;

/// <summary>The required access of a route of the admin port.</summary>
public enum AdminAudience : byte
{
    Public,

    /// <summary>With the token, or public if the settings open metrics.</summary>
    Metrics,

    /// <summary>With the token.</summary>
    Granted,
}

/// <summary>A route of the admin port: a row of <see cref="AdminRoutes"/>, and the metadata of its endpoint.</summary>
/// <param name="Path">The path, without parameters.</param>
public sealed record AdminRoute(string Path, AdminAudience Audience, RequestDelegate Answer)
{
    /// <summary>The authentication challenge of a request without the token (RFC 9110 §11.6.1).</summary>
    public string Challenge { get; init; } = "Bearer";
}
