namespace Dns.Answering.Handling;

/// <summary>A message passed to a handler. Borrows the transport's memory for one call.</summary>
public readonly ref struct HandledMessage
{
    private readonly IReplyPaths? _paths;
    private readonly int _slot;

    internal HandledMessage(scoped ref QueryContext context, int queryOctets)
    {
        Room = context.Message;
        QueryOctets = queryOctets;
        Origin = new QueryOrigin(in context.Client, context.Transport, context.Now);
        (View, Zones) = (context.View, context.Zones);
        (_paths, _slot) = (context.Paths, context.PathSlot);
    }

    /// <summary>Starts with the message; all of it may be written by the reply, at least 512 octets.</summary>
    public Span<byte> Room { get; }

    /// <summary>Length of the message, at least 12.</summary>
    public int QueryOctets { get; }

    /// <summary>The message as received.</summary>
    public ReadOnlySpan<byte> Octets => Room[..QueryOctets];

    /// <summary>Client, transport and time of receipt.</summary>
    public QueryOrigin Origin { get; }

    /// <summary>The view of the message, chosen without its key, which the handler verifies.</summary>
    public View View { get; }

    /// <summary>The zones of that view, published at the time of receipt.</summary>
    public ZoneSet Zones { get; }

    /// <summary>
    /// Takes the reply path, for a deferred reply or a sequence of messages. The handler then owes it exactly one
    /// <see cref="ReplyPath.Send"/>, <see cref="ReplyPath.Abandon"/> or successful <see cref="ReplyPath.TryStream"/>,
    /// and returns <see cref="ReplyOutcome.Deferred"/>.
    /// </summary>
    public ReplyPath TakePath() => _paths is null ? default : _paths.TakePath(_slot);

    /// <summary>Writes a reply of a header alone: ID, opcode, and an RCODE below 16.</summary>
    public ReplyOutcome WriteCode(Rcode rcode) =>
        ReplyOutcome.Of(HeaderReply.Write(Room, MessageHeader.Flags(Room), rcode));
}
