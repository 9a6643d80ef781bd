namespace Dns.Answering.Deferring;

/// <summary>
/// A query whose reply is deferred: ID, flags, the question in its letter case, OPT, origin and reply path. About 450
/// bytes; copied freely, and all that is kept of the query.
/// </summary>
public struct DeferredQuery
{
    [InlineArray(WireName.MaxOctets + 4)]
    private struct QuestionOctets
    {
        private byte _first;
    }

    private EdnsQuery _edns;
    private ushort _id;
    private ushort _flags;
    private short _questionOctets;
    private QuestionOctets _question;

    /// <summary>Client, transport and time of receipt.</summary>
    public QueryOrigin Origin { get; private set; }

    /// <summary>The reply path.</summary>
    public ReplyPath Path { get; private set; }

    /// <summary>The view that it is in.</summary>
    internal View View { get; private set; }

    /// <summary>Whether the client's address is proven: by a reliable transport or a valid cookie.</summary>
    public readonly bool IsProven => Origin.Transport.IsReliable || _edns.HasValidCookie;

    /// <summary>Whether it arrived with this ID and exactly this question, in its letter case.</summary>
    /// <param name="question">Name, type and class.</param>
    public readonly bool Matches(ushort id, ReadOnlySpan<byte> question) =>
        _id == id && ((ReadOnlySpan<byte>)_question)[.._questionOctets].SequenceEqual(question);

    /// <summary>Captures a query whose question is still in the message.</summary>
    /// <remarks>Takes the path, which a resumed query lacks: the caller of the resumption holds it.</remarks>
    internal static DeferredQuery Of(scoped ref QueryContext context)
    {
        ref Query query = ref context.Query;
        ReadOnlySpan<byte> message = context.Message;
        Unsafe.SkipInit(out DeferredQuery kept);
        kept._edns = query.Edns;
        kept._id = MessageHeader.Id(message);
        kept._flags = query.Flags;
        kept._questionOctets = (short)(query.QuestionEnd - MessageHeader.LengthOctets);
        message[MessageHeader.LengthOctets..query.QuestionEnd].CopyTo(kept._question);
        kept.Origin = new QueryOrigin(in context.Client, context.Transport, context.Now);
        kept.View = context.View;
        kept.Path = context.TakePath();
        return kept;
    }

    /// <summary>Writes the original header and question, and restores the parsed query.</summary>
    /// <param name="message">Receives them; at least 512 octets.</param>
    internal readonly void Restore(Span<byte> message, ref Query query)
    {
        int end = MessageHeader.LengthOctets + _questionOctets;
        message[..MessageHeader.LengthOctets].Clear();
        BinaryPrimitives.WriteUInt16BigEndian(message, _id);
        MessageHeader.SetFlags(message, _flags);
        MessageHeader.SetCount(message, 0, 1);
        ((ReadOnlySpan<byte>)_question)[.._questionOctets].CopyTo(message[MessageHeader.LengthOctets..]);
        query.TryRead(message, end);
        query.Edns = _edns;
        query.FindSpecial();
    }
}
