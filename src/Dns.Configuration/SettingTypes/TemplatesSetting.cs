namespace Dns.Configuration.SettingTypes;

/// <summary>Reads <c>Dns:Templates</c>: what zones may say, under names that zones refer to.</summary>
public static class TemplatesSetting
{
    public static SettingValue<IReadOnlyDictionary<string, ZoneTemplate>> Value { get; } = Named<ZoneTemplate>(
        "an object with a template under each name, such as { \"NAME\": { \"AllowTransfer\": [\"key:k1.\"] } }",
        "templates", "a zone", Read, ZoneSettingsTable.Template);

    /// <summary>Reads a template; <see cref="Finish"/> makes it.</summary>
    private static ZoneTemplate? Read(SettingNode entry, string path, SettingsBinder binder)
    {
        binder.Templates[entry.Name] = ZoneSettingsTable.Read(entry, path, ZoneRuleScopes.Template, binder);
        return null;
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
        binder.Options = binder.Options with { Templates = templates };
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
