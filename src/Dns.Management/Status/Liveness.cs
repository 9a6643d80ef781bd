namespace Dns.Management;

/// <summary>Whether the process is alive, for those who would start it anew: the service manager and <c>/health/live</c>.</summary>
/// <param name="acceptsTcp">Whether TCP connections are accepted.</param>
internal sealed class Liveness(Func<bool> acceptsTcp)
{
    /// <summary>What a new start would mend and nothing else does, in one line; null = nothing.</summary>
    public string? Problem => acceptsTcp() ? null : "TCP connections have not been accepted for 30 seconds";
}
