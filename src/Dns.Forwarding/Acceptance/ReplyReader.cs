using System.Buffers.Binary;
using Dns.Protocol;

namespace Dns.Forwarding;

/// <summary>Reads an upstream's reply strictly and takes over only what answers the question.</summary>
/// <remarks>
/// The reply has been matched already: socket, address, ID and question are ours. Whatever its octets are, nothing throws, the
/// work is linear in its size, and nothing grows with a count in its header. Nothing is validated: AD is the upstream's word.
/// </remarks>
public static class ReplyReader
{
    /// <summary>Reads a reply.</summary>
    /// <param name="question">What was asked.</param>
    /// <param name="reply">The whole message.</param>
    /// <param name="rules">The caps and filters of the forwarded zone.</param>
    /// <param name="trustAuthenticData">Whether the upstream's AD is believed.</param>
    /// <param name="answer">Receives what is taken over; meaningful if the verdict is <see cref="ReplyVerdict.Accepted"/>.</param>
    public static ReplyVerdict Read(
        in Question question, ReadOnlySpan<byte> reply, AcceptanceRules rules, bool trustAuthenticData, AcceptedAnswer answer)
    {
        // Before any name is looked at: what changes from here on is noticed by who uses the answer later.
        answer.Clear(in question, rules.Routing?.Generation ?? 0);
        if (reply.Length is < MessageHeader.LengthOctets or > ushort.MaxValue) return ReplyVerdict.Malformed;
        ushort flags = MessageHeader.Flags(reply);
        if ((flags & MessageHeader.QueryResponse) == 0 || MessageHeader.OpcodeOf(flags) != Opcode.Query) return ReplyVerdict.Malformed;
        // Servers that choke on a query send back anything, a bare header even: the code says all.
        Rcode code = (Rcode)(flags & MessageHeader.RcodeMask);
        if (code is Rcode.FormErr or Rcode.ServFail or Rcode.NotImp or Rcode.Refused) return VerdictOf(code);
        if (!HasQuestion(in question, reply)) return ReplyVerdict.Malformed;
        if ((flags & MessageHeader.Truncated) != 0) return ReplyVerdict.Truncated;

        reply = answer.CopyOf(reply, in question);
        if (!answer.Found.TryRead(reply, question.EndOffset, in question)) return ReplyVerdict.Malformed;
        code = answer.Found.Rcode;
        if (code is not (Rcode.NoError or Rcode.NXDomain or Rcode.YXDomain)) return VerdictOf(code);
        answer.WritableHeader.Rcode = code;
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
        Rcode.FormErr or Rcode.BadVers => ReplyVerdict.FormatError,
        Rcode.Refused or Rcode.NotAuth => ReplyVerdict.Refused,
        Rcode.NotImp => ReplyVerdict.NotImplemented,
        Rcode.BadCookie => ReplyVerdict.BadCookie,
        _ => ReplyVerdict.ServerFailure,
    };
}
