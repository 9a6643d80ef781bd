using System.Runtime;

namespace Dns.Reloading.Zones;

/// <summary>
/// Returns the memory of replaced zones to the system. Serving allocates next to nothing, so no collection would happen
/// later: the process would keep the peak size of a reload.
/// </summary>
/// <remarks>
/// A collection stops all threads, tens of milliseconds with 100,000 zones. So it waits for the end of a series of
/// changes, and for enough of them. Thread-safe.
/// </remarks>
/// <param name="collect">Collects; null = the garbage collector.</param>
public sealed class MemoryRelease(TimeProvider clock, Action? collect = null,
    IExceptionSink? exceptions = null) : IDisposable
{
    /// <summary>The minimum size of read zones before a collection.</summary>
    internal const long LeastBytes = 4 << 20;

    /// <summary>The quiet period before a collection.</summary>
    internal static readonly TimeSpan Quiet = TimeSpan.FromSeconds(1);

    /// <summary>The maximum delay while changes continue.</summary>
    internal static readonly TimeSpan QuietTime = TimeSpan.FromSeconds(10);

    // The garbage of a small zone besides its data: that of reading and building it.
    private const long ZoneBytes = 4 << 10;

    private readonly Action _collect = collect ?? Collect;
    private readonly Lock _lock = new();
    private ITimer? _timer;
    private long _bytes, _since;

    /// <summary>Records read or removed zones.</summary>
    public void OnChanged(ZoneLoadSummary summary)
    {
        lock (_lock)
        {
            bool wasDue = _bytes >= LeastBytes;
            _bytes += BytesOf(summary);
            if (_bytes < LeastBytes) return;
            if (!wasDue) _since = clock.GetTimestamp();
            TimeSpan rest = QuietTime - clock.GetElapsedTime(_since);
            _timer ??= clock.CreateTimer(
                exceptions ?? IExceptionSink.None, ReloadLoops.MemoryTimer, Release, Timeout.InfiniteTimeSpan,
                Timeout.InfiniteTimeSpan);
            _timer.Change(rest < Quiet ? Max(rest, TimeSpan.Zero) : Quiet, Timeout.InfiniteTimeSpan);
        }
    }

    /// <summary>Collects at once after the first loading, when there are no queries to delay.</summary>
    public void OnLoaded(ZoneLoadSummary summary)
    {
        if (BytesOf(summary) >= LeastBytes) _collect();
    }

    public void Dispose()
    {
        lock (_lock) _timer?.Dispose();
    }

    private static long BytesOf(ZoneLoadSummary summary) =>
        summary.MemoryBytes + summary.RemovedBytes + ZoneBytes * (summary.Loaded + summary.Failed + summary.Removed);

    private static TimeSpan Max(TimeSpan one, TimeSpan other) => one > other ? one : other;

    private void Release()
    {
        lock (_lock) _bytes = 0;
        _collect();
    }

    /// <summary>Decommits free memory and compacts large objects; otherwise half of it would remain.</summary>
    private static void Collect()
    {
        GCSettings.LargeObjectHeapCompactionMode = GCLargeObjectHeapCompactionMode.CompactOnce;
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
    }
}
