namespace Dns.Forwarding;

/// <summary>The forwarded zones, their upstreams and clients. Immutable; replaced when the settings change.</summary>
internal sealed class ForwardingPlan
{
    private readonly ForwarderOptions _options;
    private readonly IReadOnlyList<ZoneUpstreams> _zones;
    private readonly Dictionary<DomainName, int> _byName;

    private ForwardingPlan(ForwarderOptions options, IReadOnlyList<ZoneUpstreams> zones,
        IReadOnlyList<Upstream> upstreams)
    {
        _options = options;
        _zones = zones;
        _byName = Enumerable.Range(0, zones.Count).ToDictionary(i => zones[i].Name);
        Upstreams = upstreams;
        Names = new(zones);
        Clients = new(zones.Count > 0 ? options.AllowFrom : []);
    }

    /// <summary>The number of the plan, incremented with each.</summary>
    internal int Number { get; private init; }

    internal ForwardedNames Names { get; }

    /// <summary>Permitted clients; none if nothing is forwarded.</summary>
    internal ClientNetworks Clients { get; }

    /// <summary>Each upstream once.</summary>
    internal IReadOnlyList<Upstream> Upstreams { get; }

    internal IReadOnlyList<ForwardZone> Zones => _options.Zones;

    /// <summary>All settings that cached answers depend on, in octets; independent of their order.</summary>
    internal byte[] Origin => System.Text.Encoding.UTF8.GetBytes(string.Join('\n', _options.Zones
        .Select(
            zone =>
                $"{zone.Name} {zone.TrustAuthenticData} " +
                    $"{string.Join(' ', zone.Upstreams.Select(one => one.ToString()).Order())}")
        .Order(StringComparer.Ordinal).Prepend($"{_options.DropPrivateAddresses}")).ToLowerInvariant());

    /// <summary>Creates a plan. Upstreams of the previous one keep their state.</summary>
    /// <exception cref="ArgumentException">A zone is listed twice, has no upstream or more than 32.</exception>
    internal static ForwardingPlan Of(
        ForwarderOptions options, UpstreamServices services, ZoneRouting routing, ForwardingPlan? before = null)
    {
        int number = before is null ? 1 : before.Number + 1;
        if (before is not null && before.HasSameZones(options))
        {
            ExcludeOwn(before.Upstreams, options.OwnEndPoints);
            return new(options, before._zones, before.Upstreams) { Number = before.Number };
        }
        Check(options.Zones);
        Dictionary<PeerAddress, Upstream> known = before?.Upstreams.ToDictionary(upstream => upstream.Server) ?? [];
        Dictionary<PeerAddress, Upstream> upstreams = [];
        foreach (IGrouping<PeerAddress, DomainName> group in options.Zones
            .SelectMany(zone => zone.Upstreams, (zone, server) => (zone.Name, Server: server))
            .GroupBy(one => one.Server, one => one.Name))
        {
            Upstream upstream =
                known.GetValueOrDefault(group.Key) ?? new(group.Key, options.SocketsPerUpstream, services);
            upstream.Zones = [.. group];
            upstreams.Add(group.Key, upstream);
        }
        ExcludeOwn(upstreams.Values, options.OwnEndPoints);
        return new(options, [.. options.Zones.Select(Forward)], [.. upstreams.Values]) { Number = number };

        ZoneUpstreams Forward(ForwardZone zone)
        {
            if (before?.FindSame(zone, options) is { } same) return same;
            AcceptanceRules rules = new(zone.Name, options.Cache)
            {
                DropPrivateAddresses = options.DropPrivateAddresses,
                Routing = routing,
            };
            return new(zone, [.. zone.Upstreams.Select(server => upstreams[server])], rules);
        }
    }

    /// <summary>Ends the zones that the next plan lacks: their late replies are not cached.</summary>
    /// <returns>
    /// The names below which cached answers are invalid: zones that were added or removed, that share no upstream with
    /// before, or whose acceptance rules changed.
    /// </returns>
    internal List<DomainName> ReplaceWith(ForwardingPlan next)
    {
        foreach (ZoneUpstreams zone in _zones.Except(next._zones)) zone.IsReplaced = true;
        Dictionary<DomainName, ForwardZone> before = _options.Zones.ToDictionary(zone => zone.Name);
        List<DomainName> changed = [];
        foreach (ForwardZone zone in next._options.Zones)
            if (!before.Remove(zone.Name, out ForwardZone? old) || IsChanged(old, zone)) changed.Add(zone.Name);
        return [.. changed, .. before.Keys];

        bool IsChanged(ForwardZone old, ForwardZone zone) =>
            !old.Upstreams.Intersect(zone.Upstreams).Any() || old.TrustAuthenticData != zone.TrustAuthenticData
            || _options.DropPrivateAddresses != next._options.DropPrivateAddresses;
    }

    private static void ExcludeOwn(IEnumerable<Upstream> upstreams, IReadOnlyList<IPEndPoint> own)
    {
        foreach (Upstream upstream in upstreams)
        {
            if (own.Any(endPoint => IsSame(endPoint, upstream.Server.EndPoint))) upstream.Exclude(isForGood: true);
            else upstream.Include();
        }
    }

    private static void Check(IReadOnlyList<ForwardZone> zones)
    {
        HashSet<DomainName> names = [];
        foreach (ForwardZone zone in zones)
        {
            if (!names.Add(zone.Name)) throw new ArgumentException($"{zone.Name} is there twice");
            if (zone.Upstreams.Count is 0 or > ZoneUpstreams.MaxUpstreams)
                throw new ArgumentException(
                    $"{zone.Name} has {zone.Upstreams.Count} upstreams, not 1 to {ZoneUpstreams.MaxUpstreams}");
        }
    }

    /// <summary>Whether private addresses are dropped (DNS rebinding).</summary>
    internal bool DropsPrivateAddresses => _options.DropPrivateAddresses;

    private bool HasSameRules(ForwarderOptions options) =>
        options.DropPrivateAddresses == _options.DropPrivateAddresses && options.Cache == _options.Cache;

    /// <summary>The current upstreams of a zone, if they stay unchanged.</summary>
    private ZoneUpstreams? FindSame(ForwardZone zone, ForwarderOptions options) =>
        HasSameRules(options) && _byName.TryGetValue(zone.Name, out int i) && IsSame(_options.Zones[i], zone)
            ? _zones[i] : null;

    private bool HasSameZones(ForwarderOptions options) =>
        HasSameRules(options) && options.Zones.Count == _options.Zones.Count
        && options.Zones.Zip(_options.Zones).All(pair => IsSame(pair.First, pair.Second));

    private static bool IsSame(ForwardZone one, ForwardZone other) =>
        one.Name.Equals(other.Name) && one.Policy == other.Policy && one.TrustAuthenticData == other.TrustAuthenticData
        && one.Upstreams.SequenceEqual(other.Upstreams);

    private static bool IsSame(IPEndPoint own, IPEndPoint upstream) =>
        own.Port == upstream.Port && own.Address.MapToIPv6().Equals(upstream.Address.MapToIPv6());
}
