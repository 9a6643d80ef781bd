using System.Net;

namespace Dns.Bench;

/// <summary>An upstream in memory: stores the last query, and answers it with one address on request.</summary>
internal sealed class MemoryUpstream : IOutgoingNetwork
{
    private static readonly byte[] Address = [0xC0, 12, 0, 1, 0, 1, 0, 0, 1, 0, 0, 4, 192, 0, 2, 1];

    private readonly byte[] _message = new byte[512];
    private IPathReceiver? _receiver;

    public IDatagramPath OpenDatagrams(
        PeerAddress server, int localPort, IPathReceiver receiver, out NetworkFault? fault)
    {
        fault = null;
        return new Datagrams(this, receiver, localPort);
    }

    public IByteStream MakeStream(PeerAddress server) => throw new NotSupportedException();

    /// <summary>The reply arrives.</summary>
    internal void Reply()
    {
        if (!MessageReader.TryOpen(_message, out MessageReader query) ||
            !query.TryReadQuestion(out QuestionReader question)) return;
        int end = question.EndOffset;
        MessageHeader.SetFlags(_message,
            MessageHeader.QueryResponse | MessageHeader.RecursionDesired | MessageHeader.RecursionAvailable);
        MessageHeader.SetCount(_message, 1, 1);
        MessageHeader.SetCount(_message, 3, 0);
        Address.CopyTo(_message, end);
        _receiver!.Receive(_message.AsSpan(0, end + Address.Length));
    }

    private sealed class Datagrams(MemoryUpstream upstream, IPathReceiver receiver, int port) : IDatagramPath
    {
        public IPEndPoint Local { get; } = new(IPAddress.Loopback, port);

        public bool TrySend(ReadOnlySpan<byte> message, out NetworkFault? fault)
        {
            fault = null;
            message.CopyTo(upstream._message);
            upstream._receiver = receiver;
            return true;
        }

        public void Dispose()
        {
        }
    }
}
