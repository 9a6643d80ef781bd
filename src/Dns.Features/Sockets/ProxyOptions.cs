namespace Dns.Features.Sockets;

/// <summary>Proxies that forward client queries, section <c>Dns:Proxy</c>.</summary>
public sealed record ProxyOptions
{
    /// <summary>Networks whose datagrams and connections all begin with a PROXY protocol header, version 2.</summary>
    public IReadOnlyList<IPNetwork> From { get; init; } = [];

    /// <summary>The section.</summary>
    public static SettingsSection<ProxyOptions> Section { get; } =
        new SettingsSection<ProxyOptions>("Proxy",
            "Proxies and load balancers that send the PROXY protocol, version 2.", new()) { IsLive = true }
        .Add("From", Networks, o => o.From, (o, v) => o with { From = v },
            "Networks of proxies. Each of their datagrams, and each of their connections, begins with a PROXY header that names the client.", Json("10.0.0.10", "10.0.0.11"));
}
