namespace Dns.Answering.Handling;

/// <summary>Replies of a header alone, to messages that could not be parsed as a query.</summary>
internal static class HeaderReply
{
    /// <summary>Writes ID, opcode and RCODE over the message at the start of a span; returns the length.</summary>
    internal static int Write(Span<byte> message, ushort flags, Rcode rcode)
    {
        // RD is defined for QUERY only; all other flags of an unknown opcode are cleared.
        int kept = flags & (rcode == Rcode.FormErr
            ? MessageHeader.OpcodeMask | MessageHeader.RecursionDesired : MessageHeader.OpcodeMask);
        MessageHeader.SetFlags(message, (ushort)(MessageHeader.QueryResponse | kept | (ushort)rcode));
        message[4..MessageHeader.LengthOctets].Clear();
        return MessageHeader.LengthOctets;
    }
}
