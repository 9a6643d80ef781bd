using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using Dns.Protocol;

namespace Dns.Answering;

/// <summary>
/// What has to be kept of a query while someone else is asked: ID, flags, the question as it was spelled, and what its
/// OPT record said. About 310 octets; copied freely.
/// </summary>
public struct AwaitedQuery
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

    /// <summary>How it came, and so how its answer has to go.</summary>
    public DnsTransport Transport { get; private set; }

    /// <summary>Whether its sender has shown that it receives what is sent to its address: over a stream, or by a cookie of ours.</summary>
    public readonly bool IsProven => Transport.IsReliable || _edns.HasValidCookie;

    /// <summary>Keeps a query; its question still stands in the message.</summary>
    internal static AwaitedQuery Of(ReadOnlySpan<byte> message, ref readonly Query query, DnsTransport transport)
    {
        Unsafe.SkipInit(out AwaitedQuery kept);
        kept._edns = query.Edns;
        kept._id = MessageHeader.Id(message);
        kept._flags = query.Flags;
        kept._questionOctets = (short)(query.QuestionEnd - MessageHeader.LengthOctets);
        message[MessageHeader.LengthOctets..query.QuestionEnd].CopyTo(kept._question);
        kept.Transport = transport;
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
        query.Name.TryRead(message, MessageHeader.LengthOctets, end);
        query.Edns = _edns;
        query.Type = (RRType)BinaryPrimitives.ReadUInt16BigEndian(message[(end - 4)..]);
        query.Class = (RRClass)BinaryPrimitives.ReadUInt16BigEndian(message[(end - 2)..]);
        query.Flags = _flags;
        query.Offered = 0;
        query.IsRelayed = false;
        query.QuestionEnd = end;
        query.TsigAt = 0;
    }
}
