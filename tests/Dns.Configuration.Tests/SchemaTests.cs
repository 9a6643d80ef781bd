using System.Reflection;
using System.Text.Json.Nodes;

namespace Dns.Configuration.Tests;

/// <summary>The schema, the rules and the types of the options say the same.</summary>
public class SchemaTests
{
    /// <summary>The options of each section, and its name; that of the whole is empty.</summary>
    public static TheoryData<Type, string> Sections => new()
    {
        { typeof(ServerOptions), "" },
        { typeof(TransferOptions), "Transfer" },
        { typeof(ControlOptions), "Control" },
        { typeof(ReloadOptions), "Reload" },
        { typeof(UdpOptions), "Udp" },
        { typeof(TcpLimits), "Tcp" },
        { typeof(CookieOptions), "Cookies" },
        { typeof(RateLimitOptions), "RateLimit" },
        { typeof(ProxyOptions), "Proxy" },
        { typeof(ForwarderOptions), "Recursion" },
        { typeof(CacheOptions), "Cache" },
        { typeof(AdminOptions), "Admin" },
        { typeof(TelemetryOptions), "Telemetry" },
        { typeof(LogOptions), "Log" },
        { typeof(QueryLogOptions), "QueryLog" },
        { typeof(DnstapOptions), "Dnstap" },
    };

    private static readonly JsonNode Schema = SettingsPages.Schema;

    private static JsonObject Properties(JsonNode section) => section["properties"]!.AsObject();

    /// <summary>
    /// The property of a setting: of the type of its section, with or without the unit of a time in its name, or of the
    /// whole, with the section's name before its own.
    /// </summary>
    private static (object Owner, PropertyInfo Property)? Find(Type options, string section, string setting)
    {
        ServerOptions all = new();
        object owner = section.Length == 0 ? all : typeof(ServerOptions).GetProperty(section)!.GetValue(all)!;
        PropertyInfo? property = options.GetProperty(setting)
            ?? options.GetProperties()
                .FirstOrDefault(one => one.PropertyType == typeof(TimeSpan) && UnitOf(one, setting) > TimeSpan.Zero);
        if (property is not null) return (owner, property);
        return typeof(ServerOptions).GetProperty(section + setting) is { } ofAll && section.Length > 0
            ? (all, ofAll) : null;
    }

    /// <summary>The unit that the name of a setting adds to that of its property; zero for another suffix.</summary>
    private static TimeSpan UnitOf(PropertyInfo property, string setting) =>
        setting == property.Name + "Seconds" ? TimeSpan.FromSeconds(1)
            : setting == property.Name + "Ms" ? TimeSpan.FromMilliseconds(1) : TimeSpan.Zero;

    [Theory]
    [MemberData(nameof(Sections))]
    public void Schema_rules_and_options_have_the_same_settings(Type options, string section)
    {
        JsonNode schema = Properties(Schema)["Dns"]!;
        SectionRule rules = SettingsTable.Dns;
        if (section.Length > 0)
        {
            schema = Properties(schema)[section]!;
            rules = (SectionRule)rules.Members.Single(rule => rule.Name == section);
        }
        string[] names = [.. rules.Members.Select(rule => rule.Name).Order()];
        Assert.Equal(names, Properties(schema).Select(property => property.Key).Order());
        Assert.All(names, name => Assert.NotNull(Find(options, section, name)));
        // Only the program's own properties are settings; a part may have further ones.
        if (options.Namespace == "Dns.Server")
            Assert.Equal(names, SettingsOf(options).Select(property => property.Name).Order());
        Assert.False((bool)schema["additionalProperties"]!);
        Assert.All(Properties(schema), property => Assert.NotNull(property.Value!["description"]));
    }

    /// <summary>Properties that are settings: not derived, fixed or sections.</summary>
    private static IEnumerable<PropertyInfo> SettingsOf(Type type) =>
        type.GetProperties(BindingFlags.Public | BindingFlags.Instance)
            .Where(property => property.CanWrite || property.PropertyType.Namespace == "Dns.Server")
            .Where(property => type != typeof(ServerOptions) || !SettingsTable.Dns.Members.OfType<SectionRule>()
                .Any(section => section.Members.Any(rule => property.Name == section.Name + rule.Name)));

    [Theory]
    [MemberData(nameof(Sections))]
    public void Defaults_of_the_schema_are_those_of_the_options(Type options, string section)
    {
        JsonNode schema = Properties(Schema)["Dns"]!;
        if (section.Length > 0) schema = Properties(schema)[section]!;
        foreach ((string name, JsonNode? setting) in Properties(schema).Where(one => one.Value!["properties"] is null))
        {
            (object owner, PropertyInfo property) = Find(options, section, name)!.Value;
            string value = property.GetValue(owner) switch
            {
                null => "null",
                IEnumerable<System.Net.IPEndPoint> list => string.Join(",", list),
                TimeSpan time when UnitOf(property, name) is var unit && unit > TimeSpan.Zero => $"{time / unit}",
                TimeSpan time => DurationRule.Format(time),
                long bytes => SizeRule.Format(bytes).ToLowerInvariant(),
                System.Collections.IEnumerable list and not string => string.Join(",", list.Cast<object>()),
                object other => other.ToString()!.ToLowerInvariant(),
            };
            JsonNode? expected = setting!["default"];
            string shown = expected is JsonArray array ? string.Join(",", array)
                : expected is JsonObject ? "" : expected?.ToString().ToLowerInvariant() ?? "null";
            Assert.Equal((name, value), (name, shown));
        }
    }

    [Fact]
    public void Ranges_of_the_schema_are_those_of_the_rules()
    {
        AssertRanges(SettingsTable.Dns, Properties(Schema)["Dns"]!);

        static void AssertRanges(SectionRule section, JsonNode schema)
        {
            foreach (SettingRule rule in section.Members)
            {
                JsonNode property = Properties(schema)[rule.Name]!;
                if (rule is SectionRule inner) AssertRanges(inner, property);
                if (rule is NumberRule number)
                    Assert.Equal((rule.Name, number.Least, number.Most),
                        (rule.Name, (int)property["minimum"]!, (int)property["maximum"]!));
                if (rule is ChoiceRule choice)
                    Assert.Equal(choice.Choices, property["enum"]!.AsArray().Select(value => (string)value!));
                if (rule is TextRule)
                    Assert.Equal(TextRule.MaxOctets, (int)property["maxLength"]!);
            }
        }
    }

    [Theory]
    [InlineData("Zone", ZoneRuleScopes.Zone)]
    [InlineData("Directory", ZoneRuleScopes.Directory)]
    [InlineData("Template", ZoneRuleScopes.Template)]
    internal void Schema_and_rules_have_the_same_settings_of_a_zone(string definition, ZoneRuleScopes scope)
    {
        JsonNode schema = Schema["$defs"]![definition]!;
        Assert.Equal(
            ZoneSettingsTable.Rules.Where(rule => rule.Scopes.HasFlag(scope)).Select(rule => rule.Name).Order(),
            Properties(schema).Select(property => property.Key).Order());
        Assert.False((bool)schema["additionalProperties"]!);
        Assert.All(Properties(schema),
            property => Assert.NotNull(SettingsPages.Resolve(property.Value!)["description"]));
    }

    [Theory]
    [InlineData("Dns:Zones:0:AllowQuery:1", true)]
    [InlineData("Dns:Templates:ours:Notify:0", true)]
    [InlineData("Dns:Transfer:MaxIncoming", true)]
    [InlineData("dns:ratelimit:exempt:0", true)]
    [InlineData("Dns:Cookies:Secrets:0", true)]
    [InlineData("Dns:Proxy:From:0", true)]
    [InlineData("Dns:Cache:MaxBytes", false)]
    [InlineData("Dns:Listen:0", false)]
    [InlineData("Dns", false)]
    [InlineData("Serilog:Identity", false)]
    public void What_is_below_a_live_setting_is_live(string key, bool isLive) =>
        Assert.Equal(isLive, SettingsTable.IsLive(key));
}
