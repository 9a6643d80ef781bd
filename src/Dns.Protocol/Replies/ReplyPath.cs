namespace Dns.Protocol.Replies;

/// <summary>
/// The path of a deferred reply. Copied freely; one <see cref="Send"/>, <see cref="Abandon"/> or successful
/// <see cref="TryStream"/> on any copy ends it. The default value is void.
/// </summary>
public readonly struct ReplyPath
{
    private readonly IReplySender? _sender;

    /// <summary>Creates a path; the transport sets further properties.</summary>
    public ReplyPath(IReplySender sender, in ClientAddress client, int roomOctets, DnsTransport transport)
    {
        _sender = sender;
        Client = client;
        Peer = client;
        RoomOctets = roomOctets;
        Transport = transport;
    }

    /// <summary>The client.</summary>
    public ClientAddress Client { get; }

    /// <summary>The destination of a datagram: the client, or its proxy.</summary>
    public ClientAddress Peer { get; init; }

    /// <summary>The transport of the query.</summary>
    public DnsTransport Transport { get; }

    /// <summary>The maximum length of the reply: the slot of a datagram, 65,535 for a reliable transport.</summary>
    public int RoomOctets { get; }

    /// <summary>The link of a link-local peer (RFC 4007), else 0.</summary>
    public uint ClientScope { get; init; }

    /// <summary>The queried address, if the socket serves several; without port.</summary>
    public ClientAddress Local { get; init; }

    /// <summary>The interface of a link-local <see cref="Local"/>, else 0.</summary>
    public uint LocalScope { get; init; }

    /// <summary>The generation of the pooled connection state.</summary>
    public uint Generation { get; init; }

    /// <summary>The number of the path in its connection, which identifies a sequence.</summary>
    public uint Number { get; init; }

    /// <summary>
    /// Sends the reply, from any thread. The octets are only borrowed. Never throws and never waits for a client; the
    /// transport counts what cannot be sent, and after a stop or the end of the connection nothing happens.
    /// </summary>
    /// <param name="answer">A whole message of 1 to <see cref="RoomOctets"/> octets.</param>
    public void Send(ReadOnlySpan<byte> answer) => _sender?.Send(this, answer);

    /// <summary>Ends the path without a reply.</summary>
    public void Abandon() => _sender?.Abandon(this);

    /// <summary>
    /// Passes a reply of several messages, from any thread. The connection then owns the sequence, pulls and disposes
    /// it, possibly before this returns.
    /// </summary>
    /// <returns>
    /// False if the transport does not support sequences, too many are running, or the connection has ended. The caller
    /// then still owns the sequence and owes the path a <see cref="Send"/> or <see cref="Abandon"/>.
    /// </returns>
    public bool TryStream(IReplySequence sequence) =>
        Transport.IsReliable && _sender is { } sender && sender.TryStream(this, sequence);

    /// <summary>Marks a <see cref="SequenceStep.Waiting"/> sequence as ready, from any thread; idempotent.</summary>
    public void Wake() => _sender?.Wake(this);
}
