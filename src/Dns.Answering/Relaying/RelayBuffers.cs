using Dns.Protocol;

namespace Dns.Answering;

/// <summary>Room for the answer of others before it is joined to ours; two buffers for each thread that ever needs them.</summary>
internal static class RelayBuffers
{
    /// <summary>TYPE, CLASS, TTL and RDLENGTH of a record.</summary>
    internal const int RecordFixedOctets = 10;

    [ThreadStatic]
    private static byte[]? _message;

    [ThreadStatic]
    private static byte[]? _rdata;

    /// <summary>Room for a whole message.</summary>
    internal static byte[] Message => _message ??= new byte[ushort.MaxValue];

    /// <summary>Room for any RDATA, uncompressed.</summary>
    internal static byte[] Rdata => _rdata ??= new byte[Protocol.Rdata.MaxOctets];

    /// <summary>Writes the question of a message that has nothing else yet.</summary>
    internal static void WriteQuestion(Span<byte> message, scoped Question question)
    {
        message[..MessageHeader.LengthOctets].Clear();
        question.Name.Octets.CopyTo(message[MessageHeader.LengthOctets..]);
        Span<byte> rest = message.Slice(MessageHeader.LengthOctets + question.Name.Length, 4);
        System.Buffers.Binary.BinaryPrimitives.WriteUInt16BigEndian(rest, (ushort)question.Type);
        System.Buffers.Binary.BinaryPrimitives.WriteUInt16BigEndian(rest[2..], (ushort)question.Class);
    }
}
