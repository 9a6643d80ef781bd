namespace Dns.Zones.Lookup;

/// <summary>Prefetches memory into the processor's caches. Never faults.</summary>
public static class MemoryHint
{
    /// <summary>Prefetches a cache line, without waiting for it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Prefetch(ref readonly ulong address) => ZoneMemory.Prefetch(ref Unsafe.AsRef(in address));
}
