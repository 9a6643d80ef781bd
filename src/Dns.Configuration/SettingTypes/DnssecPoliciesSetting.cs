namespace Dns.Configuration.SettingTypes;

/// <summary>Reads <c>Dns:DnssecPolicies</c>: how zones are signed; <c>Dnssec</c> of a zone names one.</summary>
internal static class DnssecPoliciesSetting
{
    /// <summary>The word for a zone not signed here; one that was stays signed until its DS records are gone.</summary>
    public const string Off = "off";

    /// <summary>The word of a zone that is not signed here from this moment on, whatever its parent has.</summary>
    public const string OffNow = "off-now";

    private const int MaxPolicies = 10_000;
    private const string Expected =
        "an object with a policy under each name, such as { \"NAME\": { \"Denial\": \"nsec3\" } }";

    public static void Apply(SettingNode section, string path, SettingsBinder binder)
    {
        if (section.Kind != SettingKind.Section)
        {
            binder.Expect(section, path, Expected);
            return;
        }
        if (section.Children.Count > MaxPolicies)
            binder.Report(section, $"{path} has {section.Children.Count} policies: expected at most {MaxPolicies}");
        Dictionary<string, DnssecPolicy> policies = new(StringComparer.OrdinalIgnoreCase);
        foreach (SettingNode member in section.Children)
        {
            string memberPath = path + ":" + member.Name;
            if (IsOff(member.Name))
                binder.Report(
                    member,
                    $"{memberPath}: \"Dnssec\": \"{member.Name}\" says that a zone is not signed: expected another " +
                        $"name");
            else if (member.Kind != SettingKind.Section)
                binder.Expect(member, memberPath, "an object with settings of a policy");
            else policies[member.Name] = Read(member, memberPath, binder);
        }
        binder.Options.DnssecPolicies = policies;
    }

    /// <summary>Reports the zones and templates whose policy there is not.</summary>
    public static void CheckNames(SettingsBinder binder)
    {
        foreach (ZoneSettings values in binder.Templates.Values.Concat(binder.Zones))
        {
            if (values.Node.Find("Dnssec") is not { } node || values.Dnssec is not { } name || IsOff(name)) continue;
            if (binder.Options.StateDirectory is null)
                binder.Report(node,
                    $"{values.Path}:Dnssec: keys are kept in Dns:StateDirectory, which is null: expected a directory");
            if (binder.Options.FindDnssecPolicy(name) is not null) continue;
            IEnumerable<string> known = [.. binder.Options.DnssecPolicies.Keys, DnssecPolicy.DefaultName, Off, OffNow];
            known = known.Distinct();
            string guess = NearestName.Find(name, known) is { } near ? $"did you mean \"{near}\"?"
                : "expected one of " + string.Join(", ", known.Take(12));
            binder.Report(node, $"{values.Path}:Dnssec: there is no policy \"{name}\" in Dns:DnssecPolicies: {guess}");
        }
    }

    public static bool IsOff(string word) => Off.Equals(word, StringComparison.OrdinalIgnoreCase) || IsOffNow(word);

    public static bool IsOffNow(string word) => OffNow.Equals(word, StringComparison.OrdinalIgnoreCase);

    private static DnssecPolicy Read(SettingNode entry, string path, SettingsBinder binder)
    {
        DnssecPolicy policy = DnssecPolicy.Default with { Name = entry.Name };
        // An error that depends on them would only repeat that they could not be read.
        HashSet<string> unread = [];
        string[] names = [.. DnssecPolicyTable.Rules.Select(known => known.Name)];
        foreach (SettingNode member in entry.Children)
        {
            string memberPath = path + ":" + member.Name;
            if (DnssecPolicyTable.Find(member.Name) is not { } rule)
            {
                binder.Unknown(member, memberPath, names);
                if (NearestName.Find(member.Name, names) is { } meant) unread.Add(meant);
            }
            else if (rule.Read(member, policy) is { } read) policy = read;
            else
            {
                binder.Expect(member, memberPath, rule.Expected);
                unread.Add(rule.Name);
            }
        }
        foreach (var (setting, message) in policy.FindErrors(unread))
            binder.Report(entry.Find(setting) ?? entry, $"{path}:{setting}: {message}");
        return policy;
    }
}
