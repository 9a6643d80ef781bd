using System.Net.Sockets;
using System.Runtime.Versioning;

namespace Dns.Transport.Udp.Batched;

/// <summary>
/// The UDP listener of Linux: a thread and a socket for each worker, up to 64 datagrams per system call. The kernel
/// distributes the datagrams over the sockets by client.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed class BatchedUdpListener : IUdpListener
{
    // For threads that used up the grace to close their resources.
    private static readonly TimeSpan TimeToClose = TimeSpan.FromMilliseconds(500);

    private readonly Socket[] _sockets;
    private readonly TransportOptions _options;
    private BatchedUdpWorker[] _workers = [];
    private UdpCounters _final;
    private volatile bool _stopped;

    private BatchedUdpListener(Socket[] sockets, TransportOptions options)
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
    public static BatchedUdpListener Bind(IPEndPoint endPoint, TransportOptions options)
    {
        Socket[] sockets = ListenSocket.BindUdp(endPoint, options.WorkerCount, options);
        BatchedUdpListener listener = new(sockets, options);
        if (!UdpAdmission.IsWildcard(endPoint.Address)) return listener;
        try
        {
            Array.ForEach(sockets, PacketInfo.Request);
            return listener;
        }
        catch
        {
            listener.Dispose();
            throw;
        }
    }

    public void Start(IMessageResponder responder)
    {
        BatchedUdpWorker[] workers = new BatchedUdpWorker[_sockets.Length];
        for (int i = 0; i < workers.Length; i++) workers[i] = new BatchedUdpWorker(_sockets[i], responder, _options, i);
        _workers = workers;
        Array.ForEach(workers, worker => worker.Start());
    }

    public async Task StopAsync(TimeSpan grace)
    {
        if (_stopped) return;
        UdpCounters kernel = SocketStatistics.Add(default, _sockets);
        Array.ForEach(_workers, worker => worker.RequestStop(grace));
        Task[] ends = Array.ConvertAll(_workers, worker => worker.Ended);
        await Bounded.WhenAll(ends, grace + TimeToClose).ConfigureAwait(false);
        _final = Sum() + kernel;
        _stopped = true;
        if (_workers.Length == 0) Dispose();
    }

    /// <summary>Closes the sockets of a listener never started; after a start the threads close theirs.</summary>
    public void Dispose()
    {
        if (_workers.Length == 0) Array.ForEach(_sockets, socket => socket.Dispose());
    }

    private UdpCounters ReadCounters() => SocketStatistics.Add(Sum(), _sockets);

    private UdpCounters Sum()
    {
        UdpCounters sum = default;
        foreach (BatchedUdpWorker worker in _workers) sum += worker.Counters;
        return sum;
    }
}
