using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using Dns.Protocol;

namespace Dns.Answering;

/// <summary>
/// A query whose reply comes later: ID, flags, the question as it was spelled, what its OPT record said, where it came from and
/// the way back. About 450 bytes; copied freely, and nothing else of the query need be kept.
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

    /// <summary>Who sent it, how and when.</summary>
    public QueryOrigin Origin { get; private set; }

    /// <summary>The way back of the reply.</summary>
    public ReplyPath Path { get; private set; }

    /// <summary>
    /// Whether its sender has shown that it receives what is sent to its address: over a reliable transport, or by a cookie of ours.
    /// </summary>
    public readonly bool IsProven => Origin.Transport.IsReliable || _edns.HasValidCookie;

    /// <summary>Keeps a query; its question still stands in the message.</summary>
    /// <remarks>The path is taken; one that is resumed has none any more, for whoever resumed it has that.</remarks>
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
        kept.Path = context.TakePath();
        return kept;
    }

    /// <summary>Writes header and question as they were, and makes the query that was read from them.</summary>
    /// <param name="message">Receives them; at least 512 octets.</param>
    /// <param name="query">The query.</param>
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
