namespace Dns.Zones;

/// <summary>
/// How large one name of a zone may be. The cost of a lookup grows with the types of a name, the cost of a response with
/// the records of a type, and both are under the control of the zone's author.
/// </summary>
/// <param name="RecordsPerType">The most records of one type at a name, 1 to 65,535.</param>
/// <param name="TypesPerName">The most types at a name, 1 to 65,535. RRSIG does not count: it comes with the type it covers.</param>
public readonly record struct ZoneLimits(int RecordsPerType, int TypesPerName)
{
    /// <summary>The greatest value of either: an RRset and a name count in 16 bits.</summary>
    public const int Most = ushort.MaxValue;

    /// <summary>The limits where none are set.</summary>
    public static ZoneLimits Default { get; } = new(Most, 100);
}
