using Microsoft.Extensions.Logging;

namespace Dns.Features.Forwarding;

/// <summary>Logs which zones are forwarded. Bounded.</summary>
public static class ForwardingLog
{
    private const int MaxLines = 20;

    public static void Write(ILogger logger, IReadOnlyList<ForwardZone> zones)
    {
        foreach (ForwardZone zone in zones.Take(MaxLines))
            logger.Forwarding(zone.Name, string.Join(" ", zone.Upstreams), WordOf(zone.Policy));
        if (zones.Count > MaxLines) logger.ForwardingMore(zones.Count - MaxLines);
    }

    /// <summary>The word of the settings.</summary>
    private static string WordOf(UpstreamPolicy policy) => policy switch
    {
        UpstreamPolicy.Ordered => "ordered",
        UpstreamPolicy.RoundRobin => "round-robin",
        _ => "fastest",
    };
}
