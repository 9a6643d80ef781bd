namespace Dns.Configuration.Rules;

/// <summary>Where a setting of a zone may be written.</summary>
[Flags]
public enum ZoneRuleScopes : byte
{
    /// <summary>In an entry of one zone.</summary>
    Zone = 1,

    /// <summary>In an entry of a directory, for each of its zones.</summary>
    Directory = 2,

    Template = 4,

    Everywhere = Zone | Directory | Template,
}

/// <summary>A setting of a zone, and where it may be written.</summary>
public sealed record ZoneRule(Setting<ZoneSettings> Setting, ZoneRuleScopes Scopes)
{
    /// <summary>The only kind of zone that it is for; null = any.</summary>
    public ZoneRole? Role { get; init; }
}
