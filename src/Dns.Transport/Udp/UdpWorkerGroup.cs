using System.Net.Sockets;

namespace Dns.Transport.Udp;

/// <summary>The sockets of one concrete address and their workers. Owns both.</summary>
internal sealed class UdpWorkerGroup
{
    private readonly Socket[] _sockets;
    private readonly PortableUdpWorker[] _workers;

    /// <summary>Starts the workers: one for each socket, or several on one where ports cannot be shared.</summary>
    public UdpWorkerGroup(Socket[] sockets, IMessageResponder responder, TransportOptions options)
    {
        _sockets = sockets;
        foreach (Socket socket in sockets)
        {
            // Does not affect asynchronous operations; a deferred reply fails instead of blocking.
            socket.Blocking = false;
        }

        ClientAddress own = ClientAddress.From((IPEndPoint)sockets[0].LocalEndPoint!);
        _workers = new PortableUdpWorker[options.WorkerCount];
        for (int i = 0; i < _workers.Length; i++)
        {
            Socket socket = sockets[i % sockets.Length];
            _workers[i] = new PortableUdpWorker(socket, responder, options, own);
        }

        foreach (PortableUdpWorker worker in _workers)
        {
            worker.Start();
        }
    }

    /// <summary>A socket bound to the address, for sends.</summary>
    public Socket First => _sockets[0];

    public UdpCounters Counters
    {
        get
        {
            UdpCounters sum = default;
            foreach (PortableUdpWorker worker in _workers)
            {
                sum += worker.Counters;
            }

            return SocketStatistics.Add(sum, _sockets);
        }
    }

    /// <summary>Lets the workers answer what they have read, waits for deferred replies, then closes.</summary>
    public async Task StopAsync(TimeSpan grace)
    {
        foreach (PortableUdpWorker worker in _workers)
        {
            worker.RequestStop();
        }

        await Bounded.WhenAll([AnswersSentAsync()], grace).ConfigureAwait(false);
        foreach (Socket socket in _sockets)
        {
            socket.Dispose();
        }

        await Bounded.WhenAll(Array.ConvertAll(_workers, worker => worker.Finished), grace).ConfigureAwait(false);
    }
    private async Task AnswersSentAsync()
    {
        await Task.WhenAll(Array.ConvertAll(_workers, worker => worker.Quiet)).ConfigureAwait(false);
        Array.ForEach(_workers, worker => worker.Replies.NoMore());
        await Task.WhenAll(Array.ConvertAll(_workers, worker => worker.Replies.None)).ConfigureAwait(false);
    }
}
