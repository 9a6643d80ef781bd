using System.Net;

namespace Dns.Server;

/// <summary>The admin port, section <c>Dns:Admin</c>: metrics, health and the status page over HTTP.</summary>
internal sealed class AdminOptions
{
    /// <summary>Address and port; null = there is none.</summary>
    public IPEndPoint? Listen { get; set; }

    /// <summary>What clients have to show (<c>Authorization: Bearer</c>); null = nothing, on loopback only.</summary>
    public string? Token { get; set; }
}
