namespace Dns.Configuration;

/// <summary>The memory that the server may have.</summary>
public static class ServerMemory
{
    /// <summary>Per cent of the memory that the cache may take: zones, clients and the runtime need the rest.</summary>
    public const int MaxCachePercent = 80;

    /// <summary>
    /// The memory of the machine in bytes, or what a limit of the process leaves: <c>DOTNET_GCHeapHardLimit</c>, or
    /// without it three quarters of the limit of its cgroup.
    /// </summary>
    public static long Bytes { get; } = GC.GetGCMemoryInfo().TotalAvailableMemoryBytes;
}
