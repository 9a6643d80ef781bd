namespace Dns.Configuration.SettingTypes;

/// <summary>Checks what zones say of catalogs (RFC 9432).</summary>
public static class CatalogSettings
{
    public static void Check(ZoneSettings entry, SettingsBinder binder)
    {
        if (entry.Catalog == CatalogRole.Producer) CheckProducer(entry, binder);
        if (entry.Catalog is not null && entry.Dnssec is { } policy && !DnssecPoliciesSetting.IsOff(policy))
            Report(entry, "Dnssec", "a catalog is not signed: it is for servers, which do not validate it", binder);
        if (entry.MemberTemplate is not null && entry.Catalog != CatalogRole.Consumer)
            Report(entry, "MemberTemplate", "expected \"Catalog\": \"consumer\" beside it", binder);
        else if (entry.Catalog == CatalogRole.Consumer) CheckConsumer(entry, binder);
        if (entry.Group is not null && entry.MemberOf is null)
            Report(entry, "Group", "expected MemberOf beside it: a group is one of a catalog", binder);
    }

    /// <summary>Reports the zones that are members of a catalog which is not made here.</summary>
    public static void CheckMembers(SettingsBinder binder)
    {
        HashSet<DomainName> producers = [];
        foreach (ZoneSettings entry in binder.Zones)
            if (entry is { Catalog: CatalogRole.Producer, Name: { } name }) producers.Add(name);
        foreach (ZoneSettings entry in binder.Zones)
        {
            if (entry.MemberOf is not { } catalog || producers.Contains(catalog)) continue;
            string guess = NearestName.Find(catalog.ToString(), producers.Select(name => name.ToString())) is { } near
                ? $"did you mean \"{near}\"?" : "expected a zone of Dns:Zones with \"Catalog\": \"producer\"";
            Report(entry, "MemberOf", $"there is no catalog {catalog}: {guess}", binder);
        }
    }

    private static void CheckProducer(ZoneSettings entry, SettingsBinder binder)
    {
        if (entry.Role == ZoneRole.Secondary)
            Report(entry, "Catalog",
                "a catalog that is made here is no secondary: expected no Type, or \"Catalog\": \"consumer\"", binder);
        if (entry.File is not null)
            Report(entry, "File", "a catalog that is made here has no file: it lists the zones with MemberOf", binder);
        if (entry.Node.Find("AllowUpdate") is not null)
            Report(entry, "AllowUpdate",
                "a catalog that is made here is not changed by UPDATE: it lists the zones with MemberOf", binder);
        if (entry.Name is { } name && name.Octets.Length > CatalogProducerOptions.MaxNameOctets)
            Report(entry, "Name",
                $"no room for members: expected at most {CatalogProducerOptions.MaxNameOctets} octets", binder);
        if (entry.MemberOf is not null)
            Report(entry, "MemberOf", "a catalog is no member of a catalog", binder);
    }

    private static void CheckConsumer(ZoneSettings entry, SettingsBinder binder)
    {
        IReadOnlyList<PeerAddress>? primaries = entry.Role == ZoneRole.Secondary ? entry.Primaries : null;
        if (entry.MemberTemplate is { } name)
        {
            if (TemplatesSetting.Find(name, entry, "MemberTemplate", binder) is not { } template) return;
            if (template.Role == ZoneRole.Primary)
                Report(entry, "MemberTemplate",
                    $"template \"{name}\" has Type primary: the members of a catalog are secondaries", binder);
            if (template.Primaries is { Count: > 0 }) return;
        }
        if (primaries is null)
            Report(entry, "MemberTemplate",
                "a catalog from a file needs a template with Primaries, which its members come from", binder);
    }

    private static void Report(ZoneSettings entry, string setting, string why, SettingsBinder binder) =>
        binder.Report(entry.Node.Find(setting) ?? entry.Node, $"{entry.Path}:{setting}: {why}");
}
