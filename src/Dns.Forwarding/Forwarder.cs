using System.Net;
using Dns.Protocol;
using Dns.Transport.Outgoing;

namespace Dns.Forwarding;

/// <summary>
/// Asks others about names that are not ours, for clients that may, and remembers what they said. Thread-safe. What a worker
/// calls (<see cref="ZoneLabels"/>, <see cref="MayRecurse"/>, <see cref="TryAnswer"/>)
/// allocates nothing; nothing waits.
/// </summary>
/// <remarks>Owns its sockets, its timers and the cache, from the first question to <see cref="DisposeAsync"/>.</remarks>
public sealed class Forwarder : IAsyncDisposable
{
    /// <summary>
    /// The most queries that are sent to upstreams for one query of a client: for its question, for those its aliases lead to, with all
    /// retries and fallbacks, and for what it has refreshed.
    /// </summary>
    public const int MaxQueries = 10;

    /// <summary>The most of them for one question.</summary>
    public const int MaxQueriesForQuestion = UpstreamQuery.MaxSends;

    private readonly TimeProvider _clock;
    private readonly UpstreamServices _services;
    private readonly InFlightTable _table;
    private readonly TimingWheel _wheel;
    private readonly Lock _changing = new();
    private readonly HashSet<UpstreamRetirement> _retiring = [];
    private readonly ZoneRouting _routing = new();
    private int _isDisposed;
    private int _hasLackedSocket;

    /// <summary>Makes a forwarder; opens no socket before the first question.</summary>
    /// <param name="options">Zones, clients and limits.</param>
    /// <param name="clock">Gives timestamps and timers.</param>
    /// <param name="network">How to reach upstreams.</param>
    /// <param name="exceptions">Where timers and deferred replies report unexpected exceptions; null = nowhere.</param>
    /// <exception cref="ArgumentException">A zone is there twice, has no upstream or more than 32.</exception>
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
        _services = new(time, _wheel, random, network, OnLackedSocket)
        {
            Exceptions = exceptions ?? IExceptionSink.None,
            StateChanged = (upstream, wasDownFor) => UpstreamChanged?.Invoke(upstream.ToStatus(), wasDownFor),
        };
        _routing.Plan = ForwardingPlan.Of(options, _services, _routing);
        SocketsPerUpstream = options.SocketsPerUpstream;
        Cache = new(options.Cache, clock, _routing);
        _table = new(options, _services, Cache, Counters);
    }

    /// <summary>What is remembered.</summary>
    public AnswerCache Cache { get; }

    /// <summary>Now, for what is remembered.</summary>
    public long Timestamp => _clock.GetTimestamp();

    /// <summary>
    /// The zones that this server answers for by itself: upstreams are not believed about names in them. Null = none. To be set
    /// before the first question.
    /// </summary>
    public IServedZones? Served
    {
        get => _routing.Served;
        set => _routing.Served = value;
    }

    /// <summary>What was done so far.</summary>
    public ForwarderCounters Counters { get; } = new();

    /// <summary>Questions on their way.</summary>
    public int InFlight => _table.InFlight;

    /// <summary>Clients' queries that wait for an answer.</summary>
    public int Waiting => _table.Waiting;

    /// <summary>After what time an answer is no longer sent as a datagram to an address that is not proven.</summary>
    public TimeSpan LatestDatagram => _table.Options.LatestDatagram;

    /// <summary>The most datagram sockets open towards one upstream, of those that come now.</summary>
    public int SocketsPerUpstream { get; private set; }

    /// <summary>
    /// Told, the first time only, of an upstream for which the system gave no further socket. By any thread; must not block.
    /// </summary>
    public Action<IPEndPoint>? LackedSocket { get; set; }

    /// <summary>
    /// Told that an upstream is down, back (and how long it was down) or this server. By any thread, not under a lock; must not block.
    /// </summary>
    public Action<UpstreamStatus, TimeSpan>? UpstreamChanged { get; set; }

    /// <summary>How the upstreams are doing.</summary>
    public IReadOnlyList<UpstreamStatus> Upstreams => [.. Plan.Upstreams.Select(upstream => upstream.ToStatus())];

    /// <summary>Who is asked about what, and what of replies counts: what was kept by another is not to be told on.</summary>
    public ReadOnlySpan<byte> Origin => Plan.Origin;

    /// <summary>What is out of the pools and tables; 0 once nothing is on its way.</summary>
    internal int LeftBehind => _table.LeftBehind;

    /// <summary>Timers that are armed.</summary>
    internal int ArmedTimers => _wheel.Count;

    /// <summary>How many labels the longest forwarded zone has that holds a name; -1 if there is none, 0 for the root.</summary>
    /// <param name="name">The name.</param>
    /// <param name="skippedLabels">Labels of the name to leave out: 1 for a DS, which belongs to the zone above its name.</param>
    public int ZoneLabels(scoped ref readonly LookupName name, int skippedLabels = 0)
    {
        Plan.Names.Find(in name, skippedLabels, out int labels);
        return labels;
    }

    /// <summary>Whether a client may ask for what is forwarded.</summary>
    public bool MayRecurse(ref ClientAddress client) => Plan.Clients.Contains(ref client);

    /// <summary>Copies an answer that is remembered. One that is popular and about to end is asked for again, without waiting.</summary>
    /// <param name="question">What is asked.</param>
    /// <param name="timestamp">What <see cref="Timestamp"/> was a moment ago: read once for a batch of questions.</param>
    /// <param name="spent">
    /// Queries sent so far for the client's query; raised by those of a refresh. From <see cref="MaxQueries"/> on nothing is refreshed.
    /// </param>
    /// <param name="destination">Room for the records.</param>
    /// <param name="answer">
    /// What was copied; of a question that failed a moment ago, the old answer if there is one (RFC 8767 §5), or the failure.
    /// </param>
    /// <returns>
    /// <see cref="CacheState.Fresh"/>, <see cref="CacheState.Stale"/> or <see cref="CacheState.Failure"/> with an answer;
    /// <see cref="CacheState.Miss"/> without.
    /// </returns>
    public CacheState TryAnswer(
        scoped in Question question, long timestamp, ref int spent, Span<byte> destination, out RelayedAnswer answer)
    {
        CacheState state = Cache.TryCopy(in question, timestamp, destination, out answer, mayRefresh: spent < MaxQueries);
        if (state == CacheState.DueForRefresh)
        {
            if (FindZone(in question, out _) is { } due) Refresh(in question, due, ref spent);
            return CacheState.Fresh;
        }
        if (state == CacheState.Failure && answer.Error is ExtendedErrorCode.StaleAnswer or ExtendedErrorCode.StaleNxDomain)
            return CacheState.Stale;
        if (state is not (CacheState.Miss or CacheState.Stale)) return state;
        ZoneUpstreams? zone = FindZone(in question, out int labels);
        if (Cache.TryCopyAbove(in question, labels, destination, out answer)) return CacheState.Fresh;
        // What has expired is asked for first; who waits gets it if no answer comes in time. Where none can come he gets it now.
        if (state == CacheState.Miss || zone is null || !(zone.IsDown || _table.IsFull)
            || !Cache.TryCopyStale(in question, destination, out answer))
            return CacheState.Miss;
        if (zone.HasRoom && spent < MaxQueries) Refresh(in question, zone, ref spent);
        return CacheState.Stale;
    }

    /// <summary>Whether somebody who asks a question now waits for an answer; if not, all upstreams for it are down.</summary>
    public bool WouldWait(scoped in Question question) =>
        FindZone(in question, out _) is not { IsDown: true } || _table.Options.AnswerWithinWhileDown > TimeSpan.Zero;

    /// <summary>Has a question asked, or joins those who wait for its answer.</summary>
    /// <param name="question">A question of a QUERY. Its name is copied.</param>
    /// <param name="client">Who asks.</param>
    /// <param name="waiter">Told exactly once if the result is <see cref="AskResult.Joined"/>, possibly before the call returns.</param>
    /// <param name="spent">Queries sent so far for the client's query: less than <see cref="MaxQueries"/>.</param>
    public AskResult Ask(scoped in Question question, ref ClientAddress client, IAnswerWaiter waiter, int spent = 0)
    {
        ZoneUpstreams? zone = IsForwardable(question.Type, question.Class) ? FindZone(in question, out _) : null;
        return zone is null ? AskResult.NotForwarded : _table.Ask(in question, ref client, zone, waiter, LimitOf(spent));
    }

    /// <summary>
    /// Goes on with other zones, upstreams, clients, limits and times. Questions on their way end as they began. What is remembered
    /// stays, but below zones that have come or gone or have none of their upstreams left: that somebody else has said; and where
    /// other rules say what of replies counts.
    /// </summary>
    /// <param name="options">The options; the size of the cache and where this server listens stay what they were.</param>
    /// <returns>Whether other zones or upstreams are asked now.</returns>
    /// <exception cref="ArgumentException">As of the constructor; then nothing has changed.</exception>
    public bool Use(ForwarderOptions options)
    {
        lock (_changing)
        {
            ForwardingPlan before = Plan, plan = ForwardingPlan.Of(options, _services, _routing, before);
            SocketsPerUpstream = options.SocketsPerUpstream;
            Cache.Use(options.Cache);
            _table.Use(options);
            _routing.Plan = plan;
            Cache.FlushBelow(before.GiveWayTo(plan));
            foreach (Upstream upstream in before.Upstreams.Except(plan.Upstreams)) Retire(upstream, options.Deadline);
            return !ReferenceEquals(before.Upstreams, plan.Upstreams);
        }
    }

    /// <summary>Takes no more questions; those on their way end at once, their waiters told that there is no answer.</summary>
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

    /// <summary>Data types alone: transfers move zones, meta types are between neighbours, ANY is a question like any other.</summary>
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

    private void OnLackedSocket(IPEndPoint upstream)
    {
        Counters.CountLackedSocket();
        if (Interlocked.Exchange(ref _hasLackedSocket, 1) == 0) LackedSocket?.Invoke(upstream);
    }

    /// <summary>Has a question asked for the cache alone. Nobody is told what it took, so all that it may take counts.</summary>
    private void Refresh(scoped in Question question, ZoneUpstreams zone, ref int spent)
    {
        int limit = LimitOf(spent);
        spent += limit;
        Counters.CountRefreshed();
        _table.Refresh(in question, zone, limit);
    }

    /// <summary>Queries that may be sent for one more question.</summary>
    private static int LimitOf(int spent) => Math.Clamp(MaxQueries - spent, 1, MaxQueriesForQuestion);
}
