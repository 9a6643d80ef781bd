using System.Net;
using System.Net.Sockets;
using Dns.Protocol;

namespace Dns.Transport;

/// <summary>The sockets of one concrete address and the lanes on them. Owns both.</summary>
internal sealed class LaneGroup
{
    private readonly Socket[] _sockets;
    private readonly UdpLane[] _lanes;

    /// <summary>
    /// Makes and starts as many lanes as workers: one a socket, or several on a single socket where the
    /// system cannot share ports.
    /// </summary>
    public LaneGroup(Socket[] sockets, IMessageResponder responder, TransportOptions options)
    {
        _sockets = sockets;
        foreach (Socket socket in sockets)
        {
            // Asynchronous operations do not care; an answer sent later fails instead of waiting.
            socket.Blocking = false;
        }

        ClientAddress own = ClientAddress.From((IPEndPoint)sockets[0].LocalEndPoint!);
        _lanes = new UdpLane[options.WorkerCount];
        for (int i = 0; i < _lanes.Length; i++)
        {
            Socket socket = sockets[i % sockets.Length];
            _lanes[i] = new UdpLane(socket, responder, options, own);
        }

        foreach (UdpLane lane in _lanes)
        {
            lane.Start();
        }
    }

    /// <summary>A socket bound to the address, to send from.</summary>
    public Socket First => _sockets[0];

    public UdpCounters Counters
    {
        get
        {
            UdpCounters sum = default;
            foreach (UdpLane lane in _lanes)
            {
                sum += lane.Counters;
            }

            return SocketStatistics.Add(sum, _sockets);
        }
    }

    /// <summary>Lets the lanes answer what they have read and waits for later answers, then closes.</summary>
    public async Task StopAsync(TimeSpan grace)
    {
        foreach (UdpLane lane in _lanes)
        {
            lane.RequestStop();
        }

        await Bounded.WhenAll([AnswersSentAsync()], grace).ConfigureAwait(false);
        foreach (Socket socket in _sockets)
        {
            socket.Dispose();
        }

        await Bounded.WhenAll(Array.ConvertAll(_lanes, lane => lane.Finished), grace).ConfigureAwait(false);
    }
    private async Task AnswersSentAsync()
    {
        await Task.WhenAll(Array.ConvertAll(_lanes, lane => lane.Quiet)).ConfigureAwait(false);
        Array.ForEach(_lanes, lane => lane.Replies.NoMore());
        await Task.WhenAll(Array.ConvertAll(_lanes, lane => lane.Replies.None)).ConfigureAwait(false);
    }
}
