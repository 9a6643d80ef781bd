namespace Dns.Configuration.Options;

/// <summary>What the admin port shows to clients without the token.</summary>
internal enum AdminOpen : byte
{
    /// <summary>Nothing but <c>/health/live</c>, and on loopback without a token all of it.</summary>
    Nothing,

    /// <summary><c>/health/live</c> and <c>/health/ready</c>, at any address.</summary>
    Health,

    /// <summary>The same, and <c>/metrics</c>.</summary>
    Metrics,
}

/// <summary>The admin port, section <c>Dns:Admin</c>: metrics, health and the status page over HTTP.</summary>
internal sealed class AdminOptions
{
    /// <summary>Address and port; null = there is none.</summary>
    public IPEndPoint? Listen { get; set; }

    /// <summary>What clients have to show (<c>Authorization: Bearer</c>); null = nothing, on loopback only.</summary>
    public string? Token { get; set; }

    /// <summary>What is shown without it at an address that others can reach.</summary>
    public AdminOpen Open { get; set; }
}
