using System.Runtime;
using Dns.Protocol;
using Dns.Zones;

namespace Dns.Server;

/// <summary>
/// Gives the memory of zones that were replaced back to the system. Serving allocates next to nothing, so that no collection
/// would do it later: the process would stay as large as it was in the worst moment of a reload.
/// </summary>
/// <remarks>
/// All threads stand still for a collection, tens of milliseconds with 100,000 zones. So it waits for the end of a row of
/// changes, and for enough of them. Thread-safe.
/// </remarks>
/// <param name="clock">Whose timer it is.</param>
/// <param name="collect">Collects; null = the collector of this process.</param>
/// <param name="exceptions">Where the timer reports unexpected exceptions.</param>
internal sealed class MemoryRelease(TimeProvider clock, Action? collect = null, IExceptionSink? exceptions = null) : IDisposable
{
    /// <summary>So much has to have been read before anything is collected.</summary>
    internal const long LeastBytes = 4 << 20;

    /// <summary>How long nothing has to have changed.</summary>
    internal static readonly TimeSpan Quiet = TimeSpan.FromSeconds(1);

    /// <summary>After this time it is done while changes go on.</summary>
    internal static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    // What a zone of a few records leaves behind besides its data: what reads and builds it.
    private const long ZoneBytes = 4 << 10;

    private readonly Action _collect = collect ?? Collect;
    private readonly Lock _lock = new();
    private ITimer? _timer;
    private long _bytes, _since;

    /// <summary>Takes note of zones that were read or taken away.</summary>
    public void OnChanged(ZoneLoadSummary summary)
    {
        lock (_lock)
        {
            bool wasDue = _bytes >= LeastBytes;
            _bytes += BytesOf(summary);
            if (_bytes < LeastBytes) return;
            if (!wasDue) _since = clock.GetTimestamp();
            TimeSpan rest = Patience - clock.GetElapsedTime(_since);
            _timer ??= clock.CreateTimer(
                exceptions ?? IExceptionSink.None, ServerLoop.MemoryTimer, Release, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
            _timer.Change(rest < Quiet ? Max(rest, TimeSpan.Zero) : Quiet, Timeout.InfiniteTimeSpan);
        }
    }

    /// <summary>The same after the first loading, when there are no queries to delay: at once.</summary>
    public void OnLoaded(ZoneLoadSummary summary)
    {
        if (BytesOf(summary) >= LeastBytes) _collect();
    }

    /// <inheritdoc/>
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

    /// <summary>Also what is free is given back, and what is large is moved together: anything less leaves half of it.</summary>
    private static void Collect()
    {
        GCSettings.LargeObjectHeapCompactionMode = GCLargeObjectHeapCompactionMode.CompactOnce;
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
    }
}
