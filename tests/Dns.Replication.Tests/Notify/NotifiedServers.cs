using System.Net;
using Dns.Testing;

namespace Dns.Replication.Tests;

/// <summary>A network of notified servers with scripted answers.</summary>
internal sealed class NotifiedServers : IOutgoingNetwork
{
    /// <summary>What was sent so far: to whom, and the message.</summary>
    public List<(IPEndPoint To, byte[] Octets)> Sent { get; } = [];

    /// <summary>Sockets that are open.</summary>
    public int Open { get; private set; }

    /// <summary>The most that ever were.</summary>
    public int MostOpen { get; private set; }

    /// <summary>Whether the system refuses sockets.</summary>
    public bool IsRefusing { get; set; }

    /// <summary>What the servers answer; null = nothing.</summary>
    public Func<IPEndPoint, byte[], byte[]?> Answer { get; set; } = (_, _) => null;

    /// <summary>The answers that are on their way.</summary>
    public Queue<Action> Arriving { get; } = new();

    /// <summary>Delivers all answers, also those to messages sent meanwhile.</summary>
    public void Deliver()
    {
        while (Arriving.TryDequeue(out Action? arrive)) arrive();
    }

    public IDatagramPath? OpenDatagrams(
        PeerAddress server, int localPort, IPathReceiver receiver, out NetworkFault? fault)
    {
        fault = null;
        if (IsRefusing) return null;
        MostOpen = Math.Max(MostOpen, ++Open);
        return new Path(this, server.EndPoint, receiver);
    }

    public IByteStream MakeStream(PeerAddress server) => throw new NotSupportedException();

    /// <summary>The answer to a notification as a server writes it.</summary>
    public static byte[] Accept(byte[] query, int rcode = 0)
    {
        byte[] answer = query[..WireOctets.QuestionEnd(query)];
        answer[2] |= 0x80;
        answer[3] = (byte)rcode;
        Array.Clear(answer, 6, 6);
        return answer;
    }

    private sealed class Path(NotifiedServers network, IPEndPoint to, IPathReceiver receiver) : IDatagramPath
    {
        private bool _isDisposed;

        public IPEndPoint Local { get; } = new(IPAddress.Loopback, 40_000);

        public bool TrySend(ReadOnlySpan<byte> message, out NetworkFault? fault)
        {
            fault = null;
            if (_isDisposed) return false;
            byte[] octets = message.ToArray();
            network.Sent.Add((to, octets));
            if (network.Answer(to, octets) is { } answer)
                network.Arriving.Enqueue(() =>
                {
                    if (!_isDisposed) receiver.Receive(answer);
                });
            return true;
        }

        public void Dispose()
        {
            if (!_isDisposed) network.Open--;
            _isDisposed = true;
        }
    }
}
