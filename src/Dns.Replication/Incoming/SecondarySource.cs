using System.Collections.Concurrent;
using Dns.Protocol;
using Dns.Transport.Outgoing;
using Dns.Zones;

namespace Dns.Replication;

/// <summary>
/// Zones that are copied from primaries: read from disk at the start, refreshed when their SOA says so or a primary notifies, transferred
/// when a primary has a newer version, and not served when they are too old (RFC 1034 §4.3.5, RFC 1035 §3.3.13, RFC 1995, RFC 1996,
/// RFC 5936, RFC 7314). Thread-safe.
/// </summary>
/// <remarks>
/// A zone is a slot and an entry in one heap. At most so many zones as <see cref="SecondaryOptions"/> says are asked for or transferred at
/// a time; the others wait in a queue. Whatever fails, the version that is here is served on until it expires.
/// </remarks>
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

    /// <summary>Makes a source without zones.</summary>
    /// <param name="words">Where the zones come from, in words.</param>
    /// <param name="options">What holds for all zones.</param>
    /// <param name="copies">Keeps them over restarts.</param>
    /// <param name="network">The way to primaries.</param>
    /// <param name="observer">Told what happens.</param>
    /// <param name="time">The clock.</param>
    /// <param name="random">For a run that has to go the same way again; null = nobody can guess what comes.</param>
    /// <param name="run">What work is handed to; null = the thread pool.</param>
    public SecondarySource(
        string words, SecondaryOptions options, IZoneCopies copies, PrimaryNetwork network, ISecondaryObserver observer, TimeProvider time,
        Random? random = null, Action<Action>? run = null)
    {
        (_words, _options, _copies, _observer) = (words, options, copies, observer);
        _clock = new MonotonicClock(time);
        _wheel = new TimingWheel(_clock);
        _schedule = new RefreshSchedule(_clock, OnTime);
        _client = new PrimaryClient(network, _clock, _wheel, random);
        _random = random ?? Random.Shared;
        _run = run ?? (static work => ThreadPool.UnsafeQueueUserWorkItem(static work => work(), work, preferLocal: false));
    }

    /// <summary>What holds for all zones; may be replaced at any time.</summary>
    public SecondaryOptions Options
    {
        get => _options;
        set
        {
            _options = value;
            Pump();
        }
    }

    /// <summary>What was counted.</summary>
    public SecondaryCounters Counters { get; } = new();

    /// <summary>All zones, in no order.</summary>
    public IEnumerable<SecondaryZone> Zones => _zones.Values;

    /// <summary>How many zones there are.</summary>
    public int ZoneCount => _zones.Count;

    /// <summary>A zone; null if it is none of these.</summary>
    public SecondaryZone? Find(DomainName zone) => _zones.GetValueOrDefault(zone);

    /// <inheritdoc/>
    public ZoneOrigin OriginOf(ZoneSlot slot) => new(_words, null) { IsGivenByName = true };

    /// <summary>Asks the primaries of some zones now, and waits until each was transferred, is up to date or has failed.</summary>
    public async Task<ZoneLoadSummary> ReloadAsync(
        IReadOnlyCollection<DomainName> zones, IZoneLoadObserver observer, CancellationToken cancellation)
    {
        SecondaryZone[] ours = [.. zones.Select(Find).OfType<SecondaryZone>()];
        IEnumerable<Task<TransferFailure?>> rounds = ours.Select(zone => RefreshAsync(zone, isRetransfer: false, cancellation));
        TransferFailure?[] failures = await Task.WhenAll(rounds).ConfigureAwait(false);
        ZoneLoadSummary summary = default;
        for (int i = 0; i < ours.Length; i++)
        {
            Zone? zone = ours[i].Zone;
            summary = summary.Plus(failures[i] is null && zone is not null
                ? new ZoneLoadSummary(1, 0, zone.RecordCount, zone.MemoryBytes) : new ZoneLoadSummary(0, 1, 0, 0));
        }
        return summary;
    }

    /// <summary>Asks the primaries of a zone now.</summary>
    /// <param name="zone">The zone.</param>
    /// <param name="isRetransfer">Whether the whole zone is wanted, whatever is here and whatever its serial.</param>
    /// <param name="cancellation">Ends the waiting, not the refresh.</param>
    /// <returns>Why it failed; null if it did not.</returns>
    public Task<TransferFailure?> RefreshAsync(SecondaryZone zone, bool isRetransfer, CancellationToken cancellation)
    {
        TaskCompletionSource<TransferFailure?> waiter = new(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_gate)
        {
            if (zone.IsGone || _stopping.IsCancellationRequested)
                return Task.FromResult<TransferFailure?>(new(TransferFailureKind.Cancelled, "the zone is no longer served"));
            zone.IsRetransfer |= isRetransfer;
            (zone.Waiters ??= []).Add(waiter);
            AskSoon(zone, first: 0);
        }
        return waiter.Task.WaitAsync(cancellation);
    }

    /// <summary>Entries of the heap of times.</summary>
    internal int ScheduledEntries => _schedule.Entries;

    /// <summary>Whether anything is asked, transferred or waits for it.</summary>
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

    /// <summary>Ends everything at once and keeps nothing, as the end of the process does.</summary>
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

    /// <summary>How a zone does, for those who show it.</summary>
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
