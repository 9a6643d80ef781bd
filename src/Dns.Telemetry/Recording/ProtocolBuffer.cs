using System.Buffers;

namespace Dns.Telemetry.Recording;

/// <summary>Writes fields in the encoding of Protocol Buffers, as far as dnstap and OTLP need it.</summary>
public static class ProtocolBuffer
{
    private const int Varint = 0, Fixed64 = 1, Octets = 2, Fixed32 = 5;

    public static void WriteNumber(IBufferWriter<byte> output, int field, ulong value)
    {
        WriteVarint(output, (ulong)(field << 3 | Varint));
        WriteVarint(output, value);
    }

    public static void WriteFixed32(IBufferWriter<byte> output, int field, uint value)
    {
        WriteVarint(output, (ulong)(field << 3 | Fixed32));
        BinaryPrimitives.WriteUInt32LittleEndian(output.GetSpan(4), value);
        output.Advance(4);
    }

    /// <summary>Writes a number of eight octets, or a floating-point one by its bits.</summary>
    public static void WriteFixed64(IBufferWriter<byte> output, int field, ulong value)
    {
        WriteVarint(output, (ulong)(field << 3 | Fixed64));
        Append(output, value);
    }

    /// <summary>Writes numbers of eight octets, packed.</summary>
    public static void WriteFixed64s(IBufferWriter<byte> output, int field, ReadOnlySpan<ulong> values)
    {
        WriteVarint(output, (ulong)(field << 3 | Octets));
        WriteVarint(output, (ulong)values.Length * sizeof(ulong));
        foreach (ulong value in values) Append(output, value);
    }

    /// <summary>Writes octets, text or a message within the message.</summary>
    public static void WriteOctets(IBufferWriter<byte> output, int field, ReadOnlySpan<byte> value)
    {
        WriteVarint(output, (ulong)(field << 3 | Octets));
        WriteVarint(output, (ulong)value.Length);
        output.Write(value);
    }

    private static void Append(IBufferWriter<byte> output, ulong value)
    {
        BinaryPrimitives.WriteUInt64LittleEndian(output.GetSpan(sizeof(ulong)), value);
        output.Advance(sizeof(ulong));
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
