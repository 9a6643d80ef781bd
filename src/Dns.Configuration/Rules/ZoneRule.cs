namespace Dns.Configuration.Rules;

/// <summary>Where a setting of a zone may be written.</summary>
[Flags]
internal enum ZoneRuleScopes : byte
{
    /// <summary>In an entry of one zone.</summary>
    Zone = 1,

    /// <summary>In an entry of a directory, for each of its zones.</summary>
    Directory = 2,

    Template = 4,

    Everywhere = Zone | Directory | Template,
}

/// <summary>A setting of a zone and where its value goes: a row of <see cref="ZoneSettingsTable"/>.</summary>
internal sealed record ZoneRule(string Name, ZoneRuleScopes Scopes, ZoneRule.Reader Read)
{
    /// <summary>Reads a value into the settings of a zone; false if it reported why it cannot.</summary>
    public delegate bool Reader(SettingNode node, string path, SettingsBinder binder, ZoneSettings zone);

    /// <summary>The only kind of zone that it is for; null = any.</summary>
    public ZoneRole? Role { get; init; }
}
