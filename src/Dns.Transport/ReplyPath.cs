using Dns.Protocol;

namespace Dns.Transport;

/// <summary>
/// What is needed to answer one message after the call that brought it: who asked, over which socket or
/// connection, and at which of our addresses. Copied freely; one <see cref="Send"/> or
/// <see cref="Abandon"/> on one of the copies ends it. The default value leads nowhere.
/// </summary>
public readonly struct ReplyPath
{
    private readonly IReplySink? _sink;

    internal ReplyPath(IReplySink sink, in ClientAddress client, int roomOctets, bool isStream)
    {
        _sink = sink;
        Client = client;
        Peer = client;
        RoomOctets = roomOctets;
        IsStream = isStream;
    }

    /// <summary>Who asked.</summary>
    public ClientAddress Client { get; }

    /// <summary>Where a datagram with the answer goes: the client, or the proxy that asked for it.</summary>
    internal ClientAddress Peer { get; init; }

    /// <summary>Whether the message came over a stream transport.</summary>
    public bool IsStream { get; }

    /// <summary>The longest answer that can be sent: the slot of a datagram, 65,535 for a stream.</summary>
    public int RoomOctets { get; }

    /// <summary>The link of a peer whose address means something on that link only (RFC 4007), else 0.</summary>
    internal uint ClientScope { get; init; }

    /// <summary>The address that was asked, where the socket serves more than one; the port means nothing.</summary>
    internal ClientAddress Asked { get; init; }

    /// <summary>The interface of a link-local <see cref="Asked"/>, else 0.</summary>
    internal uint AskedScope { get; init; }

    /// <summary>Which use of a pooled connection state this belongs to.</summary>
    internal uint Generation { get; init; }

    /// <summary>
    /// Sends the answer, from any thread. The octets are the caller's again on return. It never throws and
    /// waits for no client; what cannot be sent is counted by the transport, and after a stop or the end of
    /// the connection nothing happens.
    /// </summary>
    /// <param name="answer">A whole message of 1 to <see cref="RoomOctets"/> octets.</param>
    public void Send(ReadOnlySpan<byte> answer) => _sink?.Send(this, answer);

    /// <summary>Says that no answer will come: nobody waits for it any longer.</summary>
    public void Abandon() => _sink?.Abandon(this);
}
