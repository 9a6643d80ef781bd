using Dns.Protocol;

namespace Dns.Answering;

/// <summary>Replies of twelve octets, to what could not be read as a query.</summary>
internal static class HeaderReply
{
    /// <summary>Writes ID, opcode and code over the message.</summary>
    /// <param name="message">Starts with the message's header.</param>
    /// <param name="flags">The message's flags.</param>
    /// <param name="rcode">The code.</param>
    /// <returns>Length of the reply.</returns>
    internal static int Write(Span<byte> message, ushort flags, Rcode rcode)
    {
        // RD means something for QUERY only; everything else of an unknown opcode is cleared.
        int kept = flags & (rcode == Rcode.FormErr
            ? MessageHeader.OpcodeMask | MessageHeader.RecursionDesired : MessageHeader.OpcodeMask);
        MessageHeader.SetFlags(message, (ushort)(MessageHeader.QueryResponse | kept | (ushort)rcode));
        message[4..MessageHeader.LengthOctets].Clear();
        return MessageHeader.LengthOctets;
    }
}
