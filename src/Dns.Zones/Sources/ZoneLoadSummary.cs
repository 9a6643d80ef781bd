namespace Dns.Zones;

/// <summary>What loading came to.</summary>
/// <param name="Loaded">Zones that were read and are served.</param>
/// <param name="Failed">Zones that could not be loaded; those that had data go on with it.</param>
/// <param name="Records">Records in the zones that were read.</param>
/// <param name="MemoryBytes">Bytes of memory that they take.</param>
public readonly record struct ZoneLoadSummary(int Loaded, int Failed, long Records, long MemoryBytes)
{
    /// <summary>Zones that were not there before.</summary>
    public int Added { get; init; }

    /// <summary>Zones that are no longer there.</summary>
    public int Removed { get; init; }

    /// <summary>Bytes of memory that those took.</summary>
    public long RemovedBytes { get; init; }

    /// <summary>The sum of two.</summary>
    public ZoneLoadSummary Plus(ZoneLoadSummary other) =>
        new(Loaded + other.Loaded, Failed + other.Failed, Records + other.Records, MemoryBytes + other.MemoryBytes)
        {
            Added = Added + other.Added,
            Removed = Removed + other.Removed,
            RemovedBytes = RemovedBytes + other.RemovedBytes,
        };
}
