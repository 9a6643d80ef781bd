using Dns.Protocol;
using Dns.Zones;

namespace Dns.Answering;

/// <summary>A message that a handler answers. Borrows the transport's memory for one call.</summary>
public readonly ref struct HandledMessage
{
    private readonly IReplyPaths? _paths;
    private readonly int _slot;

    internal HandledMessage(scoped ref QueryContext context, int queryOctets)
    {
        Room = context.Message;
        QueryOctets = queryOctets;
        Origin = new QueryOrigin(in context.Client, context.Transport, context.Now);
        Zones = context.Zones;
        (_paths, _slot) = (context.Paths, context.PathSlot);
    }

    /// <summary>Starts with the message; all of it is room for the reply, 512 octets at least.</summary>
    public Span<byte> Room { get; }

    /// <summary>Length of the message, 12 or more and no longer than the room.</summary>
    public int QueryOctets { get; }

    /// <summary>The message as it came.</summary>
    public ReadOnlySpan<byte> Octets => Room[..QueryOctets];

    /// <summary>Who sent it, how and when.</summary>
    public QueryOrigin Origin { get; }

    /// <summary>The zones published when it came.</summary>
    public ZoneSet Zones { get; }

    /// <summary>
    /// Takes the way back, for a reply that comes later or is a sequence of messages. The handler then owes it exactly one
    /// <see cref="ReplyPath.Send"/>, <see cref="ReplyPath.Abandon"/> or successful <see cref="ReplyPath.TryStream"/>, and returns
    /// <see cref="Responder.AnswersLater"/>.
    /// </summary>
    public ReplyPath TakePath() => _paths is null ? default : _paths.TakePath(_slot);

    /// <summary>Writes a reply of a header alone: ID, opcode, and a code below 16.</summary>
    /// <returns>Its length.</returns>
    public int WriteCode(Rcode rcode) => HeaderReply.Write(Room, MessageHeader.Flags(Room), rcode);
}
