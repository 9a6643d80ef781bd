namespace Dns.Protocol.Messages;

/// <summary>The 12 octets in front of every message (RFC 1035 §4.1.1, RFC 4035 §3.1.6 for AD and CD).</summary>
/// <remarks><code>
///                                  1  1  1  1  1  1
///    0  1  2  3  4  5  6  7  8  9  0  1  2  3  4  5
///  +--+--+--+--+--+--+--+--+--+--+--+--+--+--+--+--+
///  |                      ID                       |
///  |QR|   Opcode  |AA|TC|RD|RA| Z|AD|CD|   RCODE   |
///  |                    QDCOUNT                    |
///  |                    ANCOUNT                    |
///  |                    NSCOUNT                    |
///  |                    ARCOUNT                    |
///  +--+--+--+--+--+--+--+--+--+--+--+--+--+--+--+--+
/// </code></remarks>
public static class MessageHeader
{
    /// <summary>Length of the header.</summary>
    public const int LengthOctets = 12;

    /// <summary>QR: the message is a response.</summary>
    public const ushort QueryResponse = 0x8000;

    /// <summary>AA: the answer is authoritative.</summary>
    public const ushort AuthoritativeAnswer = 0x0400;

    /// <summary>TC: something mandatory did not fit.</summary>
    public const ushort Truncated = 0x0200;

    /// <summary>RD: recursion is requested; copied into the response.</summary>
    public const ushort RecursionDesired = 0x0100;

    /// <summary>RA: the server offers recursion.</summary>
    public const ushort RecursionAvailable = 0x0080;

    /// <summary>AD: the data was validated.</summary>
    public const ushort AuthenticData = 0x0020;

    /// <summary>CD: the client validates itself; copied into the response.</summary>
    public const ushort CheckingDisabled = 0x0010;

    /// <summary>The four bits of the opcode, in place.</summary>
    public const ushort OpcodeMask = 0x7800;

    /// <summary>The four bits of the RCODE.</summary>
    public const ushort RcodeMask = 0x000F;

    /// <summary>The message's ID.</summary>
    public static ushort Id(ReadOnlySpan<byte> message) => BinaryPrimitives.ReadUInt16BigEndian(message);

    /// <summary>Writes the message's ID.</summary>
    public static void SetId(Span<byte> message, ushort id) => BinaryPrimitives.WriteUInt16BigEndian(message, id);

    /// <summary>The second 16 bits: flags, opcode and RCODE.</summary>
    public static ushort Flags(ReadOnlySpan<byte> message) => BinaryPrimitives.ReadUInt16BigEndian(message[2..]);

    /// <summary>Writes the second 16 bits.</summary>
    public static void SetFlags(Span<byte> message, ushort flags) =>
        BinaryPrimitives.WriteUInt16BigEndian(message[2..], flags);

    /// <summary>The opcode within <paramref name="flags"/>.</summary>
    public static Opcode OpcodeOf(ushort flags) => (Opcode)((flags & OpcodeMask) >> 11);

    /// <summary>One of the four counts: 0 question, 1 answer, 2 authority, 3 additional.</summary>
    public static ushort Count(ReadOnlySpan<byte> message, int section) =>
        BinaryPrimitives.ReadUInt16BigEndian(message[(4 + section * 2)..]);

    /// <summary>
    /// Whether a message has no question and says FORMERR, SERVFAIL, NOTIMP or REFUSED: a server could not read the
    /// query, or does not copy the question. Of the query, only the ID identifies such a reply.
    /// </summary>
    /// <param name="message">A header at least.</param>
    public static bool IsBareError(ReadOnlySpan<byte> message) =>
        Count(message, 0) == 0
        && (Rcode)(Flags(message) & RcodeMask) is Rcode.FormErr or Rcode.ServFail or Rcode.NotImp or Rcode.Refused;

    /// <summary>Writes one of the four counts.</summary>
    public static void SetCount(Span<byte> message, int section, ushort count) =>
        BinaryPrimitives.WriteUInt16BigEndian(message[(4 + section * 2)..], count);
}
