using System.Buffers.Binary;

namespace Dns.Protocol;

/// <summary>
/// The signature of a request as a server sees it, and the reply to one that is refused for it (RFC 8945 §5.2). The one way in which
/// requests are verified, whatever their transport and opcode.
/// </summary>
public readonly struct TsigRequest : IDisposable
{
    // 16 is BADSIG in a TSIG record, and BADVERS elsewhere.
    private const Rcode BadSig = Rcode.BadVers;

    private readonly long _now;
    private readonly TsigVerdict _verdict;

    private TsigRequest(TsigVerdict verdict, TsigChain? chain, int offset, long now) =>
        (_verdict, Chain, Offset, _now) = (verdict, chain, offset, now);

    /// <summary>Signs the replies; null if the request is not signed, or signed so that no reply can be.</summary>
    public TsigChain? Chain { get; }

    /// <summary>Where the TSIG record starts; 0 if there is none.</summary>
    public int Offset { get; }

    /// <summary>The key that the request is signed with; null if it is not, or not rightly.</summary>
    public TsigKey? Key => _verdict == TsigVerdict.Good ? Chain?.Key : null;

    /// <summary>NOERROR for what is not signed or signed rightly, else the code that it is refused with.</summary>
    public Rcode Rcode => _verdict switch
    {
        TsigVerdict.Unsigned or TsigVerdict.Good => Rcode.NoError,
        TsigVerdict.Malformed => Rcode.FormErr,
        _ => Rcode.NotAuth,
    };

    /// <summary>Verifies a request.</summary>
    /// <param name="message">The whole message.</param>
    /// <param name="keys">The keys that are known.</param>
    /// <param name="now">Seconds since 1970.</param>
    public static TsigRequest Accept(ReadOnlySpan<byte> message, TsigKeyRing keys, long now)
    {
        TsigVerdict verdict = TsigChain.Accept(message, keys, now, out TsigChain? chain, out int offset);
        return new TsigRequest(verdict, chain, offset, now);
    }

    /// <summary>
    /// Writes the refusal over the request, header, question and TSIG record, and disposes of the chain. The record is signed where
    /// the client can verify that, and has no code where the key or the code was wrong.
    /// </summary>
    /// <param name="room">Starts with the request; at least 512 octets and a TSIG record more.</param>
    /// <param name="octets">Length of the request.</param>
    /// <returns>Length of the reply.</returns>
    public int Refuse(Span<byte> room, int octets)
    {
        Span<byte> record = stackalloc byte[TsigRecord.MaxUnsignedOctets];
        Rcode error = Error;
        bool isUnsigned = error is Rcode.BadKey or BadSig;
        if (isUnsigned && TsigRecord.Find(room[..octets], out TsigRecord tsig) == TsigPresence.Present)
            record = record[..tsig.WriteUnsigned(record, error)];
        int end = KeepQuestion(room, octets);
        if (isUnsigned)
        {
            record.CopyTo(room[end..]);
            MessageHeader.SetCount(room, 3, 1);
            return end + record.Length;
        }
        if (Chain is null) return end;
        end = Chain.Sign(room, end, _now, error);
        Chain.Dispose();
        return end;
    }

    /// <inheritdoc/>
    public void Dispose() => Chain?.Dispose();

    /// <summary>The error of the TSIG record: NOERROR, BADKEY, BADSIG, BADTIME or BADTRUNC.</summary>
    public Rcode Error => _verdict switch
    {
        TsigVerdict.BadKey => Rcode.BadKey,
        TsigVerdict.BadSignature => BadSig,
        TsigVerdict.BadTime => Rcode.BadTime,
        TsigVerdict.BadTruncation => Rcode.BadTrunc,
        _ => Rcode.NoError,
    };

    /// <summary>Makes a reply of header and question, where it has one that can be read.</summary>
    private int KeepQuestion(Span<byte> room, int octets)
    {
        int end = MessageHeader.LengthOctets;
        if (MessageReader.TryOpen(room[..octets], out MessageReader message) && message.TryReadQuestion(out QuestionReader question))
            end = question.EndOffset;
        ushort kept = (ushort)(MessageHeader.Flags(room) & (MessageHeader.OpcodeMask | MessageHeader.RecursionDesired));
        MessageHeader.SetFlags(room, (ushort)(MessageHeader.QueryResponse | kept | (ushort)Rcode));
        BinaryPrimitives.WriteUInt64BigEndian(room[4..], end == MessageHeader.LengthOctets ? 0 : 1UL << 48);
        return end;
    }
}
