namespace Dns.Forwarding;

/// <summary>
/// Forwards questions about names that are not served here, for permitted clients, and caches the answers. Thread-safe.
/// Calls from workers (<see cref="ZoneLabels"/>, <see cref="MayRecurse"/>, <see cref="TryAnswer"/>) allocate nothing
/// and never wait.
/// </summary>
/// <remarks>Owns its sockets, timers and cache until <see cref="DisposeAsync"/>.</remarks>
public sealed class Forwarder : IAsyncDisposable
{
    /// <summary>Maximum upstream queries for a client query: question, alias targets, retries and prefetches.</summary>
    public const int MaxQueries = 10;

    /// <summary>The maximum number of upstream queries for one question.</summary>
    public const int MaxQueriesForQuestion = UpstreamQuery.MaxSends;

    private readonly TimeProvider _clock;
    private readonly UpstreamServices _services;
    private readonly InFlightTable _table;
    private readonly TimingWheel _wheel;
    private readonly Lock _changing = new();
    private readonly HashSet<UpstreamRetirement> _retiring = [];
    private readonly ZoneRouting _routing = new();
    private int _isDisposed;

    /// <summary>Creates a forwarder; sockets are opened at the first question.</summary>
    /// <param name="exceptions">Receives unexpected exceptions of timers and deferred replies; null = none.</param>
    /// <exception cref="ArgumentException">A zone is listed twice, has no upstream or more than 32.</exception>
    public Forwarder(
        ForwarderOptions options, TimeProvider clock, IOutgoingNetwork network, IExceptionSink? exceptions = null)
        : this(options, clock, network, new RandomOctets(), exceptions)
    {
    }

    internal Forwarder(
        ForwarderOptions options, TimeProvider clock, IOutgoingNetwork network, RandomOctets random,
        IExceptionSink? exceptions = null)
    {
        _clock = clock;
        MonotonicClock time = new(clock);
        _wheel = new(time, exceptions);
        _services = new(time, _wheel, random, network, OnSocketRefused)
        {
            Exceptions = exceptions ?? IExceptionSink.None,
            StateChanged = (upstream, wasDownFor) => UpstreamChanged?.Invoke(upstream.ToStatus(), wasDownFor),
        };
        _routing.Plan = ForwardingPlan.Of(options, _services, _routing);
        SocketsPerUpstream = options.SocketsPerUpstream;
        Cache = new(options.Cache, clock, _routing);
        _table = new(options, _services, Cache, Counters);
    }

    /// <summary>The cache.</summary>
    public AnswerCache Cache { get; }

    /// <summary>The current timestamp for the cache.</summary>
    public long Timestamp => _clock.GetTimestamp();

    /// <summary>Served zones: upstream answers about them are dropped; null = none. Set before any question.</summary>
    public IServedZones? Served
    {
        get => _routing.Served;
        set => _routing.Served = value;
    }

    /// <summary>Counters so far.</summary>
    public ForwarderCounters Counters { get; } = new();

    /// <summary>Questions in flight.</summary>
    public int InFlight => _table.InFlight;

    /// <summary>Client queries waiting for an answer.</summary>
    public int Waiting => _table.Waiting;

    /// <summary>The age of a query from which it is no longer answered by a datagram to an unproven address.</summary>
    public TimeSpan LatestDatagram => _table.Options.LatestDatagram;

    /// <summary>The maximum number of datagram sockets for each new upstream.</summary>
    public int SocketsPerUpstream { get; private set; }

    /// <summary>
    /// Called once for each upstream: the system had no socket for it, for lack of descriptors, memory or ports. On any
    /// thread; must not block.
    /// </summary>
    public Action<IPEndPoint, NetworkFault>? SocketRefused { get; set; }

    /// <summary>
    /// Called when an upstream goes down, comes back (with the time it was down) or is this server. On any thread,
    /// without a lock; must not block.
    /// </summary>
    public Action<UpstreamStatus, TimeSpan>? UpstreamChanged { get; set; }

    /// <summary>The status of the upstreams.</summary>
    public IReadOnlyList<UpstreamStatus> Upstreams => [.. Plan.Upstreams.Select(upstream => upstream.ToStatus())];

    /// <summary>The forwarded zones, in the order of the settings.</summary>
    public IReadOnlyList<ForwardZone> Zones => Plan.Zones;

    /// <summary>The configuration that cached answers depend on; a saved cache of another one is not loaded.</summary>
    public ReadOnlySpan<byte> Origin => Plan.Origin;

    /// <summary>Objects out of pools and tables; 0 when nothing is in flight.</summary>
    internal int Outstanding => _table.Outstanding;

    /// <summary>The number of armed timers.</summary>
    internal int ArmedTimers => _wheel.Count;

    /// <summary>Label count of the longest forwarded zone that holds a name; -1 = none, 0 = the root.</summary>
    /// <param name="skippedLabels">Labels to skip: 1 for DS, which belongs to the parent zone.</param>
    public int ZoneLabels(scoped ref readonly LookupName name, int skippedLabels = 0)
    {
        Plan.Names.Find(in name, skippedLabels, out int labels);
        return labels;
    }

    /// <summary>
    /// Whether a forwarded alias must not lead to a record, wherever it is from: it has a private address, and
    /// <see cref="ForwarderOptions.DropPrivateAddresses"/> is set.
    /// </summary>
    /// <param name="rdata">Valid RDATA, uncompressed.</param>
    public bool Blocks(RRType type, ReadOnlySpan<byte> rdata) =>
        Plan.DropsPrivateAddresses && PrivateAddress.IsIn(type, rdata);

    /// <summary>Whether a client may use forwarding.</summary>
    public bool MayRecurse(ref ClientAddress client) => Plan.Clients.Contains(ref client);

    /// <summary>Whether all clients may.</summary>
    public bool IsForAll => Plan.Clients.HasAll;

    /// <summary>Copies a cached answer. A popular one that is about to expire is prefetched, without waiting.</summary>
    /// <param name="timestamp">A recent <see cref="Timestamp"/>, read once for a batch.</param>
    /// <param name="spent">Upstream queries sent so far; a prefetch, only below the maximum, adds to it.</param>
    /// <param name="answer">
    /// The copied answer; after a recent failure the stale answer if there is one (RFC 8767 §5), else the failure.
    /// </param>
    /// <returns>Fresh, Stale or Failure with an answer; Miss without.</returns>
    public CacheState TryAnswer(
        scoped in Question question, long timestamp, ref int spent, Span<byte> destination, out RelayedAnswer answer)
    {
        CacheState state =
            Cache.TryCopy(in question, timestamp, destination, out answer, mayRefresh: spent < MaxQueries);
        if (state == CacheState.DueForRefresh)
        {
            if (FindZone(in question, out _) is { } due) Refresh(in question, due, ref spent);
            return CacheState.Fresh;
        }
        if (state == CacheState.Failure && answer.IsStale) return CacheState.Stale;
        if (state is not (CacheState.Miss or CacheState.Stale)) return state;
        ZoneUpstreams? zone = FindZone(in question, out int labels);
        if (Cache.TryCopyAbove(in question, labels, destination, out answer)) return CacheState.Fresh;
        // A stale entry is refreshed first and given to waiters on timeout; it is given now if no upstream can answer.
        if (state == CacheState.Miss || zone is null || !(zone.IsDown || _table.IsFull)
            || !Cache.TryCopyStale(in question, destination, out answer))
            return CacheState.Miss;
        if (zone.HasRoom && spent < MaxQueries) Refresh(in question, zone, ref spent);
        return CacheState.Stale;
    }

    /// <summary>Whether a new query for a question would wait; if not, all upstreams for it are down.</summary>
    public bool WouldWait(scoped in Question question) =>
        FindZone(in question, out _) is not { IsDown: true } || _table.Options.AnswerWithinWhileDown > TimeSpan.Zero;

    /// <summary>Forwards a question, or joins an equal one in flight.</summary>
    /// <param name="question">A question of a QUERY. Its name is copied.</param>
    /// <param name="waiter">Completed exactly once if Joined is returned, possibly before the return.</param>
    /// <param name="spent">Upstream queries sent so far for the client's query: below <see cref="MaxQueries"/>.</param>
    /// <param name="waited">How long the client has waited so far.</param>
    public ForwardResult Forward(scoped in Question question, ref ClientAddress client, IAnswerWaiter waiter,
        int spent = 0, TimeSpan waited = default)
    {
        ZoneUpstreams? zone = IsForwardable(question.Type, question.Class) ? FindZone(in question, out _) : null;
        return zone is null
            ? ForwardResult.NotForwarded
            : _table.Forward(in question, ref client, zone, waiter, LimitOf(spent), waited);
    }

    /// <summary>
    /// Changes zones, upstreams, clients, limits and timeouts. Questions in flight end under the old ones. Cached
    /// answers stay, except below zones that were added, removed or share no upstream with before, or whose acceptance
    /// rules changed.
    /// </summary>
    /// <param name="options">The options; the cache size and the server's own addresses are not changed.</param>
    /// <returns>Whether zones or upstreams changed.</returns>
    /// <exception cref="ArgumentException">As for the constructor; then nothing has changed.</exception>
    public bool Use(ForwarderOptions options)
    {
        lock (_changing)
        {
            ForwardingPlan before = Plan, plan = ForwardingPlan.Of(options, _services, _routing, before);
            SocketsPerUpstream = options.SocketsPerUpstream;
            Cache.Use(options.Cache);
            _table.Use(options);
            _routing.Plan = plan;
            Cache.FlushBelow(before.ReplaceWith(plan));
            foreach (Upstream upstream in before.Upstreams.Except(plan.Upstreams)) Retire(upstream, options.Deadline);
            return !ReferenceEquals(before.Upstreams, plan.Upstreams);
        }
    }

    /// <summary>Accepts no more questions; those in flight end at once with a failure.</summary>
    public void Stop() => _table.Stop();

    /// <inheritdoc/>
    public ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) != 0) return ValueTask.CompletedTask;
        Stop();
        lock (_changing)
        {
            foreach (Upstream upstream in Plan.Upstreams) upstream.Dispose();
            foreach (UpstreamRetirement retirement in _retiring) retirement.Dispose();
            _retiring.Clear();
        }
        _wheel.Dispose();
        Cache.Dispose();
        return ValueTask.CompletedTask;
    }

    private ForwardingPlan Plan => _routing.Plan;

    /// <summary>Data types and ANY only: neither transfers nor meta-types are forwarded.</summary>
    internal static bool IsForwardable(RRType type, RRClass @class) =>
        @class == RRClass.IN && type is not (RRType.OPT or RRType.NXNAME or RRType.MAILA or RRType.MAILB)
        && (type < RRType.TKEY || type > RRType.AXFR) && type != 0;

    private ZoneUpstreams? FindZone(scoped in Question question, out int labels) =>
        Plan.Names.Find(in question.Name, ZoneRouting.SkippedLabels(in question.Name, question.Type), out labels);

    /// <summary>Closes an upstream once nothing waits for it. Under the lock.</summary>
    private void Retire(Upstream upstream, TimeSpan deadline)
    {
        UpstreamRetirement retirement = new(upstream, OnRetired);
        _retiring.Add(retirement);
        upstream.Ports.Retire();
        _wheel.Arm(retirement, _services.Clock.Now + 2 * deadline.Ticks);
    }

    private void OnRetired(UpstreamRetirement retirement)
    {
        lock (_changing) _retiring.Remove(retirement);
    }

    private void OnSocketRefused(Upstream upstream, NetworkFault fault)
    {
        Counters.CountRefusedSocket();
        if (upstream.IsFirstRefusal()) SocketRefused?.Invoke(upstream.Server.EndPoint, fault);
    }

    // Forwards a question for the cache alone. Its result is not reported, so its whole limit is counted.
    private void Refresh(scoped in Question question, ZoneUpstreams zone, ref int spent)
    {
        int limit = LimitOf(spent);
        spent += limit;
        Counters.CountRefreshed();
        _table.Refresh(in question, zone, limit);
    }

    /// <summary>The number of upstream queries left for another question.</summary>
    private static int LimitOf(int spent) => Math.Clamp(MaxQueries - spent, 1, MaxQueriesForQuestion);
}
