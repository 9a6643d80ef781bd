namespace Dns.Management.Admin;

/// <summary>What the admin port shows to clients without the token.</summary>
public enum AdminOpen : byte
{
    /// <summary>Nothing but <c>/health/live</c>, and on loopback without a token all of it.</summary>
    Nothing,

    /// <summary><c>/health/live</c> and <c>/health/ready</c>, at any address.</summary>
    Health,

    /// <summary>The same, and <c>/metrics</c>.</summary>
    Metrics,
}
