namespace Dns.Management.Status;

/// <summary>The liveness of the process, for the service manager and <c>/health/live</c>.</summary>
public sealed class Liveness(Func<bool> acceptsTcp)
{
    /// <summary>A fault that only a restart fixes, in one line; null = none.</summary>
    public string? Problem => acceptsTcp() ? null : "TCP connections have not been accepted for 30 seconds";
}
