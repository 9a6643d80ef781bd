namespace Dns.Management.Status;

/// <summary>Warnings about unused upstreams, a line each; zones without a usable one come first.</summary>
public static class UpstreamWarnings
{
    public static IEnumerable<string> Of(IReadOnlyList<UpstreamStatus> upstreams) =>
        OfZones(upstreams).Concat(OfUpstreams(upstreams));

    /// <summary>The zones without an upstream that is up.</summary>
    public static IEnumerable<string> OfZones(IReadOnlyList<UpstreamStatus> upstreams)
    {
        foreach (DomainName zone in upstreams.SelectMany(upstream => upstream.Zones).Distinct())
            if (upstreams.All(upstream => upstream.State != UpstreamState.Up || !upstream.Zones.Contains(zone)))
                yield return $"all upstreams of {zone} are down: clients get stale answers or SERVFAIL";
    }

    public static IEnumerable<string> OfUpstreams(IReadOnlyList<UpstreamStatus> upstreams)
    {
        foreach (UpstreamStatus upstream in upstreams)
            if (upstream.State != UpstreamState.Up)
                yield return $"upstream {upstream.Address} of {string.Join(' ', upstream.Zones)} "
                    + (upstream.State == UpstreamState.Self ? "is this server and is not queried"
                        : "is " + StatusText.Down(upstream));
    }
}
