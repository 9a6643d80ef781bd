namespace Dns.Reloading;

/// <summary>Loops of reloads that survive exceptions, by their labels in metrics.</summary>
public static class ReloadLoops
{
    /// <summary>The timer that returns memory after a reload.</summary>
    public const string MemoryTimer = "memory_timer";

    /// <summary>Watching zone files.</summary>
    public const string ZoneWatch = "zone_watch";

    /// <summary>Reloading after SIGHUP.</summary>
    public const string ReloadSignal = "reload_signal";

    /// <summary>All of them.</summary>
    public static IReadOnlyList<string> All { get; } =
        [MemoryTimer, ZoneWatch, ReloadSignal];
}
