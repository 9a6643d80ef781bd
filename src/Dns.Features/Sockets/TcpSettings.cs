namespace Dns.Features.Sockets;

/// <summary>Section <c>Dns:Tcp</c>.</summary>
public static class TcpSettings
{
    /// <summary>The section.</summary>
    public static SettingsSection<TcpLimits> Section { get; } =
        new SettingsSection<TcpLimits>("Tcp",
            "Limits and timeouts of TCP connections. At a limit the connection is closed that has been idle longest, or whose client has not taken what was sent; a new one is refused while there is none.", new())
        {
            IsLive = true,
        }
        .Add("MaxConnections", Number(1, 1_000_000, "connections"),
            o => o.MaxConnections, (o, v) => o with { MaxConnections = v },
            "The most TCP connections.", 20_000)
        .Add("MaxConnectionsPerClient", Number(1, 1_000_000, "connections"),
            o => o.MaxConnectionsPerClient, (o, v) => o with { MaxConnectionsPerClient = v },
            "The most TCP connections of one address.", 1000)
        .Add("MaxConnectionsPerPrefix", Number(1, 1_000_000, "connections"),
            o => o.MaxConnectionsPerPrefix, (o, v) => o with { MaxConnectionsPerPrefix = v },
            "The most TCP connections of one /24 (IPv4) or /56 (IPv6).", 4000)
        .Add("IdleTimeoutSeconds", Number(1, 6553, "seconds"),
            o => (int)o.IdleTimeout.TotalSeconds, (o, v) => o with { IdleTimeout = TimeSpan.FromSeconds(v) },
            "Idle timeout: a connection without a query for this time is closed. Also announced by EDNS TCP keepalive.",
            30)
        .Add("ReceiveTimeoutSeconds", Number(1, 3600, "seconds"),
            o => (int)o.ReceiveTimeout.TotalSeconds, (o, v) => o with { ReceiveTimeout = TimeSpan.FromSeconds(v) },
            "A query has to arrive whole within this time.", 5)
        .Add("SendTimeoutSeconds", Number(1, 3600, "seconds"),
            o => (int)o.SendTimeout.TotalSeconds, (o, v) => o with { SendTimeout = TimeSpan.FromSeconds(v) },
            "A client has to read the responses that are ready within this time.", 5);
}
