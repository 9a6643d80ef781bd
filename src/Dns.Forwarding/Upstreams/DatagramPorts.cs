using Dns.Protocol;
using Dns.Transport.Outgoing;

namespace Dns.Forwarding;

/// <summary>
/// The datagram sockets to one upstream: up to 1,024, opened as they are needed, drawn at random for each query and
/// replaced after 64 queries. One without a query for a minute is closed.
/// </summary>
/// <remarks>
/// A socket for each query would cost three system calls and several objects more, and as many descriptors as there are
/// queries on their way. Drawn from so many, the port of a query is as hard to guess; rotated, it is not worth finding out.
/// </remarks>
internal sealed class DatagramPorts : IDisposable
{
    /// <summary>Ports are drawn from here up; below are those of services, ours too.</summary>
    private const int LowestPort = 32768;
    private const int Draws = 4;

    /// <summary>How long no socket is asked for after several were refused in a row: to be refused costs more than a query.</summary>
    private const long PauseAfterRefusals = 1000 * MonotonicClock.TicksPerMillisecond;

    /// <summary>After how long without a query a port is closed: its number could be found out, and used the next time.</summary>
    private const long IdleTimeout = 60_000 * MonotonicClock.TicksPerMillisecond;

    private static readonly TimeSpan Look = TimeSpan.FromSeconds(15);

    private readonly Upstream _upstream;
    private readonly UpstreamServices _services;
    private readonly DatagramPort?[] _ports;
    private readonly RandomOctets _random;
    private readonly ITimer _timer;
    private long _pausedUntil;
    private int _isTimerOn;
    private volatile bool _isClosed;

    /// <summary>Opens nothing yet.</summary>
    /// <param name="upstream">Where the ports lead.</param>
    /// <param name="services">What is shared.</param>
    /// <param name="size">The most open at once.</param>
    internal DatagramPorts(Upstream upstream, UpstreamServices services, int size)
    {
        (_upstream, _services, _random, _ports) = (upstream, services, services.Random, new DatagramPort?[size]);
        _timer = services.Clock.Provider.CreateTimer(
            static ports => ((DatagramPorts)ports!).RetireIdle(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>A port with room for one more query; null if none can be opened.</summary>
    /// <param name="isFresh">Whether one that is open already will not do, unless no other can be opened.</param>
    internal DatagramPort? Choose(bool isFresh = false)
    {
        long now = _services.Clock.Now;
        bool mayOpen = Volatile.Read(ref _pausedUntil) <= now;
        for (int draw = 0; draw < Draws && !_isClosed; draw++)
        {
            ref DatagramPort? slot = ref _ports[_random.Below(_ports.Length)];
            DatagramPort? port = Volatile.Read(ref slot);
            if (!isFresh && port is not null && port.TryUse(now)) return port;
            if (mayOpen && Replace(ref slot, port, now) is { } opened) return opened;
        }
        if (mayOpen && !_isClosed)
        {
            Volatile.Write(ref _pausedUntil, now + PauseAfterRefusals);
            _services.LackedSocket(_upstream.Address);
        }
        return ChooseOpen(now);
    }

    /// <summary>Closes those that nobody waits at now, and the others once nobody does. Who still asks gets new ones.</summary>
    internal void Retire()
    {
        foreach (ref DatagramPort? slot in _ports.AsSpan()) Interlocked.Exchange(ref slot, null)?.Retire();
    }

    /// <summary>Closes all.</summary>
    public void Dispose()
    {
        _isClosed = true;
        _timer.Dispose();
        foreach (ref DatagramPort? slot in _ports.AsSpan()) Interlocked.Exchange(ref slot, null)?.Dispose();
    }

    private DatagramPort? Replace(ref DatagramPort? slot, DatagramPort? old, long now)
    {
        DatagramPort port = new(_upstream);
        if (!port.TryOpen(_services.Network, _upstream.Address, LowestPort + _random.Below(65536 - LowestPort))) return null;
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

    /// <summary>Closes what was idle for long; while the system refuses sockets it might be needed. Called by the timer.</summary>
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
            _services.Exceptions.Report(ServerLoop.UpstreamTimer, error, default);
        }
        Interlocked.Exchange(ref _isTimerOn, 0);
        // Looked for after that, so that one opened meanwhile is not forgotten.
        if (Array.Exists(_ports, static port => port is not null)) StartTimer();
    }

    /// <summary>When no more can be opened, those that are serve on, beyond their number.</summary>
    private DatagramPort? ChooseOpen(long now)
    {
        int start = _random.Below(_ports.Length);
        for (int i = 0; i < _ports.Length && !_isClosed; i++)
            if (Volatile.Read(ref _ports[(start + i) % _ports.Length]) is { } port && port.TryUse(now, evenIfSpent: true))
                return port;
        return null;
    }
}
