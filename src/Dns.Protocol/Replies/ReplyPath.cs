namespace Dns.Protocol;

/// <summary>
/// What is needed to answer one message after the call that brought it: who asked, over which socket or
/// connection, and at which of our addresses. Copied freely; one <see cref="Send"/>, <see cref="Abandon"/> or
/// successful <see cref="TryStream"/> on one of the copies ends it. The default value leads nowhere.
/// </summary>
public readonly struct ReplyPath
{
    private readonly IReplySender? _sender;

    /// <summary>A path, as a transport makes it; what else it has to know is in the properties that can be set.</summary>
    /// <param name="sender">Sends what goes along it.</param>
    /// <param name="client">Who asked.</param>
    /// <param name="roomOctets">The longest answer.</param>
    /// <param name="transport">How the message came.</param>
    public ReplyPath(IReplySender sender, in ClientAddress client, int roomOctets, DnsTransport transport)
    {
        _sender = sender;
        Client = client;
        Peer = client;
        RoomOctets = roomOctets;
        Transport = transport;
    }

    /// <summary>Who asked.</summary>
    public ClientAddress Client { get; }

    /// <summary>Where a datagram with the answer goes: the client, or the proxy that asked for it.</summary>
    public ClientAddress Peer { get; init; }

    /// <summary>How the message came.</summary>
    public DnsTransport Transport { get; }

    /// <summary>The longest answer that can be sent: the slot of a datagram, 65,535 for a reliable transport.</summary>
    public int RoomOctets { get; }

    /// <summary>The link of a peer whose address means something on that link only (RFC 4007), else 0.</summary>
    public uint ClientScope { get; init; }

    /// <summary>The address that was asked, where the socket serves more than one; the port means nothing.</summary>
    public ClientAddress Asked { get; init; }

    /// <summary>The interface of a link-local <see cref="Asked"/>, else 0.</summary>
    public uint AskedScope { get; init; }

    /// <summary>Which use of a pooled connection state this belongs to.</summary>
    public uint Generation { get; init; }

    /// <summary>Which of the paths of a connection it is: what a sequence is woken by.</summary>
    public uint Number { get; init; }

    /// <summary>
    /// Sends the answer, from any thread. The octets are the caller's again on return. It never throws and
    /// waits for no client; what cannot be sent is counted by the transport, and after a stop or the end of
    /// the connection nothing happens.
    /// </summary>
    /// <param name="answer">A whole message of 1 to <see cref="RoomOctets"/> octets.</param>
    public void Send(ReadOnlySpan<byte> answer) => _sender?.Send(this, answer);

    /// <summary>Says that no answer will come: nobody waits for it any longer.</summary>
    public void Abandon() => _sender?.Abandon(this);

    /// <summary>
    /// Hands over a reply of several messages, from any thread. The connection then owns the sequence, pulls it as the
    /// client reads, and disposes it; it may do both before this returns.
    /// </summary>
    /// <param name="sequence">The messages.</param>
    /// <returns>
    /// False if there will be no pull: the transport carries no sequences, as many as it may run at a time are running,
    /// or the connection has ended. The sequence is then still the caller's, and a <see cref="Send"/> or <see
    /// cref="Abandon"/> still owed.
    /// </returns>
    public bool TryStream(IReplySequence sequence) =>
        Transport.IsReliable && _sender is { } sender && sender.TryStream(this, sequence);

    /// <summary>
    /// Says, from any thread, that a sequence which was <see cref="SequenceStep.Waiting"/> has something again.
    /// Needless and late calls do no harm.
    /// </summary>
    public void Wake() => _sender?.Wake(this);
}
