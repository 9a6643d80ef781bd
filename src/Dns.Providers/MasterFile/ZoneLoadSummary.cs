namespace Dns.Providers;

/// <summary>What loading came to.</summary>
/// <param name="Loaded">Zones that are served.</param>
/// <param name="Failed">Zones that could not be loaded.</param>
/// <param name="Records">Records in the zones that are served.</param>
/// <param name="MemoryBytes">Bytes of memory that they take.</param>
public readonly record struct ZoneLoadSummary(int Loaded, int Failed, long Records, long MemoryBytes);
