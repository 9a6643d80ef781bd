namespace Dns.Configuration.Options;

/// <summary>Proxies that forward client queries, section <c>Dns:Proxy</c>.</summary>
internal sealed class ProxyOptions
{
    /// <summary>Networks whose datagrams and connections all begin with a PROXY protocol header, version 2.</summary>
    public IReadOnlyList<IPNetwork> From { get; set; } = [];
}
