namespace Dns.Configuration.SettingTypes;

/// <summary>Every setting of a zone, as <see cref="SettingsTable"/>: a new one is a row here, and the schema.</summary>
internal static class ZoneSettingsTable
{
    private const string ExpectedName = "a domain name in ASCII (international names as xn--...)";
    private const string ExpectedTemplate = "the name of a template in Dns:Templates";

    private const string ExpectedDnssec = "default, off, off-now, or the name of a policy in Dns:DnssecPolicies";

    /// <summary>The longest time that refreshes can be kept apart.</summary>
    public static readonly TimeSpan MostMinRefresh = TimeSpan.FromDays(7);

    private const ZoneRuleScopes OfZones = ZoneRuleScopes.Zone | ZoneRuleScopes.Template;

    private static readonly string[] Roles = ["primary", "secondary"], CatalogRoles = ["producer", "consumer"];

    public static IReadOnlyList<ZoneRule> Rules { get; } =
    [
        new("Name", ZoneRuleScopes.Zone, Name((zone, v) => zone.Name = v)),
        new("File", ZoneRuleScopes.Zone, Text("text", (zone, v, binder) => zone.File = binder.Resolve(v)))
            { Role = ZoneRole.Primary },
        new("Directory", ZoneRuleScopes.Directory,
            Text("text", (zone, v, binder) => zone.Directory = binder.Resolve(v))),
        new("Pattern", ZoneRuleScopes.Directory, Text("text", (zone, v, _) => zone.Pattern = v)),
        new("Template", ZoneRuleScopes.Zone | ZoneRuleScopes.Directory,
            Text(ExpectedTemplate, (zone, v, _) => zone.Template = v)),
        new("Type", ZoneRuleScopes.Everywhere,
            Choice(Roles, (zone, i) => zone.Role = (ZoneRole)i, ForeignSettingNames.FindZoneType)),
        new("Primaries", OfZones, Peers((zone, v) => zone.Primaries = v)) { Role = ZoneRole.Secondary },
        new("MinRefresh", OfZones, MinRefresh) { Role = ZoneRole.Secondary },
        new("Notify", ZoneRuleScopes.Everywhere, Peers((zone, v) => zone.Notify = v)),
        new("AllowNotify", OfZones, PeerRules((zone, v) => zone.AllowNotify = v))
        {
            Role = ZoneRole.Secondary,
        },
        new("AllowTransfer", ZoneRuleScopes.Everywhere, PeerRules((zone, v) => zone.AllowTransfer = v)),
        new("AllowUpdate", ZoneRuleScopes.Everywhere, List(UpdateRulesSetting.Expected, (node, path, binder, zone) =>
            zone.AllowUpdate = UpdateRulesSetting.Read(node, path, binder))) { Role = ZoneRole.Primary },
        new("AllowQuery", ZoneRuleScopes.Everywhere, List(ClientsSetting.Expected, (node, path, binder, zone) =>
            zone.AllowQuery = new ClientNetworks(ClientsSetting.Read(node, path, binder)))),
        new("Dnssec", ZoneRuleScopes.Everywhere, Text(ExpectedDnssec, (zone, v, _) => zone.Dnssec = v)),
        new("Catalog", OfZones, Choice(CatalogRoles, (zone, i) => zone.Catalog = (CatalogRole)(i + 1))),
        new("MemberTemplate", OfZones, Text(ExpectedTemplate, (zone, v, _) => zone.MemberTemplate = v)),
        new("MemberOf", ZoneRuleScopes.Everywhere, Name((zone, v) => zone.MemberOf = v)),
        new("Group", ZoneRuleScopes.Everywhere, Group),
    ];

    /// <summary>Reads the members of an entry or a template.</summary>
    public static ZoneSettings Read(SettingNode entry, string path, ZoneRuleScopes scopes, SettingsBinder binder)
    {
        ZoneSettings zone = new(entry, path);
        foreach (SettingNode member in entry.Children)
        {
            string memberPath = path + ":" + member.Name;
            ZoneRule? rule = Find(member.Name);
            if (rule is null)
                binder.Unknown(member, memberPath,
                    Rules.Where(known => (known.Scopes & scopes) != 0).Select(known => known.Name));
            else if ((rule.Scopes & scopes) == 0)
                binder.Report(member, $"{memberPath}: {OutOfScope(rule, scopes)}");
            else if (rule.Read(member, memberPath, binder, zone))
                continue;
            zone.IsGood = false;
        }
        return zone;
    }

    public static ZoneRule? Find(string name)
    {
        foreach (ZoneRule rule in Rules)
            if (rule.Name.Equals(name, StringComparison.OrdinalIgnoreCase)) return rule;
        return null;
    }

    private static string OutOfScope(ZoneRule rule, ZoneRuleScopes scopes) => scopes switch
    {
        ZoneRuleScopes.Template => $"a template does not have {rule.Name}: expected it in an entry of Dns:Zones",
        ZoneRuleScopes.Directory =>
            $"zones of a directory do not have {rule.Name}: expected either Name, or Directory and perhaps Pattern",
        _ => $"a zone with Name does not have {rule.Name}: expected either Name, or Directory and perhaps Pattern",
    };

    private static bool IsText(SettingNode node) =>
        node.Kind is SettingKind.Text or SettingKind.Untyped && node.Value is { Length: > 0 };

    private static ZoneRule.Reader Text(string expected,
        Action<ZoneSettings, string, SettingsBinder> set) => (node, path, binder, zone) =>
    {
        bool isText = IsText(node) && !node.Value!.Contains('\0');
        if (isText) set(zone, node.Value!, binder);
        else binder.Expect(node, path, expected);
        return isText;
    };

    private static ZoneRule.Reader Name(Action<ZoneSettings, DomainName> set) => (node, path, binder, zone) =>
    {
        DomainName? name = null;
        bool isName = IsText(node) && ZonesSetting.TryParseName(node.Value!, out name);
        if (isName) set(zone, name!);
        else binder.Expect(node, path, ExpectedName);
        return isName;
    };

    private static ZoneRule.Reader Choice(
        string[] words, Action<ZoneSettings, int> set,
        Func<string, string?>? describe = null) => (node, path, binder, zone) =>
    {
        int index = Array.FindIndex(words, word => word.Equals(node.Value, StringComparison.OrdinalIgnoreCase));
        string foreign = node.Value is { } text && describe?.Invoke(text) is { } meant ? "; " + meant : "";
        if (index >= 0) set(zone, index);
        else binder.Expect(node, path, "one of " + string.Join(", ", words) + foreign);
        return index >= 0;
    };

    private static bool MinRefresh(SettingNode node, string path, SettingsBinder binder, ZoneSettings zone)
    {
        bool isTime = DurationRule.TryRead(node, MostMinRefresh, out TimeSpan time);
        if (isTime) zone.MinRefresh = time;
        else binder.Expect(node, path, DurationRule.ExpectedUpTo(MostMinRefresh));
        return isTime;
    }

    private static bool Group(SettingNode node, string path, SettingsBinder binder, ZoneSettings zone)
    {
        bool isGroup = IsText(node) && Encoding.UTF8.GetByteCount(node.Value!) <= TextRule.MaxOctets;
        if (isGroup) zone.Group = node.Value;
        else binder.Expect(node, path, $"text of 1 to {TextRule.MaxOctets} octets");
        return isGroup;
    }

    private static ZoneRule.Reader List(string expected,
        Action<SettingNode, string, SettingsBinder, ZoneSettings> read) =>
        (node, path, binder, zone) =>
        {
            int before = binder.ProblemCount;
            if (node.Kind == SettingKind.List) read(node, path, binder, zone);
            else binder.Expect(node, path, expected);
            return binder.ProblemCount == before;
        };

    private static ZoneRule.Reader Peers(Action<ZoneSettings, IReadOnlyList<PeerAddress>> set) =>
        List(PeerAddressesSetting.Expected,
            (node, path, binder, zone) => set(zone, PeerAddressesSetting.Read(node, path, binder)));

    private static ZoneRule.Reader PeerRules(Action<ZoneSettings, IReadOnlyList<PeerRule>> set) =>
        List(PeerListSetting.Expected,
            (node, path, binder, zone) => set(zone, PeerListSetting.Read(node, path, binder)));
}
