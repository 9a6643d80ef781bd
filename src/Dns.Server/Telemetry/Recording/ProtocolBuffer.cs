using System.Buffers;
using System.Buffers.Binary;

namespace Dns.Server;

/// <summary>Writes fields of a message in the encoding of Protocol Buffers: as much of it as dnstap needs.</summary>
internal static class ProtocolBuffer
{
    private const int Varint = 0, Octets = 2, Fixed32 = 5;

    /// <summary>Writes a number of variable length.</summary>
    public static void WriteNumber(IBufferWriter<byte> output, int field, ulong value)
    {
        WriteVarint(output, (ulong)(field << 3 | Varint));
        WriteVarint(output, value);
    }

    /// <summary>Writes a number of four octets.</summary>
    public static void WriteFixed32(IBufferWriter<byte> output, int field, uint value)
    {
        WriteVarint(output, (ulong)(field << 3 | Fixed32));
        BinaryPrimitives.WriteUInt32LittleEndian(output.GetSpan(4), value);
        output.Advance(4);
    }

    /// <summary>Writes octets, text or a message within the message.</summary>
    public static void WriteOctets(IBufferWriter<byte> output, int field, ReadOnlySpan<byte> value)
    {
        WriteVarint(output, (ulong)(field << 3 | Octets));
        WriteVarint(output, (ulong)value.Length);
        output.Write(value);
    }

    private static void WriteVarint(IBufferWriter<byte> output, ulong value)
    {
        Span<byte> room = output.GetSpan(10);
        int length = 0;
        for (; value >= 0x80; value >>= 7) room[length++] = (byte)(value | 0x80);
        room[length++] = (byte)value;
        output.Advance(length);
    }
}
