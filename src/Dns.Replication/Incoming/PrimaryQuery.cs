namespace Dns.Replication.Incoming;

/// <summary>One query of a secondary, for the SOA or a transfer, to match replies against.</summary>
/// <remarks>With EDNS it requests the EXPIRE timer (RFC 7314 §3). Disposed after its last reply.</remarks>
public sealed class PrimaryQuery : IDisposable
{
    /// <summary>The announced UDP payload size, which avoids fragmentation.</summary>
    public const ushort Payload = 1232;

    private const int MaxOctets = 2048;

    private readonly byte[] _octets;

    private PrimaryQuery(ushort id, DomainName zone, RRType type, byte[] octets, TsigChain? chain)
    {
        (Id, Zone, Type, Chain) = (id, zone, type, chain);
        _octets = octets;
    }

    /// <summary>The ID.</summary>
    public ushort Id { get; }

    /// <summary>The zone.</summary>
    public DomainName Zone { get; }

    /// <summary>SOA, AXFR or IXFR.</summary>
    public RRType Type { get; }

    /// <summary>Verifies the replies; null = unsigned.</summary>
    public TsigChain? Chain { get; }

    /// <summary>The message.</summary>
    public ReadOnlyMemory<byte> Octets => _octets;

    /// <summary>Writes a query.</summary>
    /// <param name="id">The unpredictable ID.</param>
    /// <param name="type">SOA, AXFR or IXFR; DS at the parent.</param>
    /// <param name="have">The version that an IXFR starts from (RFC 1995 §3).</param>
    /// <param name="key">The TSIG key; null = unsigned.</param>
    /// <param name="now">Seconds since 1970.</param>
    public static PrimaryQuery Write(
        ushort id, DomainName zone, RRType type, Zone? have, bool hasEdns, TsigKey? key, long now, ushort flags = 0)
    {
        byte[] room = new byte[MaxOctets];
        MessageWriter writer = new(room, names: null);
        writer.WriteHeader(id, flags);
        writer.TryWriteQuestion(zone.Octets, type, RRClass.IN);
        if (type == RRType.IXFR && have is not null && have.ApexNode.TryFind(RRType.SOA, out RRset soa))
            writer.TryWrite(MessageSection.Authority, zone.Octets, RRType.SOA, RRClass.IN, soa.Ttl, soa.First);
        if (hasEdns)
        {
            writer.BeginOpt(Payload);
            writer.WriteOption(EdnsOptionCode.Expire, default);
            writer.TryEnd();
        }
        int octets = writer.Finish();
        TsigChain? chain = key is null ? null : TsigChain.Request(key, room, ref octets, now);
        return new PrimaryQuery(id, zone, type, room[..octets], chain);
    }

    /// <summary>Whether a message matches as a reply; others may be forged and are ignored.</summary>
    public bool IsReply(ReadOnlySpan<byte> message) =>
        MessageReader.TryOpen(message, out MessageReader reader) && reader.IsResponse && reader.Id == Id
        && reader.Opcode == Opcode.Query && (HasQuestion(reader) || MessageHeader.IsBareError(message));

    /// <summary>Whether a reply over datagrams is truncated, cut off or damaged: a stream has all of it.</summary>
    internal static bool IsCut(ReadOnlySpan<byte> reply)
    {
        if (!MessageReader.TryOpen(reply, out MessageReader reader)) return true;
        RecordReader records = reader.ReadRecords();
        while (records.TryRead()) { }
        return records.IsMalformed || (reader.Flags & MessageHeader.Truncated) != 0;
    }

    /// <summary>Whether a message has exactly the question of this query.</summary>
    internal bool HasQuestion(MessageReader reader)
    {
        Span<byte> name = stackalloc byte[WireName.MaxOctets];
        return reader.Count(MessageSection.Question) == 1 && reader.TryReadQuestion(out QuestionReader question)
            && question.Type == Type && question.Class == RRClass.IN && question.TryExpandName(name, out int octets)
            && WireName.EqualsIgnoreCase(name[..octets], Zone.Octets);
    }

    /// <summary>Verifies the signature of the next reply and reads its RCODE.</summary>
    /// <param name="now">Seconds since 1970.</param>
    /// <param name="isProven">Whether it is validly signed, or need not be signed.</param>
    /// <returns>Null if the message can be processed.</returns>
    internal TransferFailure? Evaluate(ReadOnlySpan<byte> message, long now, out bool isProven)
    {
        isProven = Chain is null;
        TsigVerdict verdict = TsigVerdict.Good;
        Rcode error = Rcode.NoError;
        if (Chain is not null) verdict = Chain.Next(message, now, out _, out error);
        isProven |= verdict == TsigVerdict.Good;
        Rcode rcode = CodeOf(message);
        if (rcode != Rcode.NoError || error != Rcode.NoError)
        {
            string more = error == Rcode.NoError ? "" : $" ({TsigErrorOf(error)})";
            string unproven = isProven ? "" : ", not signed";
            return new TransferFailure(TransferFailureKind.Refused,
                $"the answer is {RcodeText.Format(rcode)}{more}{unproven}");
        }
        if (verdict is TsigVerdict.Good or TsigVerdict.Unsigned) return null;
        return new TransferFailure(TransferFailureKind.Signature, WordsOf(verdict));
    }

    /// <inheritdoc/>
    public void Dispose() => Chain?.Dispose();

    private static Rcode CodeOf(ReadOnlySpan<byte> message)
    {
        if (!MessageReader.TryOpen(message, out MessageReader reader)) return Rcode.NoError;
        return reader.TryFindOpt(out OptReader opt) ? opt.FullRcode(reader.HeaderRcode) : reader.HeaderRcode;
    }

    // 16 is BADSIG in a TSIG record, and BADVERS elsewhere.
    private static string TsigErrorOf(Rcode error) => error switch
    {
        Rcode.BadVers => "BADSIG",
        Rcode.BadTime => "BADTIME: the clocks differ",
        _ => RcodeText.Format(error),
    };

    private string WordsOf(TsigVerdict verdict) => verdict switch
    {
        TsigVerdict.BadKey => $"the answer is signed with another key or algorithm than {Chain!.Key}",
        TsigVerdict.BadTime => "the answer was signed too long ago, or in the future: the clocks differ",
        TsigVerdict.BadTruncation => "the signature of the answer is truncated",
        TsigVerdict.Malformed => "the signature of the answer is malformed",
        _ => $"the signature by {Chain!.Key} is missing or wrong",
    };
}
