using Dns.Protocol;

namespace Dns.Forwarding;

/// <summary>Whether a message can be the reply to a question, by its header and question alone.</summary>
internal static class ReplyMatch
{
    /// <summary>How well it matches.</summary>
    internal enum Kind : byte
    {
        /// <summary>Not a response, not to a query, or another question.</summary>
        None,

        /// <summary>A header alone that says FORMERR: an upstream that does not know EDNS may answer so.</summary>
        BareFormatError,

        /// <summary>The question in another letter case.</summary>
        OtherCase,

        /// <summary>The question octet for octet.</summary>
        Exact,
    }

    /// <summary>Compares. The ID has been looked at before.</summary>
    /// <param name="reply">A message, a header at least.</param>
    /// <param name="question">Name, type and class as they were spelt.</param>
    internal static Kind Compare(ReadOnlySpan<byte> reply, ReadOnlySpan<byte> question)
    {
        ushort flags = MessageHeader.Flags(reply);
        if ((flags & MessageHeader.QueryResponse) == 0 || (flags & MessageHeader.OpcodeMask) != 0) return Kind.None;
        int questions = MessageHeader.Count(reply, 0);
        if (questions == 0)
            return reply.Length == MessageHeader.LengthOctets && (Rcode)(flags & MessageHeader.RcodeMask) == Rcode.FormErr
                ? Kind.BareFormatError : Kind.None;
        ReadOnlySpan<byte> rest = reply[MessageHeader.LengthOctets..];
        if (questions != 1 || rest.Length < question.Length) return Kind.None;
        if (rest[..question.Length].SequenceEqual(question)) return Kind.Exact;
        // Type and class are four octets that have no case.
        int name = question.Length - 4;
        return rest[name..question.Length].SequenceEqual(question[name..]) && WireName.EqualsIgnoreCase(rest[..name], question[..name])
            ? Kind.OtherCase : Kind.None;
    }
}
