namespace Dns.Zones.Sources;

/// <summary>The totals of loading.</summary>
/// <param name="Loaded">Zones that were read and are served.</param>
/// <param name="Failed">Zones with errors; previous versions are still served.</param>
/// <param name="Records">Records in the read zones.</param>
public readonly record struct ZoneLoadSummary(int Loaded, int Failed, long Records, long MemoryBytes)
{
    /// <summary>Of the loaded zones, those whose file is not served because of a conflict.</summary>
    public int Conflicting { get; init; }

    /// <summary>Zones whose file is not served.</summary>
    public int NotTaken => Failed + Conflicting;

    /// <summary>New zones.</summary>
    public int Added { get; init; }

    /// <summary>Removed zones.</summary>
    public int Removed { get; init; }

    /// <summary>Memory of the removed zones in bytes.</summary>
    public long RemovedBytes { get; init; }

    /// <summary>The sum of two.</summary>
    public ZoneLoadSummary Plus(ZoneLoadSummary other) =>
        new(Loaded + other.Loaded, Failed + other.Failed, Records + other.Records, MemoryBytes + other.MemoryBytes)
        {
            Conflicting = Conflicting + other.Conflicting,
            Added = Added + other.Added,
            Removed = Removed + other.Removed,
            RemovedBytes = RemovedBytes + other.RemovedBytes,
        };
}
