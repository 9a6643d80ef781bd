namespace Dns.Configuration.SettingTypes;

/// <summary>Reads <c>Dns:Templates</c>: what zones may say, under names that zones refer to.</summary>
internal static class TemplatesSetting
{
    private const int MaxTemplates = 10_000;
    private const string Expected =
        "an object with a template under each name, such as { \"NAME\": { \"AllowTransfer\": [\"key:k1.\"] } }";

    public static void Apply(SettingNode section, string path, SettingsBinder binder)
    {
        if (section.Kind != SettingKind.Section)
        {
            binder.Expect(section, path, Expected);
            return;
        }
        if (section.Children.Count > MaxTemplates)
            binder.Report(section, $"{path} has {section.Children.Count} templates: expected at most {MaxTemplates}");
        foreach (SettingNode member in section.Children)
        {
            string memberPath = path + ":" + member.Name;
            if (member.Kind != SettingKind.Section)
                binder.Expect(member, memberPath, "an object with settings of a zone");
            else binder.Templates[member.Name] =
                ZoneSettingsTable.Read(member, memberPath, ZoneRuleScopes.Template, binder);
        }
    }

    /// <summary>Makes the templates that zones and catalogs refer to.</summary>
    public static void Finish(SettingsBinder binder)
    {
        Dictionary<string, ZoneTemplate> templates = new(StringComparer.OrdinalIgnoreCase);
        foreach (var (name, values) in binder.Templates)
            templates[name] = new ZoneTemplate(name)
            {
                Role = values.Role,
                Primaries = values.Primaries ?? [],
                MinRefresh = values.MinRefresh,
                AllowQuery = values.AllowQuery,
                Policy = values.Policy,
            };
        binder.Options.Templates = templates;
    }

    /// <summary>Applies the template of an entry, or reports that there is no such template.</summary>
    public static void Inherit(ZoneSettings entry, SettingsBinder binder)
    {
        if (entry.Template is null) return;
        if (Find(entry.Template, entry, nameof(ZoneSettings.Template), binder) is not { } template) return;
        entry.Inherit(template);
        entry.IsGood &= template.IsGood;
    }

    /// <summary>Finds a template that an entry names, or reports that there is none.</summary>
    public static ZoneSettings? Find(string name, ZoneSettings entry, string setting, SettingsBinder binder)
    {
        if (binder.Templates.TryGetValue(name, out ZoneSettings? template)) return template;
        string guess = NearestName.Find(name, binder.Templates.Keys) is { } near ? $"did you mean \"{near}\"?"
            : binder.Templates.Count == 0 ? "there are none" : "expected one of " + Some(binder.Templates.Keys);
        binder.Report(entry.Node.Find(setting) ?? entry.Node,
            $"{entry.Path}:{setting}: there is no template \"{name}\" in Dns:Templates: {guess}");
        return null;
    }

    private static string Some(IReadOnlyCollection<string> names)
    {
        const int most = 12;
        return string.Join(", ", names.Take(most)) + (names.Count > most ? ", ..." : "");
    }
}
