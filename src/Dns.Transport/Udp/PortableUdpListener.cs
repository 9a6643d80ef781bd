using System.Net.Sockets;

namespace Dns.Transport.Udp;

/// <summary>
/// The UDP listener for all systems. A concrete address has its workers from the start; behind a wildcard address each
/// local address gets sockets and workers at its first datagram (<see cref="LearnedAddresses"/>).
/// </summary>
internal sealed class PortableUdpListener : IUdpListener
{
    private readonly Socket[] _sockets;
    private readonly TransportOptions _options;
    private UdpWorkerGroup? _workers;
    private UdpCounters _final;
    private volatile bool _stopped;

    private PortableUdpListener(Socket[] sockets, TransportOptions options)
    {
        _sockets = sockets;
        _options = options;
        EndPoint = (IPEndPoint)sockets[0].LocalEndPoint!;
    }

    public IPEndPoint EndPoint { get; }

    public IEnumerable<SafeHandle> Handles => Array.ConvertAll(_sockets, SafeHandle (socket) => socket.SafeHandle);

    public UdpCounters Counters => _stopped ? _final : ReadCounters();

    /// <summary>Binds the sockets of an address.</summary>
    /// <exception cref="SocketException">The address cannot be bound; nothing stays open.</exception>
    public static PortableUdpListener Bind(IPEndPoint endPoint, TransportOptions options)
    {
        bool shared = ListenSocket.CanSharePort && !UdpAdmission.IsWildcard(endPoint.Address);
        int count = shared ? options.WorkerCount : 1;
        Socket[] sockets = ListenSocket.BindUdp(endPoint, count, options);
        return new PortableUdpListener(sockets, options);
    }

    public void Start(IMessageResponder responder) => _workers = new UdpWorkerGroup(_sockets, responder, _options);

    public async Task StopAsync(TimeSpan grace)
    {
        if (_stopped) return;
        await (_workers?.StopAsync(grace) ?? Task.CompletedTask).ConfigureAwait(false);
        _final = ReadCounters();
        _stopped = true;
        Dispose();
    }

    public void Dispose()
    {
        foreach (Socket socket in _sockets) socket.Dispose();
    }

    private UdpCounters ReadCounters() => _workers?.Counters ?? SocketStatistics.Add(default, _sockets);
}
