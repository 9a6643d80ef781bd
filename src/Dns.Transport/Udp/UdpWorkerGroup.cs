using System.Net.Sockets;

namespace Dns.Transport.Udp;

/// <summary>The sockets of one address and their workers; of a wildcard also those of addresses behind it.</summary>
internal sealed class UdpWorkerGroup
{
    private readonly Socket[] _sockets;
    private readonly PortableUdpWorker[] _workers;
    private readonly LearnedAddresses? _learned;

    /// <summary>
    /// Starts the workers: one for each socket, or several on one where ports cannot be shared; one for a wildcard.
    /// </summary>
    public UdpWorkerGroup(Socket[] sockets, IMessageResponder responder, TransportOptions options)
    {
        _sockets = sockets;
        foreach (Socket socket in sockets)
        {
            // Does not affect asynchronous operations; a deferred reply fails instead of blocking.
            socket.Blocking = false;
        }
        IPEndPoint bound = (IPEndPoint)sockets[0].LocalEndPoint!;
        bool isWildcard = UdpAdmission.IsWildcard(bound.Address);
        _learned = isWildcard ? new LearnedAddresses(bound.Port, responder, options) : null;
        _workers = new PortableUdpWorker[isWildcard ? 1 : options.WorkerCount];
        for (int i = 0; i < _workers.Length; i++)
        {
            Socket socket = sockets[i % sockets.Length];
            _workers[i] = new PortableUdpWorker(socket, responder, options, _learned);
        }
        foreach (PortableUdpWorker worker in _workers) worker.Start();
    }

    /// <summary>A socket bound to the address, for sends.</summary>
    public Socket First => _sockets[0];

    public UdpCounters Counters
    {
        get
        {
            UdpCounters sum = _learned?.Counters ?? default;
            foreach (PortableUdpWorker worker in _workers) sum += worker.Counters;
            return sum + SocketStatistics.Add(default, _sockets);
        }
    }

    /// <summary>Lets the workers answer what they have read, waits for deferred replies, then closes.</summary>
    public async Task StopAsync(TimeSpan grace)
    {
        foreach (PortableUdpWorker worker in _workers) worker.RequestStop();
        Task learned = _learned?.StopAsync(grace) ?? Task.CompletedTask;
        await Bounded.WhenAll([AnswersSentAsync()], grace).ConfigureAwait(false);
        await learned.ConfigureAwait(false);
        _learned?.Close();
        foreach (Socket socket in _sockets) socket.Dispose();
        await Bounded.WhenAll(Array.ConvertAll(_workers, worker => worker.Finished), grace).ConfigureAwait(false);
    }

    private async Task AnswersSentAsync()
    {
        await Task.WhenAll(Array.ConvertAll(_workers, worker => worker.Quiet)).ConfigureAwait(false);
        Array.ForEach(_workers, worker => worker.Replies.NoMore());
        await Task.WhenAll(Array.ConvertAll(_workers, worker => worker.Replies.None)).ConfigureAwait(false);
    }
}
