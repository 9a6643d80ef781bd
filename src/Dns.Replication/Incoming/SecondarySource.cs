using System.Collections.Concurrent;

namespace Dns.Replication.Incoming;

/// <summary>
/// Secondary zones: loaded from disk at the start, refreshed by their SOA timers or NOTIFY, transferred when a primary
/// has a newer version, and expired when too old (RFC 1034 §4.3.5, RFC 1035 §3.3.13, RFC 1995, RFC 1996, RFC 5936, RFC
/// 7314). A zone is a slot and an entry in one heap. <see cref="SecondaryOptions"/> limits concurrent queries and
/// transfers; other zones wait in a queue. On any failure the current version is served until it expires. Thread-safe.
/// </summary>
public sealed partial class SecondarySource : IZoneSource, IDisposable
{
    private readonly ConcurrentDictionary<DomainName, SecondaryZone> _zones = [];
    private readonly Lock _gate = new();
    private readonly IZoneCopies _copies;
    private readonly ISecondaryObserver _observer;
    private readonly MonotonicClock _clock;
    private readonly TimingWheel _wheel;
    private readonly RefreshSchedule _schedule;
    private readonly PrimaryClient _client;
    private readonly Random _random;
    private readonly Action<Action> _run;
    private readonly string _words;
    private readonly CancellationTokenSource _stopping = new();
    private volatile SecondaryOptions _options;
    private ZoneRegistry? _registry;

    /// <summary>Creates a source without zones.</summary>
    /// <param name="words">A description of the source.</param>
    /// <param name="random">For reproducible runs; null = unpredictable.</param>
    /// <param name="run">Runs work; null = the thread pool.</param>
    public SecondarySource(
        string words, SecondaryOptions options, IZoneCopies copies, IOutgoingNetwork network,
        ISecondaryObserver observer, TimeProvider time, Random? random = null, Action<Action>? run = null)
    {
        (_words, _options, _copies, _observer) = (words, options, copies, observer);
        _clock = new MonotonicClock(time);
        _wheel = new TimingWheel(_clock);
        _schedule = new RefreshSchedule(_clock, OnTime);
        _client = new PrimaryClient(network, _clock, _wheel, random);
        _random = random ?? Random.Shared;
        _run =
            run ?? (static work => ThreadPool.UnsafeQueueUserWorkItem(static work => work(), work, preferLocal: false));
    }

    /// <summary>Options of all zones; may be replaced at any time.</summary>
    public SecondaryOptions Options
    {
        get => _options;
        set
        {
            _options = value;
            StartDue();
        }
    }

    /// <summary>The counters.</summary>
    public SecondaryCounters Counters { get; } = new();

    /// <summary>All zones, in no order.</summary>
    public IEnumerable<SecondaryZone> Zones => _zones.Values;

    /// <summary>The number of zones.</summary>
    public int ZoneCount => _zones.Count;

    /// <summary>Finds a zone; null if it is not one of these.</summary>
    public SecondaryZone? Find(DomainName zone) => _zones.GetValueOrDefault(zone);

    /// <inheritdoc/>
    public ZoneOrigin OriginOf(ZoneSlot slot) => new(_words, null) { IsGivenByName = true };

    /// <summary>Queries the primaries of zones, and waits until each is transferred, up to date or failed.</summary>
    public async Task<ZoneLoadSummary> ReloadAsync(
        IReadOnlyCollection<DomainName> zones, IZoneLoadObserver observer, CancellationToken cancellation)
    {
        SecondaryZone[] ours = [.. zones.Select(Find).OfType<SecondaryZone>()];
        IEnumerable<Task<TransferFailure?>> rounds =
            ours.Select(zone => RefreshAsync(zone, isRetransfer: false, cancellation));
        TransferFailure?[] failures = await Task.WhenAll(rounds).ConfigureAwait(false);
        ZoneLoadSummary summary = default;
        for (int i = 0; i < ours.Length; i++)
        {
            Zone? zone = ours[i].SourceZone;
            summary = summary.Plus(failures[i] is null && zone is not null
                ? new ZoneLoadSummary(1, 0, zone.RecordCount, zone.MemoryBytes) : new ZoneLoadSummary(0, 1, 0, 0));
        }
        return summary;
    }

    /// <summary>Queries the primaries of a zone now; null on success.</summary>
    /// <param name="isRetransfer">Whether to transfer the whole zone regardless of serials.</param>
    /// <param name="cancellation">Cancels the wait, not the refresh.</param>
    public Task<TransferFailure?> RefreshAsync(SecondaryZone zone, bool isRetransfer, CancellationToken cancellation)
    {
        TaskCompletionSource<TransferFailure?> waiter = new(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_gate)
        {
            if (zone.IsGone || _stopping.IsCancellationRequested)
                return Task
                    .FromResult<TransferFailure?>(new(TransferFailureKind.Cancelled, "the zone is no longer served"));
            zone.IsRetransfer |= isRetransfer;
            (zone.Waiters ??= []).Add(waiter);
            ScheduleCheck(zone, first: 0);
        }
        return waiter.Task.WaitAsync(cancellation);
    }

    /// <summary>
    /// Queries the primaries of all zones: another process had these zones, too, and may have served later versions.
    /// </summary>
    public void CatchUp()
    {
        foreach (SecondaryZone zone in Zones)
            lock (_gate) ScheduleCheck(zone, first: 0);
    }

    internal int ScheduledEntries => _schedule.Entries;

    /// <summary>Whether queries or transfers are running or queued.</summary>
    public bool IsBusy
    {
        get
        {
            lock (_gate) return _running + _transferring + _checks.Count + _transfers.Count > 0;
        }
    }

    /// <inheritdoc/>
    public async Task StopAsync(CancellationToken cancellation)
    {
        _schedule.Dispose();
        await _stopping.CancelAsync().ConfigureAwait(false);
        TaskCompletionSource idle;
        lock (_gate)
        {
            _checks.Clear();
            _transfers.Clear();
            idle = _idle ??= new(TaskCreationOptions.RunContinuationsAsynchronously);
            if (_running + _transferring == 0) idle.TrySetResult();
        }
        await idle.Task.WaitAsync(cancellation).ConfigureAwait(false);
        foreach (SecondaryZone zone in Zones) SaveTimes(zone);
    }

    /// <summary>Ends everything at once and stores nothing, like the end of the process.</summary>
    internal void Kill()
    {
        _schedule.Dispose();
        foreach (SecondaryZone zone in Zones)
            lock (_gate) zone.IsGone = true;
        _stopping.Cancel();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _schedule.Dispose();
        _wheel.Dispose();
        _stopping.Dispose();
    }

    internal ZoneReplica Describe(SecondaryZone zone)
    {
        DateTimeOffset now = _clock.Provider.GetUtcNow();
        long ticks = _clock.Now;
        lock (_gate)
        {
            return new ZoneReplica([.. zone.Primaries.Select(primary => primary.ToString())])
            {
                NextRefresh = zone.Activity == SecondaryActivity.Idle ? At(zone.RefreshDue) : null,
                Expires = zone.Held is null ? null : At(zone.ExpiresDue),
                ConfirmedAt = zone.ConfirmedAt,
                LastError = zone.LastFailure?.Message,
                TransferRecords = zone.Running?.Records,
                TransferOctets = zone.Running?.Octets,
            };
        }

        DateTimeOffset? At(long due) => due == long.MaxValue ? null : now.AddTicks(due - ticks);
    }
}
