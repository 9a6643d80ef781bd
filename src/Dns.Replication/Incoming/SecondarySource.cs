namespace Dns.Replication.Incoming;

/// <summary>
/// Secondary zones: loaded from disk at the start, refreshed by their SOA timers or NOTIFY, transferred when a primary
/// has a newer version, and expired when too old (RFC 1034 §4.3.5, RFC 1035 §3.3.13, RFC 1995, RFC 1996, RFC 5936, RFC
/// 7314). A zone is a slot and an entry in one heap. <see cref="SecondaryOptions"/> limits concurrent queries and
/// transfers; other zones wait in a queue. On any failure the current version is served until it expires. Thread-safe.
/// </summary>
public sealed partial class SecondarySource : IZoneSource, IDisposable
{
    private readonly SecondaryContext _context;
    private readonly RefreshRounds _rounds;
    private readonly RefreshAttempts _attempts;
    private readonly SecondaryVersions _versions;
    private readonly TimingWheel _wheel;
    private readonly Action<Action> _run;
    private readonly string _words;
    private ZoneRegistry? _registry;

    /// <summary>Creates a source without zones.</summary>
    /// <param name="words">A description of the source.</param>
    /// <param name="random">For reproducible runs; null = unpredictable.</param>
    /// <param name="run">Runs work; null = the thread pool.</param>
    public SecondarySource(
        string words, SecondaryOptions options, IZoneCopies copies, IOutgoingNetwork network,
        ISecondaryObserver observer, TimeProvider time, Random? random = null, Action<Action>? run = null)
    {
        _words = words;
        _run =
            run ?? (static work => ThreadPool.UnsafeQueueUserWorkItem(static work => work(), work, preferLocal: false));
        MonotonicClock clock = new(time);
        _wheel = new TimingWheel(clock);
        _context = new SecondaryContext(options, observer, clock, random ?? Random.Shared);
        _rounds = new RefreshRounds(
            _context, (zone, isTransfer) => isTransfer ? _attempts!.TransferAsync(zone) : _attempts!.QueryAsync(zone),
            (zone, failure) => _attempts!.Fail(zone, failure), zone => _versions!.Expire(zone), _run);
        _versions = new SecondaryVersions(_context, _rounds, copies);
        _attempts = new RefreshAttempts(
            _context, _rounds, _versions, new PrimaryClient(network, clock, _wheel, random));
    }

    /// <summary>Options of all zones; may be replaced at any time.</summary>
    public SecondaryOptions Options
    {
        get => _context.Options;
        set
        {
            _context.Options = value;
            _rounds.StartDue();
        }
    }

    /// <summary>The counters.</summary>
    public SecondaryCounters Counters => _context.Counters;

    /// <summary>
    /// Raised once a zone was loaded with deltas, from which IXFR can continue; under its lock, so that no version is
    /// published meanwhile.
    /// </summary>
    public event Action<ZoneSlot, IReadOnlyList<ZoneDelta>>? Restored
    {
        add => _versions.Restored += value;
        remove => _versions.Restored -= value;
    }

    /// <summary>All zones, in no order.</summary>
    public IEnumerable<SecondaryZone> Zones => _context.Zones.Values;

    /// <summary>The number of zones.</summary>
    public int ZoneCount => _context.Zones.Count;

    /// <summary>Finds a zone; null if it is not one of these.</summary>
    public SecondaryZone? Find(DomainName zone) => _context.Zones.GetValueOrDefault(zone);

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
        lock (_context.Gate)
        {
            if (zone.IsGone || _context.Stopping.IsCancellationRequested)
                return Task
                    .FromResult<TransferFailure?>(new(TransferFailureKind.Cancelled, "the zone is no longer served"));
            zone.IsRetransfer |= isRetransfer;
            (zone.Waiters ??= []).Add(waiter);
            _rounds.Schedule(zone, first: 0);
        }
        return waiter.Task.WaitAsync(cancellation);
    }

    /// <summary>
    /// Queries the primaries of all zones: another process had these zones, too, and may have served later versions.
    /// </summary>
    public void CatchUp()
    {
        foreach (SecondaryZone zone in Zones)
            lock (_context.Gate) _rounds.Schedule(zone, first: 0);
    }

    internal int ScheduledEntries => _rounds.ScheduledEntries;

    /// <summary>Whether queries or transfers are running or queued.</summary>
    public bool IsBusy => _rounds.IsBusy;

    /// <inheritdoc/>
    public async Task StopAsync(CancellationToken cancellation)
    {
        _rounds.Dispose();
        await _context.Stopping.CancelAsync().ConfigureAwait(false);
        await _rounds.StopAsync().WaitAsync(cancellation).ConfigureAwait(false);
        foreach (SecondaryZone zone in Zones) _versions.SaveTimes(zone);
    }

    /// <summary>Ends everything at once and stores nothing, like the end of the process.</summary>
    internal void Kill()
    {
        _rounds.Dispose();
        foreach (SecondaryZone zone in Zones)
            lock (_context.Gate) zone.IsGone = true;
        _context.Stopping.Cancel();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _rounds.Dispose();
        _wheel.Dispose();
        _context.Stopping.Dispose();
    }

    internal ZoneReplica Describe(SecondaryZone zone)
    {
        DateTimeOffset now = _context.UtcNow;
        long ticks = _context.Clock.Now;
        lock (_context.Gate)
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
