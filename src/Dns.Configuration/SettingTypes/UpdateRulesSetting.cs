namespace Dns.Configuration.SettingTypes;

/// <summary>Reads <c>AllowUpdate</c>: who may change a zone by UPDATE, and perhaps which names and types.</summary>
public static class UpdateRulesSetting
{
    private const string Names = "Names";

    private static readonly SettingsSection<UpdateRule> Entry =
        new SettingsSection<UpdateRule>("N", "A rule with names or types.", new UpdateRule(new PeerRule([], null)))
        {
            Required = ["From"], Expected = PeerListSetting.ExpectedElement,
        }
        .Add("From", new SettingValue<PeerRule>("string", PeerListSetting.ExpectedElement, "text",
                (node, path, binder, out from) =>
                    (from = PeerListSetting.ReadElement(node, path, binder)) is not null, from => from.ToString()),
            null, (rule, v) => rule with { From = v }, "Who, as in AllowTransfer.")
        .Add(Names, Some("a domain name in ASCII, with the label * in front for all names below the rest", Names,
                (string text, [NotNullWhen(true)] out DomainName? name) => ZonesSetting.TryParseName(text, out name)),
            null, (rule, v) => rule with { Names = v },
            "Names that may be changed; \"*.\" in front = all names below the rest. Left out = all.")
        .Add("Types", Some<RRType>("a type of records, such as \"A\" or \"TYPE65280\"", "Types", TryParseType),
            null, (rule, v) => rule with { Types = v }, "Types of records that may be changed. Left out = all.");

    public static SettingValue<IReadOnlyList<UpdateRule>> Value { get; } = ListOf<UpdateRule>(
        "a list such as [\"key:k1.\", { \"From\": \"key:k2.\", \"Names\": [\"*.dyn.example.com\"], \"Types\": [\"A\", \"AAAA\", \"TXT\"] }]",
        Read, takesText: true, objects: [Entry]);

    private static void Read(SettingNode element, string path, SettingsBinder binder, List<UpdateRule> rules)
    {
        if (element.Kind == SettingKind.Section) rules.Add(Entry.Read(element, path, binder, Entry.Defaults));
        else if (PeerListSetting.ReadElement(element, path, binder) is { } from) rules.Add(new UpdateRule(from));
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
                        $"{path}:{element.Name}:{Names}:{name.Name} is \"{name.Value}\": expected a name in the zone {zone}");
            }
    }

    private delegate bool Parser<T>(string text, [NotNullWhen(true)] out T? value);

    /// <summary>A list with an element at least: an empty one would permit nothing, which is hardly meant.</summary>
    private static SettingValue<IReadOnlyList<T>> Some<T>(string expected, string name, Parser<T> parse) =>
        ListOf<T>("a list, each element " + expected, (element, path, binder, values) =>
        {
            if (element.Value is { } text && parse(text, out T? value)) values.Add(value);
            else binder.Expect(element, path, expected);
        }, (list, path, binder, _) =>
        {
            if (list.Children.Count == 0)
                binder.Report(list, $"{path} is empty: expected {expected}, or no {name} for all");
        }).Limit("minItems", 1);

    private static bool TryParseType(string text, out RRType type) =>
        RRTypeText.TryParse(Encoding.UTF8.GetBytes(text), out type) && !Rdata.IsMeta(type);
}
