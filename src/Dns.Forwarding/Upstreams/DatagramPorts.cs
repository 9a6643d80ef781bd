namespace Dns.Forwarding;

/// <summary>
/// The datagram sockets to one upstream: up to 1,024, opened as they are needed, drawn at random for each query and
/// replaced after 64 queries.
/// </summary>
/// <remarks>
/// A socket for each query would cost three system calls and several objects more, and as many descriptors as there are
/// queries on their way. Drawn from so many, the port of a query is as hard to guess; rotated, it is not worth finding out.
/// </remarks>
internal sealed class DatagramPorts(Upstream upstream, UpstreamServices services, int size) : IDisposable
{
    /// <summary>Ports are drawn from here up; below are those of services, ours too.</summary>
    private const int LowestPort = 32768;
    private const int Draws = 4;

    /// <summary>How long no socket is asked for after several were refused in a row: to be refused costs more than a query.</summary>
    private const long PauseAfterRefusals = 1000 * MonotonicClock.TicksPerMillisecond;

    private readonly DatagramPort?[] _ports = new DatagramPort?[size];
    private readonly RandomOctets _random = services.Random;
    private long _pausedUntil;
    private volatile bool _isClosed;

    /// <summary>A port with room for one more query; null if none can be opened.</summary>
    internal DatagramPort? Choose()
    {
        bool mayOpen = Volatile.Read(ref _pausedUntil) <= services.Clock.Now;
        for (int draw = 0; draw < Draws && !_isClosed; draw++)
        {
            ref DatagramPort? slot = ref _ports[_random.Below(_ports.Length)];
            DatagramPort? port = Volatile.Read(ref slot);
            if (port is not null && port.TryUse()) return port;
            if (mayOpen && Replace(ref slot, port) is { } opened) return opened;
        }
        if (mayOpen && !_isClosed)
        {
            Volatile.Write(ref _pausedUntil, services.Clock.Now + PauseAfterRefusals);
            services.LackedSocket(upstream.Address);
        }
        return ChooseOpen();
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
        foreach (ref DatagramPort? slot in _ports.AsSpan()) Interlocked.Exchange(ref slot, null)?.Dispose();
    }

    private DatagramPort? Replace(ref DatagramPort? slot, DatagramPort? old)
    {
        DatagramPort port = new(upstream);
        if (!port.TryOpen(services.Network, upstream.Address, LowestPort + _random.Below(65536 - LowestPort))) return null;
        port.TryUse();
        if (Interlocked.CompareExchange(ref slot, port, old) == old) old?.Retire();
        else port.Retire();
        if (_isClosed) Dispose();
        return port;
    }

    /// <summary>When no more can be opened, those that are serve on, beyond their number.</summary>
    private DatagramPort? ChooseOpen()
    {
        int start = _random.Below(_ports.Length);
        for (int i = 0; i < _ports.Length && !_isClosed; i++)
            if (Volatile.Read(ref _ports[(start + i) % _ports.Length]) is { } port && port.TryUse(evenIfSpent: true))
                return port;
        return null;
    }
}
