namespace Dns.Configuration.SettingTypes;

/// <summary>Reads <c>Dns:Forward</c>: forwarded zones.</summary>
internal static class ForwardSetting
{
    private const string Expected =
        "an object such as { \"Zone\": \".\", \"Upstreams\": [\"192.0.2.53\", \"[2001:db8::53]:5353\"] }";

    private const string ExpectedUpstreams = "a list of addresses such as [\"192.0.2.53\", \"[2001:db8::53]:5353\"]";

    private static readonly string[] Keys = ["Zone", "Upstreams", "Policy", "TrustAuthenticData"];

    private static readonly (string Word, UpstreamPolicy Policy)[] Policies =
        [("fastest", UpstreamPolicy.Fastest), ("ordered", UpstreamPolicy.Ordered),
            ("round-robin", UpstreamPolicy.RoundRobin)];

    public static void Apply(SettingNode list, string path, SettingsBinder binder)
    {
        List<ForwardZone> zones = [];
        Dictionary<DomainName, SettingLocation> seen = [];
        foreach (SettingNode element in list.Children)
        {
            string elementPath = path + ":" + element.Name;
            if (element.Kind != SettingKind.Section) binder.Expect(element, elementPath, Expected);
            else if (Read(element, elementPath, binder) is { } zone)
            {
                if (seen.TryAdd(zone.Name, element.Location)) zones.Add(zone);
                else binder.Report(element,
                    $"{elementPath}: zone {zone.Name} is given twice, first at {seen[zone.Name]}");
            }
        }
        binder.Options.Forward = zones;
    }

    private static ForwardZone? Read(SettingNode entry, string path, SettingsBinder binder)
    {
        bool isKnown = true;
        foreach (SettingNode member in entry.Children)
        {
            if (Keys.Contains(member.Name, StringComparer.OrdinalIgnoreCase)) continue;
            binder.Unknown(member, $"{path}:{member.Name}", Keys);
            isKnown = false;
        }
        // What is missing is most likely what was misspelled.
        if (!isKnown) return null;
        DomainName? zone = null;
        SettingNode? name = entry.Find("Zone");
        if (name?.Value is null || !ZonesSetting.TryParseName(name.Value, out zone))
        {
            if (name is null) binder.Report(entry, $"{path} has no Zone: expected {Expected}");
            else binder.Expect(name, path + ":Zone",
                "a domain name in ASCII (international names as xn--...), . for all names");
        }
        List<IPEndPoint>? upstreams = ReadUpstreams(entry, path, binder);
        UpstreamPolicy policy = ReadPolicy(entry.Find("Policy"), path, binder);
        bool trusts = ReadTrust(entry.Find("TrustAuthenticData"), path, binder);
        return zone is null || upstreams is null ? null : new ForwardZone(zone, upstreams, policy, trusts);
    }

    private static List<IPEndPoint>? ReadUpstreams(SettingNode entry, string path, SettingsBinder binder)
    {
        SettingNode? list = entry.Find("Upstreams");
        if (list is { Kind: SettingKind.List, Children.Count: 0 })
        {
            binder.Report(list, $"{path}:Upstreams is empty: expected {ExpectedUpstreams}");
            return null;
        }
        if (list is not { Kind: SettingKind.List })
        {
            if (list is null) binder.Report(entry, $"{path} has no Upstreams: expected {Expected}");
            else binder.Expect(list, path + ":Upstreams", ExpectedUpstreams);
            return null;
        }
        List<IPEndPoint> upstreams = [];
        bool good = true;
        foreach (SettingNode element in list.Children)
        {
            string elementPath = $"{path}:Upstreams:{element.Name}";
            IPEndPoint? upstream = null;
            if (element.Value is not { } text || !ForeignAddress.TryReadUpstream(text, out upstream) ||
                !ForeignAddress.IsOne(upstream))
                binder.Expect(element, elementPath, ExpectedFor(element.Value));
            else if (ForeignAddress.LacksScope(upstream.Address))
                binder.Expect(element, elementPath,
                    $"the interface behind a link-local address, such as {upstream.Address}%eth0");
            else if (upstreams.Contains(upstream))
                binder.Report(element, $"{elementPath} is \"{element.Value}\", which is already in the list");
            else
            {
                upstreams.Add(upstream);
                continue;
            }
            good = false;
        }
        return good ? upstreams : null;
    }

    private static string ExpectedFor(string? text)
    {
        const string one = "the address of a server with an optional port, such as 192.0.2.53 or [2001:db8::53]:5353";
        return text is not null && ForeignAddress.DescribeUpstream(text) is { } foreign ? $"{one}; {foreign}" : one;
    }

    private static UpstreamPolicy ReadPolicy(SettingNode? node, string path, SettingsBinder binder)
    {
        if (node is null) return UpstreamPolicy.Fastest;
        foreach ((string word, UpstreamPolicy policy) in Policies)
            if (word.Equals(node.Value, StringComparison.OrdinalIgnoreCase)) return policy;
        binder.Expect(node, path + ":Policy", "one of fastest, ordered, round-robin");
        return UpstreamPolicy.Fastest;
    }

    private static bool ReadTrust(SettingNode? node, string path, SettingsBinder binder)
    {
        if (node is null ||
            bool.TryParse(node.Value, out bool value) && node.Kind is SettingKind.Flag or SettingKind.Untyped)
            return node is not null && bool.Parse(node.Value!);
        binder.Expect(node, path + ":TrustAuthenticData", "true or false");
        return false;
    }

    /// <summary>Finds upstreams that are this server: every question would come back to it.</summary>
    public static void RefuseOwnAddresses(SettingNode forward, SettingsBinder binder)
    {
        foreach (SettingNode entry in forward.Children)
            foreach (SettingNode upstream in entry.Find("Upstreams")?.Children ?? [])
            {
                if (upstream.Value is null || !ForeignAddress.TryReadUpstream(upstream.Value, out IPEndPoint? address))
                    continue;
                if (MachineAddresses.FindOwnListener(address, binder.Options.Listen) is { } own)
                    binder.Report(upstream,
                        $"Dns:Forward:{entry.Name}:Upstreams:{upstream.Name} is \"{upstream.Value}\", "
                        + $"where this server itself listens ({own})");
            }
    }
}
