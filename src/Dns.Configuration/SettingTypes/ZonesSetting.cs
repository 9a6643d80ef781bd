namespace Dns.Configuration.SettingTypes;

/// <summary>Reads <c>Dns:Zones</c>; <see cref="Finish"/> completes the entries when templates have been read.</summary>
public static class ZonesSetting
{
    private const string ExpectedShape = "an object with Name and File, or with Directory and Pattern";
    private const string ExpectedPrimaries = "the servers that it comes from, such as \"Primaries\": [\"192.0.2.1\"]";

    internal static SettingValue<IReadOnlyList<ZoneOptions>> Value { get; } = ListOf(
        "a list of zones such as [{ \"Name\": \"example.com\", \"File\": \"example.com.zone\" }]", Read,
        objects: [ZoneSettingsTable.Zone, ZoneSettingsTable.Directory]);

    private static IReadOnlyList<ZoneOptions> Read(SettingNode list, string path, SettingsBinder binder)
    {
        foreach (SettingNode element in list.Children)
        {
            string elementPath = path + ":" + element.Name;
            if (element.Kind != SettingKind.Section) binder.Expect(element, elementPath, ExpectedShape);
            else binder.Zones.Add(ZoneSettingsTable.Read(element, elementPath, ScopesOf(element), binder));
        }
        return [];
    }

    /// <summary>Makes the options of the entries: applies templates, and checks what does not go together.</summary>
    internal static void Finish(SettingsBinder binder)
    {
        List<ZoneOptions> zones = new(binder.Zones.Count);
        Dictionary<DomainName, ZoneSettings> seen = new(binder.Zones.Count);
        foreach (ZoneSettings entry in binder.Zones)
        {
            int before = binder.ProblemCount;
            TemplatesSetting.Inherit(entry, binder);
            if (!entry.IsGood || binder.ProblemCount > before) continue;
            if (CheckShape(entry, binder)) CheckRole(entry, binder);
            if (binder.ProblemCount > before) continue;
            if (entry.Name is null || seen.TryAdd(entry.Name, entry)) zones.Add(OptionsOf(entry, binder));
            else binder.Report(entry.Node,
                $"{entry.Path}: zone {entry.Name} is given twice, first at {seen[entry.Name].Node.Location}");
        }
        CatalogSettings.CheckMembers(binder);
        binder.Options = binder.Options with { Zones = zones };
    }

    /// <summary>Says that a text is no name, and how an international one is written.</summary>
    public static string NotAName(string text) => $"\"{text}\" is not a domain name"
        + (System.Text.Ascii.IsValid(text) ? "" : " in ASCII (international names as xn--...)");

    /// <summary>The name of a zone.</summary>
    /// <param name="more">What a message adds.</param>
    public static SettingValue<DomainName> NameValue(string more = "") => new SettingValue<DomainName>("string",
        "a domain name in ASCII (international names as xn--...)" + more, "domain name",
        (node, _, _, out name) => TryParseName(node.Value!, out name), name => name.ToString()).Limit("minLength", 1);

    /// <summary>Reads the name of a zone in presentation form; <c>.</c> is the root.</summary>
    public static bool TryParseName(
        string text, [System.Diagnostics.CodeAnalysis.NotNullWhen(true)] out DomainName? name)
    {
        name = null;
        return System.Text.Ascii.IsValid(text) && text != "@" && DomainName.TryParse(text, out name);
    }

    private static ZoneRuleScopes ScopesOf(SettingNode entry) =>
        entry.Find("Directory") is not null && entry.Find("Name") is null
            ? ZoneRuleScopes.Directory : ZoneRuleScopes.Zone;

    /// <summary>Whether an entry has what one of its kind needs.</summary>
    private static bool CheckShape(ZoneSettings entry, SettingsBinder binder)
    {
        if (entry.Directory is not null)
        {
            // A template may be for secondaries, too: of them alone it is not.
            if (entry.Role == ZoneRole.Secondary)
                binder.Report(entry.Node,
                    $"{entry.Path}: zones of a directory are read from their files: expected Type primary");
            return entry.Role != ZoneRole.Secondary;
        }
        string? missing = entry switch
        {
            { Name: null } => "expected either Name and File, or Directory and perhaps Pattern",
            { Role: ZoneRole.Secondary } =>
                entry.Primaries is { Count: > 0 } ? null : $"a secondary needs {ExpectedPrimaries}",
            { Catalog: CatalogRole.Producer } or { File: not null } => null,
            _ when entry.Node.Find("Primaries") is not null => "expected \"Type\": \"secondary\" beside Primaries",
            _ => "expected File, or \"Type\": \"secondary\" and Primaries, or \"Catalog\": \"producer\"",
        };
        if (missing is not null) binder.Report(entry.Node.Find("Primaries") ?? entry.Node, $"{entry.Path}: {missing}");
        return missing is null;
    }

    /// <summary>
    /// Reports what does not go with the role of a zone. What its template has for the other role is left aside: a
    /// template may be for zones of both.
    /// </summary>
    private static void CheckRole(ZoneSettings entry, SettingsBinder binder)
    {
        ZoneRole role = entry.Role ?? ZoneRole.Primary;
        foreach (SettingNode member in entry.Node.Children)
        {
            if (ZoneSettingsTable.Find(member.Name) is not { Role: { } only } rule || only == role) continue;
            string why = rule.Setting.Name switch
            {
                "File" => "a secondary has no file: its copy is kept in Dns:StateDirectory",
                "AllowUpdate" => "a secondary is changed on its primary",
                _ => $"{rule.Setting.Name} is for a secondary: expected \"Type\": \"secondary\" beside it",
            };
            binder.Report(member, $"{entry.Path}:{member.Name}: {why}");
        }
        if (role == ZoneRole.Secondary) RefuseOwnAddresses(entry, binder);
        if (entry is { AllowUpdate: not null, Name: { } name } && entry.Node.Find("AllowUpdate") is { } updates)
            UpdateRulesSetting.RefuseOtherNames(updates, $"{entry.Path}:AllowUpdate", name, binder);
        CatalogSettings.Check(entry, binder);
    }

    /// <summary>A zone cannot come from here.</summary>
    private static void RefuseOwnAddresses(ZoneSettings entry, SettingsBinder binder)
    {
        foreach (PeerAddress primary in entry.Primaries!)
            if (binder.FindOwnListener(primary.EndPoint) is { } own)
                binder.Report(entry.Node.Find("Primaries") ?? entry.Node,
                    $"{entry.Path}: {primary.EndPoint} of Primaries is where this server itself listens ({own})");
    }

    private static ZoneOptions OptionsOf(ZoneSettings entry, SettingsBinder binder) =>
        new(entry.Node.Location, entry.Name, entry.Directory ?? entry.File, entry.Pattern ?? ZoneOptions.AnyZone)
        {
            Key = entry.Path,
            Role = entry.Role ?? ZoneRole.Primary,
            Primaries = entry.Role == ZoneRole.Secondary ? entry.Primaries! : [],
            MinRefresh = entry.MinRefresh,
            Catalog = entry.Catalog ?? CatalogRole.None,
            MemberTemplate = entry.MemberTemplate is { } template ? binder.Options.Templates[template] : null,
            AllowQuery = entry.AllowQuery,
            Policy = entry.Policy,
        };
}
