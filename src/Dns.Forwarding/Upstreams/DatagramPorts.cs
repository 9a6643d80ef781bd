namespace Dns.Forwarding.Upstreams;

/// <summary>
/// The datagram sockets to one upstream: up to 1,024, opened on demand, selected at random for each query, replaced
/// after 64 queries and closed after an idle minute. A socket for each query would cost three more system calls,
/// several objects, and a descriptor for each query in flight. A random choice among so many ports is as hard to guess,
/// and rotation makes it useless to find one.
/// </summary>
internal sealed class DatagramPorts : IDisposable
{
    /// <summary>Ports are drawn from here up; below are those of services.</summary>
    private const int LowestPort = 32768;
    private const int Draws = 4;

    /// <summary>How long no socket is opened after several refusals in a row, which cost more than a query.</summary>
    private const long PauseAfterRefusals = 1000 * MonotonicClock.TicksPerMillisecond;

    /// <summary>The idle time after which a port is closed: its number could be found and attacked later.</summary>
    private const long IdleTimeout = 60_000 * MonotonicClock.TicksPerMillisecond;

    private static readonly TimeSpan Look = TimeSpan.FromSeconds(15);

    private readonly Upstream _upstream;
    private readonly UpstreamServices _services;
    private readonly DatagramPort?[] _ports;
    private readonly RandomOctets _random;
    private readonly ITimer _timer;
    private volatile NetworkFault? _refusal;
    private long _pausedUntil;
    private int _isTimerOn;
    private volatile bool _isClosed;

    /// <summary>Opens nothing yet.</summary>
    /// <param name="size">The maximum number of open ports.</param>
    internal DatagramPorts(Upstream upstream, UpstreamServices services, int size)
    {
        (_upstream, _services, _random, _ports) = (upstream, services, services.Random, new DatagramPort?[size]);
        _timer = services.Clock.Provider.CreateTimer(
            static ports => ((DatagramPorts)ports!).RetireIdle(), this, Timeout.InfiniteTimeSpan,
            Timeout.InfiniteTimeSpan);
    }

    /// <summary>A port with room for another query; null if none can be opened.</summary>
    /// <param name="fault">Why no new port could be opened; none if that was not necessary.</param>
    /// <param name="isFresh">Whether to prefer a new port.</param>
    internal DatagramPort? Choose(out NetworkFault? fault, bool isFresh = false)
    {
        long now = _services.Clock.Now;
        bool mayOpen = Volatile.Read(ref _pausedUntil) <= now;
        fault = mayOpen ? null : _refusal;
        for (int draw = 0; draw < Draws && !_isClosed; draw++)
        {
            ref DatagramPort? slot = ref _ports[_random.Below(_ports.Length)];
            DatagramPort? port = Volatile.Read(ref slot);
            if (!isFresh && port is not null && port.TryUse(now))
            {
                fault = null;
                return port;
            }
            // Without a route another local port is no better.
            bool isHopeless = !mayOpen || fault is { IsUnreachable: true };
            if (!isHopeless && Replace(ref slot, port, now, out fault) is { } opened) return opened;
        }
        if (mayOpen && !_isClosed && fault is not null) Pause(fault, now);
        return ChooseOpen(now);
    }

    /// <summary>
    /// A new port if possible, for a probe: it finds out at once whether a route is back, which ends the pause.
    /// </summary>
    internal DatagramPort? ChooseForProbe(out NetworkFault? fault)
    {
        if (_refusal is { IsUnreachable: true }) Volatile.Write(ref _pausedUntil, 0);
        return Choose(out fault, isFresh: true);
    }

    /// <summary>Closes idle ports now, others after their last query. Later queries use new ones.</summary>
    internal void Retire()
    {
        foreach (ref DatagramPort? slot in _ports.AsSpan()) Interlocked.Exchange(ref slot, null)?.Retire();
    }

    public void Dispose()
    {
        _isClosed = true;
        _timer.Dispose();
        foreach (ref DatagramPort? slot in _ports.AsSpan()) Interlocked.Exchange(ref slot, null)?.Dispose();
    }

    /// <summary>Takes a port that cannot send out of use.</summary>
    internal void Discard(DatagramPort port)
    {
        foreach (ref DatagramPort? slot in _ports.AsSpan())
        {
            if (Interlocked.CompareExchange(ref slot, null, port) != port) continue;
            port.Retire();
            return;
        }
    }

    /// <summary>Opens no port for a while, since a new one cannot send either.</summary>
    internal void Pause(NetworkFault fault) => Pause(fault, _services.Clock.Now);

    private void Pause(NetworkFault fault, long now)
    {
        _refusal = fault;
        Volatile.Write(ref _pausedUntil, now + PauseAfterRefusals);
        if (!fault.IsUnreachable) _services.SocketRefused(_upstream, fault);
    }

    private DatagramPort? Replace(ref DatagramPort? slot, DatagramPort? old, long now, out NetworkFault? fault)
    {
        DatagramPort port = new(_upstream);
        int localPort = LowestPort + _random.Below(65536 - LowestPort);
        if (!port.TryOpen(_services.Network, _upstream.Server, localPort, out fault)) return null;
        port.TryUse(now);
        if (Interlocked.CompareExchange(ref slot, port, old) == old) old?.Retire();
        else port.Retire();
        StartTimer();
        if (_isClosed) Dispose();
        return port;
    }

    private void StartTimer()
    {
        if (!_isClosed && Interlocked.Exchange(ref _isTimerOn, 1) == 0) _timer.Change(Look, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Closes ports that were idle for long, unless the system refuses sockets. Called by the timer.</summary>
    private void RetireIdle()
    {
        try
        {
            long now = _services.Clock.Now;
            bool isShort = now - Volatile.Read(ref _pausedUntil) < IdleTimeout;
            foreach (ref DatagramPort? slot in _ports.AsSpan())
            {
                DatagramPort? port = Volatile.Read(ref slot);
                if (port is not null && !isShort && port.IsIdleSince(now - IdleTimeout)
                    && Interlocked.CompareExchange(ref slot, null, port) == port)
                    port.Retire();
            }
        }
        catch (Exception error)
        {
            _services.Exceptions.Report(OutgoingLoops.UpstreamTimer, error, default);
        }
        Interlocked.Exchange(ref _isTimerOn, 0);
        // Checked afterwards, so that a port opened meanwhile is not missed.
        if (Array.Exists(_ports, static port => port is not null)) StartTimer();
    }

    /// <summary>If no more can be opened, open ports are used beyond their number of queries.</summary>
    private DatagramPort? ChooseOpen(long now)
    {
        int start = _random.Below(_ports.Length);
        for (int i = 0; i < _ports.Length && !_isClosed; i++)
            if (Volatile.Read(ref _ports[(start + i) % _ports.Length]) is { } port &&
                port.TryUse(now, evenIfExhausted: true))
                return port;
        return null;
    }
}
