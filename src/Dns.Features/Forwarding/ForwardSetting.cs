using System.Text.Json.Nodes;

namespace Dns.Features.Forwarding;

/// <summary>Reads <c>Dns:Forward</c>: forwarded zones.</summary>
public static class ForwardSetting
{
    private const string Expected =
        "an object such as { \"Zone\": \".\", \"Upstreams\": [\"192.0.2.53\", \"[2001:db8::53]:5353\"] }";

    private const string ExpectedUpstreams = "a list of addresses such as [\"192.0.2.53\", \"[2001:db8::53]:5353\"]";

    /// <summary>The settings of a forwarded zone.</summary>
    private static readonly SettingsSection<ForwardZone> Entry =
        new SettingsSection<ForwardZone>("N", "A forwarded zone.", new ForwardZone(DomainName.Root, []))
        {
            Required = ["Zone", "Upstreams"], Expected = Expected,
        }
        .Add("Zone", ZonesSetting.NameValue(", . for all names"), null, (zone, v) => zone with { Name = v },
            "All names at and below it are forwarded; \".\" is every name.")
        .Add("Upstreams", ListOf<PeerAddress>(ExpectedUpstreams, ReadUpstream, (list, path, binder, _) =>
            {
                if (list.Children.Count == 0)
                    binder.Report(list, $"{path} is empty: expected {ExpectedUpstreams}");
            }).Limit("minItems", 1).Limit("uniqueItems", true),
            null, (zone, v) => zone with { Upstreams = v },
            "Upstream servers: ADDRESS, ADDRESS:PORT or [ADDRESS]:PORT; without a port 53.")
        .Add("Policy", Choice(
            [("fastest", UpstreamPolicy.Fastest), ("ordered", UpstreamPolicy.Ordered),
                ("round-robin", UpstreamPolicy.RoundRobin)]),
            zone => zone.Policy, (zone, v) => zone with { Policy = v },
            "Which upstream is queried first: the one with the least round-trip time, the first of the list, or each in turn.")
        .Add("TrustAuthenticData", Flag,
            zone => zone.TrustAuthenticData, (zone, v) => zone with { TrustAuthenticData = v },
            "Whether the AD bit of upstreams is passed on. Only for a validating server on the same machine or behind a protected path.");

    /// <summary>The setting.</summary>
    public static FeatureSetting<IReadOnlyList<ForwardZone>> Zones { get; } = new("Forward",
        "Zones that are forwarded to upstream servers (conditional forwarding; \".\" = everything). Of all zones served and forwarded the longest match decides; a served one wins a tie. The first element added to a running server takes effect at the next start.",
        ListOf("a list such as [{ \"Zone\": \".\", \"Upstreams\": [\"192.0.2.53\"] }]", Read, objects: [Entry]), [],
        JsonNode.Parse("""[{"Zone": ".", "Upstreams": ["192.0.2.53", "[2001:db8::53]:5353"], "Policy": "fastest"}]"""),
        Check) { IsLive = true };

    private static IReadOnlyList<ForwardZone> Read(SettingNode list, string path, SettingsBinder binder)
    {
        List<ForwardZone> zones = [];
        Dictionary<DomainName, SettingLocation> seen = [];
        foreach (SettingNode element in list.Children)
        {
            string elementPath = path + ":" + element.Name;
            int before = binder.ProblemCount;
            if (element.Kind != SettingKind.Section) binder.Expect(element, elementPath, Expected);
            else if (Entry.Read(element, elementPath, binder, Entry.Defaults) is var zone &&
                binder.ProblemCount == before)
            {
                if (seen.TryAdd(zone.Name, element.Location)) zones.Add(zone);
                else binder.Report(element,
                    $"{elementPath}: zone {zone.Name} is given twice, first at {seen[zone.Name]}");
            }
        }
        return zones;
    }

    private static void ReadUpstream(
        SettingNode element, string path, SettingsBinder binder, List<PeerAddress> upstreams)
    {
        if (element.Value is not { } text || ForeignAddress.ReadServer(text) is not { } upstream)
            binder.Expect(element, path, ExpectedFor(element.Value));
        else if (ForeignAddress.LacksScope(upstream.EndPoint.Address))
            binder.Expect(element, path,
                $"the interface behind a link-local address, such as {upstream.EndPoint.Address}%eth0");
        else if (upstreams.Contains(upstream))
            binder.Report(element, $"{path} is \"{text}\", which is already in the list");
        else upstreams.Add(upstream);
    }

    private static string ExpectedFor(string? text)
    {
        const string one = "the address of a server with an optional port, such as 192.0.2.53 or [2001:db8::53]:5353";
        return text is not null && ForeignAddress.DescribeUpstream(text) is { } foreign ? $"{one}; {foreign}" : one;
    }

    private static void Check(IReadOnlyList<ForwardZone> zones, SettingsProblems problems)
    {
        foreach (SettingNode entry in problems.Node.Children)
        {
            RefuseOwnAddresses(entry, problems.Binder);
            if (entry.Find("Zone") is { Value: { } text } node && ZonesSetting.TryParseName(text, out DomainName? zone)
                && UnusualZoneName.Find(zone) is { } message)
                problems.Binder.Warn(node, isNote: false, $"Dns:Forward:{entry.Name}:Zone: {message}");
        }
        ServedAndForwarded.Refuse(zones, problems.Binder);
    }

    /// <summary>Finds upstreams that are this server: every question would come back to it.</summary>
    private static void RefuseOwnAddresses(SettingNode entry, SettingsBinder binder)
    {
        foreach (SettingNode upstream in entry.Find("Upstreams")?.Children ?? [])
            if (upstream.Value is { } text && ForeignAddress.ReadServer(text) is { } server
                && binder.FindOwnListener(server.EndPoint) is { } own)
                binder.Report(upstream,
                    $"Dns:Forward:{entry.Name}:Upstreams:{upstream.Name} is \"{text}\", where this server itself listens ({own})");
    }
}
