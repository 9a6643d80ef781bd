namespace Dns.Forwarding;

/// <summary>
/// The datagram sockets to one upstream: up to 1,024, opened as they are needed, drawn at random for each query and
/// replaced after 64 queries.
/// </summary>
/// <remarks>
/// A socket for each query would cost three system calls and several objects more, and as many descriptors as there are
/// queries on their way. Drawn from so many, the port of a query is as hard to guess; rotated, it is not worth finding out.
/// </remarks>
internal sealed class DatagramPorts(Upstream upstream, IUpstreamNetwork network, RandomOctets random, int size) : IDisposable
{
    /// <summary>Ports are drawn from here up; below are those of services, ours too.</summary>
    private const int LowestPort = 32768;
    private const int Draws = 4;

    private readonly DatagramPort?[] _ports = new DatagramPort?[size];
    private volatile bool _isClosed;

    /// <summary>A port with room for one more query; null if none can be opened.</summary>
    internal DatagramPort? Choose()
    {
        DatagramPort? port = null;
        for (int draw = 0; draw < Draws && port is null && !_isClosed; draw++)
        {
            ref DatagramPort? slot = ref _ports[random.Below(_ports.Length)];
            port = Volatile.Read(ref slot);
            if (port is null || !port.TryUse()) port = Replace(ref slot, port);
        }
        return port ?? ChooseOpen();
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
        if (!port.TryOpen(network, upstream.Address, LowestPort + random.Below(65536 - LowestPort))) return null;
        port.TryUse();
        if (Interlocked.CompareExchange(ref slot, port, old) == old) old?.Retire();
        else port.Retire();
        if (_isClosed) Dispose();
        return port;
    }

    /// <summary>When no more can be opened, those that are serve on, beyond their number.</summary>
    private DatagramPort? ChooseOpen()
    {
        int start = random.Below(_ports.Length);
        for (int i = 0; i < _ports.Length && !_isClosed; i++)
            if (Volatile.Read(ref _ports[(start + i) % _ports.Length]) is { } port && port.TryUse(evenIfSpent: true))
                return port;
        return null;
    }
}
