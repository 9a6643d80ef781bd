namespace Dns.Configuration.SettingTypes;

/// <summary>Reads <c>AllowUpdate</c>: who may change a zone by UPDATE, and perhaps which names and types.</summary>
internal static class UpdateRulesSetting
{
    public const string Expected =
        "a list such as [\"key:k1.\", "
        + "{ \"From\": \"key:k2.\", \"Names\": [\"*.dyn.example.com\"], \"Types\": [\"A\", \"AAAA\", \"TXT\"] }]";

    private const string From = "From", Names = "Names", Types = "Types";
    private const string ExpectedName =
        "a domain name in ASCII, with the label * in front for all names below the rest";
    private const string ExpectedType = "a type of records, such as \"A\" or \"TYPE65280\"";
    private static readonly string[] Keys = [From, Names, Types];

    public static IReadOnlyList<UpdateRule> Read(SettingNode list, string path, SettingsBinder binder)
    {
        List<UpdateRule> rules = new(list.Children.Count);
        foreach (SettingNode element in list.Children)
        {
            string elementPath = path + ":" + element.Name;
            UpdateRule? rule = element.Kind == SettingKind.Section ? ReadObject(element, elementPath, binder)
                : PeerListSetting.ReadElement(element, elementPath, binder) is { } from ? new UpdateRule(from) : null;
            if (rule is not null) rules.Add(rule);
        }
        return rules;
    }

    /// <summary>Reports the names of rules that are not in the zone that they are for.</summary>
    public static void RefuseOtherNames(SettingNode list, string path, DomainName zone, SettingsBinder binder)
    {
        foreach (SettingNode element in list.Children)
            foreach (SettingNode name in element.Find(Names)?.Children ?? [])
            {
                if (name.Value is null || !ZonesSetting.TryParseName(name.Value, out DomainName? owner)) continue;
                if (!WireName.IsAtOrBelow(owner.Octets, zone.Octets))
                    binder.Report(name,
                        $"{path}:{element.Name}:{Names}:{name.Name} is \"{name.Value}\": expected a name in the " +
                            $"zone {zone}");
            }
    }

    private static UpdateRule? ReadObject(SettingNode entry, string path, SettingsBinder binder)
    {
        int before = binder.ProblemCount;
        foreach (SettingNode member in entry.Children)
            if (!Keys.Contains(member.Name, StringComparer.OrdinalIgnoreCase))
                binder.Unknown(member, $"{path}:{member.Name}", Keys);
        if (binder.ProblemCount > before) return null;
        PeerRule? from = null;
        if (entry.Find(From) is { } node) from = PeerListSetting.ReadElement(node, $"{path}:{From}", binder);
        else binder.Report(entry, $"{path} has no {From}: expected {PeerListSetting.ExpectedElement}");
        List<DomainName>? names =
            ReadList<DomainName>(entry, Names, path, binder, ExpectedName, ZonesSetting.TryParseName);
        List<RRType>? types = ReadList<RRType>(entry, Types, path, binder, ExpectedType, TryParseType);
        return binder.ProblemCount > before ? null : new UpdateRule(from!) { Names = names, Types = types };
    }

    private delegate bool Parser<T>(string text, [System.Diagnostics.CodeAnalysis.NotNullWhen(true)] out T? value);

    /// <summary>An empty list would be a rule that permits nothing, which is hardly what was meant.</summary>
    private static List<T>? ReadList<T>(
        SettingNode entry, string name, string path, SettingsBinder binder, string expected, Parser<T> parse)
    {
        if (entry.Find(name) is not { } list) return null;
        List<T> values = new(list.Children.Count);
        foreach (SettingNode element in list.Children)
        {
            if (element.Value is { } text && parse(text, out T? value)) values.Add(value);
            else binder.Expect(element, $"{path}:{name}:{element.Name}", expected);
        }
        if (list.Kind != SettingKind.List) binder.Expect(list, $"{path}:{name}", $"a list, each element {expected}");
        else if (list.Children.Count == 0)
            binder.Report(list, $"{path}:{name} is empty: expected {expected}, or no {name} for all");
        return values;
    }

    private static bool TryParseType(string text, out RRType type) =>
        RRTypeText.TryParse(Encoding.UTF8.GetBytes(text), out type) && !Rdata.IsMeta(type);
}
