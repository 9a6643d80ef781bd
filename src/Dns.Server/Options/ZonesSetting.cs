using Dns.Protocol;
using Dns.Zones;

namespace Dns.Server;

/// <summary>Reads <c>Dns:Zones</c>: entries with Name and File, or with Directory and Pattern, with AllowQuery and AllowTransfer.</summary>
internal static class ZonesSetting
{
    private const string AllowQuery = "AllowQuery";
    private const string AllowTransfer = "AllowTransfer";
    private static readonly string[] Keys = ["Name", "File", "Directory", "Pattern", AllowQuery, AllowTransfer];

    /// <summary>Reads the list.</summary>
    public static void Apply(SettingNode list, string path, SettingsBinder binder)
    {
        List<ZoneOptions> zones = new(list.Children.Count);
        Dictionary<DomainName, SettingPlace> seen = [];
        foreach (SettingNode element in list.Children)
        {
            string elementPath = path + ":" + element.Name;
            if (Read(element, elementPath, binder) is not { } zone) continue;
            if (element.Find(AllowQuery) is { } clients)
                zone = zone with { AllowQuery = new ClientNetworks(ClientsSetting.Read(clients, $"{elementPath}:{AllowQuery}", binder)) };
            if (element.Find(AllowTransfer) is { } peers)
                zone = zone with
                {
                    Policy = new ZonePolicy
                    {
                        AllowTransfer = new PeerList(PeerListSetting.Read(peers, $"{elementPath}:{AllowTransfer}", binder)),
                    },
                };
            if (zone.Name is null || seen.TryAdd(zone.Name, zone.Place)) zones.Add(zone);
            else binder.Report(element, $"{elementPath}: zone {zone.Name} is given twice, first at {seen[zone.Name]}");
        }
        binder.Options.Zones = zones;
    }

    private static ZoneOptions? Read(SettingNode entry, string path, SettingsBinder binder)
    {
        if (entry.Kind != SettingKind.Section)
        {
            binder.Expect(entry, path, "an object with Name and File, or with Directory and Pattern");
            return null;
        }
        bool good = true;
        foreach (SettingNode member in entry.Children)
        {
            string memberPath = path + ":" + member.Name;
            if (!Keys.Contains(member.Name, StringComparer.OrdinalIgnoreCase))
                binder.Unknown(member, memberPath, Keys);
            else if (member.Name.Equals(AllowQuery, StringComparison.OrdinalIgnoreCase))
            {
                if (member.Kind == SettingKind.List) continue;
                binder.Expect(member, memberPath, ClientsSetting.Expected);
            }
            else if (member.Name.Equals(AllowTransfer, StringComparison.OrdinalIgnoreCase))
            {
                if (member.Kind == SettingKind.List) continue;
                binder.Expect(member, memberPath, PeerListSetting.Expected);
            }
            else if (member.Kind is not (SettingKind.Text or SettingKind.Untyped) || member.Value!.Length == 0)
                binder.Expect(member, memberPath, "text");
            else
                continue;
            good = false;
        }
        if (!good) return null;
        string? name = entry.Find("Name")?.Value, file = entry.Find("File")?.Value;
        string? directory = entry.Find("Directory")?.Value, pattern = entry.Find("Pattern")?.Value;
        if (directory is not null && name is null && file is null)
            return new ZoneOptions(entry.Place, null, binder.Resolve(directory), pattern ?? ZoneOptions.AnyZone) { Key = path };
        if (directory is null && pattern is null && name is not null && file is not null)
            return ReadNamed(entry, path, name, file, binder);
        binder.Report(entry, $"{path}: expected either Name and File, or Directory and perhaps Pattern");
        return null;
    }

    private static ZoneOptions? ReadNamed(SettingNode entry, string path, string name, string file, SettingsBinder binder)
    {
        if (TryParseName(name, out DomainName? zone)) return new ZoneOptions(entry.Place, zone, binder.Resolve(file));
        binder.Expect(entry.Find("Name")!, path + ":Name", "a domain name in ASCII (international names as xn--...)");
        return null;
    }

    /// <summary>Says that a text is no name, and how an international one is written.</summary>
    public static string NotAName(string text) => $"\"{text}\" is not a domain name"
        + (System.Text.Ascii.IsValid(text) ? "" : " in ASCII (international names as xn--...)");

    /// <summary>Reads the name of a zone in presentation form; <c>.</c> is the root.</summary>
    public static bool TryParseName(
        string text, [System.Diagnostics.CodeAnalysis.NotNullWhen(true)] out DomainName? name)
    {
        name = null;
        return System.Text.Ascii.IsValid(text) && text != "@" && DomainName.TryParse(text, out name);
    }
}
