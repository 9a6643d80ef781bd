using System.Text.Json.Nodes;

namespace Dns.Configuration.SettingTypes;

/// <summary>The settings of a zone: of an entry of one zone, of an entry of a directory, and of a template.</summary>
public static class ZoneSettingsTable
{
    private const ZoneRuleScopes OfZones = ZoneRuleScopes.Zone | ZoneRuleScopes.Template;
    private const string ExpectedDnssec = "default, off, off-now, or the name of a policy in Dns:DnssecPolicies";

    private static readonly ZoneSettings None = new(new SettingNode("", SettingKind.Null, null, default), "");
    private static readonly List<ZoneRule> All = [];

    private static readonly SettingValue<ZoneRole> Roles = Choice(
        [("primary", ZoneRole.Primary), ("secondary", ZoneRole.Secondary)], ForeignSettingNames.FindZoneType);

    private static readonly SettingValue<CatalogRole> CatalogRoles =
        Choice([("producer", CatalogRole.Producer), ("consumer", CatalogRole.Consumer)]);

    private static readonly SettingValue<string> File = TextOf("text", (name, binder) => binder.Resolve(name));
    private static readonly SettingValue<string> TemplateName = TextOf("the name of a template in Dns:Templates");

    private static readonly SettingValue<string> GroupName = new SettingValue<string>("string",
        $"text of 1 to {MaxTextOctets} octets", $"text of 1 to {MaxTextOctets} octets", (node, _, _, out group) =>
            (group = node.Value) is { Length: > 0 } && Encoding.UTF8.GetByteCount(group) <= MaxTextOctets, Write)
        .Limit("minLength", 1).Limit("maxLength", MaxTextOctets);

    public static SettingsSection<ZoneSettings> Zone { get; } =
        new("N", "One zone.", None) { Required = ["Name"], Page = Page };

    public static SettingsSection<ZoneSettings> Directory { get; } =
        new("N", "Every zone file of a directory.", None) { Required = ["Directory"], Page = Page };

    public static SettingsSection<ZoneSettings> Template { get; } =
        new("NAME", "Settings that zones share.", None) { Page = Page };

    static ZoneSettingsTable()
    {
        Add("Name", ZoneRuleScopes.Zone, ZonesSetting.NameValue(), (zone, v) => zone.Name = v,
            "The name of the zone; \".\" is the root zone.", "example.com");
        Add("File", ZoneRuleScopes.Zone, File, (zone, v) => zone.File = v,
            "The zone file of a primary. A secondary has none: its copy is in Dns:StateDirectory.",
            "example.com.zone", role: ZoneRole.Primary);
        Add("Directory", ZoneRuleScopes.Directory, File, (zone, v) => zone.Directory = v,
            "A directory with a zone file for each zone, named after it.", "zones");
        Add("Pattern", ZoneRuleScopes.Directory, TextOf("text"), (zone, v) => zone.Pattern = v,
            "Which files of the directory are zone files, with * and ?. Files that dnsd zone sync keeps (FILE.bak, FILE.edited, FILE.edited.2) are none while FILE is there.", "*.db", get: _ => ZoneOptions.AnyZone);
        Add("Template", ZoneRuleScopes.Zone | ZoneRuleScopes.Directory, TemplateName, (zone, v) => zone.Template = v,
            "The template of Dns:Templates with the settings that are left out here.", "members");
        Add("Type", ZoneRuleScopes.Everywhere, Roles, (zone, v) => zone.Role = v,
            "primary = loaded from a zone file, secondary = transferred from its Primaries.",
            "secondary", get: _ => ZoneRole.Primary);
        Add("Primaries", OfZones, PeerAddressesSetting.Value, (zone, v) => zone.Primaries = v,
            "The servers that a secondary transfers from, tried in turn: ADDRESS, an optional port (53 when left out), and optionally \"key:\" and the name of a key.",
            Json("192.0.2.1 key:k1.example.", "[2001:db8::1]:5353"), role: ZoneRole.Secondary);
        Add("MinRefresh", OfZones, Time(ServerOptions.MostMinRefresh), (zone, v) => zone.MinRefresh = v,
            "The minimum time between two refreshes of a secondary. Left out = Dns:MinRefresh.",
            "5m", role: ZoneRole.Secondary);
        Add("Notify", ZoneRuleScopes.Everywhere, PeerAddressesSetting.Value, (zone, v) => zone.Notify = v,
            "Servers that get a NOTIFY when the zone has changed. Left out = Dns:Notify, empty = none.",
            Json("192.0.2.7 key:k1.example."));
        Add("AllowNotify", OfZones, PeerListSetting.Value, (zone, v) => zone.AllowNotify = v,
            "Who may send NOTIFY for a secondary. Left out = Dns:AllowNotify.",
            Json("192.0.2.1"), role: ZoneRole.Secondary);
        Add("AllowTransfer", ZoneRuleScopes.Everywhere, PeerListSetting.Value, (zone, v) => zone.AllowTransfer = v,
            "Who may transfer the zone by AXFR or IXFR. Left out = Dns:AllowTransfer, empty = no client.",
            Json("key:k1.example."));
        Add("AllowUpdate", ZoneRuleScopes.Everywhere, UpdateRulesSetting.Value, (zone, v) => zone.AllowUpdate = v,
            "Who may change a primary by UPDATE. Left out = Dns:AllowUpdate, empty = no client.",
            Json("key:k1.example."), role: ZoneRole.Primary);
        Add("AllowQuery", ZoneRuleScopes.Everywhere, Networks, (zone, v) => zone.AllowQuery = new ClientNetworks(v),
            "Networks of clients that are answered; others get REFUSED. Left out = all clients, empty = no client.",
            Json("10.0.0.0/8", "fd00::/8"));
        Add("Dnssec", ZoneRuleScopes.Everywhere, TextOf(ExpectedDnssec), (zone, v) => zone.Dnssec = v,
            "The policy by which this server signs the zone: \"default\", a name in Dns:DnssecPolicies, \"off\" or \"off-now\". off leaves a zone that was signed here signed until its DS records are gone from the parent and from caches; off-now serves it unsigned at once. Left out = off.", "default");
        Add("Catalog", OfZones, CatalogRoles, (zone, v) => zone.Catalog = v,
            "Whether the zone is a catalog (RFC 9432). producer = made of the zones with MemberOf; consumer = the zones that it lists are served.", "producer");
        Add("MemberTemplate", OfZones, TemplateName, (zone, v) => zone.MemberTemplate = v,
            "The template of the zones that a consumed catalog lists. Without Primaries there, those of the catalog are used.", "members");
        Add("MemberOf", ZoneRuleScopes.Everywhere, ZonesSetting.NameValue(), (zone, v) => zone.MemberOf = v,
            "The catalog zone, produced on this server, that lists the zone.", "catalog.example");
        Add("Group", ZoneRuleScopes.Everywhere, GroupName, (zone, v) => zone.Group = v,
            "The group of the zone in that catalog, 1 to 255 octets.", "signed");
    }

    public static IReadOnlyList<ZoneRule> Rules => All;

    private static string Page => "zone-settings.md";

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
                    Rules.Where(known => (known.Scopes & scopes) != 0).Select(known => known.Setting.Name));
            else if ((rule.Scopes & scopes) == 0)
                binder.Report(member, $"{memberPath}: {OutOfScope(rule.Setting.Name, scopes)}");
            else if (rule.Setting.TryRead(member, memberPath, binder, ref zone))
                continue;
            zone.IsGood = false;
        }
        return zone;
    }

    public static ZoneRule? Find(string name)
    {
        foreach (ZoneRule rule in Rules)
            if (rule.Setting.IsNamed(name)) return rule;
        return null;
    }

    private static string OutOfScope(string name, ZoneRuleScopes scopes) => scopes switch
    {
        ZoneRuleScopes.Template => $"a template does not have {name}: expected it in an entry of Dns:Zones",
        ZoneRuleScopes.Directory =>
            $"zones of a directory do not have {name}: expected either Name, or Directory and perhaps Pattern",
        _ => $"a zone with Name does not have {name}: expected either Name, or Directory and perhaps Pattern",
    };

    private static void Add<V>(
        string name, ZoneRuleScopes scopes, SettingValue<V> value, Action<ZoneSettings, V> set, string words,
        JsonNode example, ZoneRole? role = null, Func<ZoneSettings, V>? get = null)
    {
        ZoneSettings Set(ZoneSettings zone, V read)
        {
            set(zone, read);
            return zone;
        }
        SettingsSection<ZoneSettings>? last = null;
        foreach (var (section, scope) in new[]
            { (Zone, ZoneRuleScopes.Zone), (Directory, ZoneRuleScopes.Directory), (Template, ZoneRuleScopes.Template) })
            if (scopes.HasFlag(scope)) last = section.Add(name, value, get, Set, words, example);
        All.Add(new ZoneRule((Setting<ZoneSettings>)last!.Members[^1], scopes) { Role = role });
    }

    private static SettingValue<string> TextOf(string expected, Func<string, SettingsBinder, string>? map = null) =>
        new SettingValue<string>("string", expected, "text", (node, _, binder, out text) =>
        {
            text = node.Value;
            if (text is not { Length: > 0 } || text.Contains('\0')) return false;
            text = map?.Invoke(text, binder) ?? text;
            return true;
        }, Write).Limit("minLength", 1);

    private static JsonNode Write(string text) => text;
}
