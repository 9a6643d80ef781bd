namespace Dns.Forwarding.Acceptance;

/// <summary>Parses an upstream's reply strictly and accepts only what answers the question.</summary>
/// <remarks>
/// Socket, address, ID and question were matched before. Never throws; the work is linear in the size of the reply, and
/// no count in the header is trusted. Nothing is validated: AD is the upstream's claim.
/// </remarks>
public static class ReplyReader
{
    /// <summary>Parses a reply.</summary>
    /// <param name="answer">Receives the accepted part, valid if <see cref="ReplyVerdict.Accepted"/>.</param>
    public static ReplyVerdict Read(
        in Question question, ReadOnlySpan<byte> reply, AcceptanceRules rules, bool trustAuthenticData,
        AcceptedAnswer answer)
    {
        // Before any name is checked: later changes of routing are noticed by comparison with this generation.
        answer.Clear(in question, rules.Routing?.Generation ?? 0);
        if (reply.Length is < MessageHeader.LengthOctets or > ushort.MaxValue) return ReplyVerdict.Malformed;
        ushort flags = MessageHeader.Flags(reply);
        if ((flags & MessageHeader.QueryResponse) == 0 || MessageHeader.OpcodeOf(flags) != Opcode.Query)
            return ReplyVerdict.Malformed;
        // Servers that fail on a query may return anything, even a bare header: the RCODE decides.
        if (MessageHeader.IsBareError(reply)) return ReplyVerdict.FormatError;
        Rcode code = (Rcode)(flags & MessageHeader.RcodeMask);
        if (code is Rcode.FormErr or Rcode.ServFail or Rcode.NotImp or Rcode.Refused) return VerdictOf(code);
        if (!HasQuestion(in question, reply)) return ReplyVerdict.Malformed;
        if ((flags & MessageHeader.Truncated) != 0) return ReplyVerdict.Truncated;

        reply = answer.CopyOf(reply, in question);
        if (!answer.Found.TryRead(reply, question.EndOffset, in question)) return ReplyVerdict.Malformed;
        code = answer.Found.Rcode;
        if (code is not (Rcode.NoError or Rcode.NXDomain or Rcode.YXDomain)) return VerdictOf(code);
        answer.WritableHeader.Rcode = code;
        answer.WritableHeader.Error = answer.Found.Error;
        answer.WritableHeader.AuthenticData = trustAuthenticData && (flags & MessageHeader.AuthenticData) != 0;
        bool isAuthoritative = (flags & MessageHeader.AuthoritativeAnswer) != 0;
        return new ReplySelection(question, reply, rules, answer).Take(isAuthoritative);
    }

    private static bool HasQuestion(scoped in Question question, ReadOnlySpan<byte> reply)
    {
        int end = MessageHeader.LengthOctets + question.Name.Length;
        return MessageHeader.Count(reply, 0) == 1
            && reply.Length >= end + 4
            && WireName.EqualsIgnoreCase(reply[MessageHeader.LengthOctets..end], question.Name.Octets)
            && BinaryPrimitives.ReadUInt16BigEndian(reply[end..]) == (ushort)question.Type
            && BinaryPrimitives.ReadUInt16BigEndian(reply[(end + 2)..]) == (ushort)question.Class;
    }

    private static ReplyVerdict VerdictOf(Rcode code) => code switch
    {
        Rcode.FormErr or Rcode.BadVers or Rcode.NotImp => ReplyVerdict.FormatError,
        Rcode.Refused or Rcode.NotAuth => ReplyVerdict.Refused,
        Rcode.BadCookie => ReplyVerdict.BadCookie,
        _ => ReplyVerdict.ServerFailure,
    };
}
