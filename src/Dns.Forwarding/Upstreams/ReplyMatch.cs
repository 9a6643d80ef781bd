namespace Dns.Forwarding.Upstreams;

/// <summary>Whether header and question of a message match a query.</summary>
internal static class ReplyMatch
{
    internal enum Kind : byte
    {
        /// <summary>Not a response, not to a query, or another question.</summary>
        None,

        /// <summary>An error without a question; see <see cref="MessageHeader.IsBareError"/>.</summary>
        BareError,

        /// <summary>The question in another letter case.</summary>
        OtherCase,

        /// <summary>The question, octet for octet.</summary>
        Exact,
    }

    /// <summary>Compares a message. The ID was checked before.</summary>
    /// <param name="reply">A message, a header at least.</param>
    /// <param name="question">Name, type and class in their letter case.</param>
    internal static Kind Compare(ReadOnlySpan<byte> reply, ReadOnlySpan<byte> question)
    {
        ushort flags = MessageHeader.Flags(reply);
        if ((flags & MessageHeader.QueryResponse) == 0 || (flags & MessageHeader.OpcodeMask) != 0) return Kind.None;
        if (MessageHeader.IsBareError(reply)) return Kind.BareError;
        ReadOnlySpan<byte> rest = reply[MessageHeader.LengthOctets..];
        if (MessageHeader.Count(reply, 0) != 1 || rest.Length < question.Length) return Kind.None;
        if (rest[..question.Length].SequenceEqual(question)) return Kind.Exact;
        // Type and class are four octets without letter case.
        int name = question.Length - 4;
        return rest[name..question.Length].SequenceEqual(question[name..]) &&
            WireName.EqualsIgnoreCase(rest[..name], question[..name])
            ? Kind.OtherCase : Kind.None;
    }
}
