namespace Dns.Configuration;

/// <summary>Where a setting of a zone may be written.</summary>
[Flags]
internal enum ZoneRuleScopes : byte
{
    /// <summary>In an entry of one zone.</summary>
    Zone = 1,

    /// <summary>In an entry of a directory, for each of its zones.</summary>
    Directory = 2,

    /// <summary>In a template.</summary>
    Template = 4,

    /// <summary>In all of them.</summary>
    Everywhere = Zone | Directory | Template,
}

/// <summary>
/// What one setting of a zone may be, and where its value goes: a row of <see cref="ZoneSettingsTable"/>.
/// </summary>
/// <param name="Name">The key, as documented.</param>
/// <param name="Scopes">Where it may be written.</param>
/// <param name="Read">Reads the value.</param>
internal sealed record ZoneRule(string Name, ZoneRuleScopes Scopes, ZoneRule.Reader Read)
{
    /// <summary>Reads a value into the settings of a zone.</summary>
    /// <returns>False if it was reported why that cannot be done.</returns>
    public delegate bool Reader(SettingNode node, string path, SettingsBinder binder, ZoneSettings zone);

    /// <summary>The only kind of zone that it is for; null = any.</summary>
    public ZoneRole? Role { get; init; }
}
