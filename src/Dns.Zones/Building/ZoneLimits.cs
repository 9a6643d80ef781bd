namespace Dns.Zones.Building;

/// <summary>
/// Limits of one name of a zone. The cost of a lookup grows with the types of a name, the cost of a response with the
/// records of a type; the zone's author controls both.
/// </summary>
/// <param name="RecordsPerType">Maximum records of one type at a name, 1 to 65,535.</param>
/// <param name="TypesPerName">Maximum types at a name, 1 to 65,535; RRSIG does not count.</param>
public readonly record struct ZoneLimits(int RecordsPerType, int TypesPerName)
{
    /// <summary>The greatest value of either: both counts have 16 bits.</summary>
    public const int Most = ushort.MaxValue;

    /// <summary>The default limits.</summary>
    public static ZoneLimits Default { get; } = new(Most, 100);
}
