using System.Buffers.Binary;

namespace Dns.Testing;

/// <summary>
/// Reads Protocol Buffers, dnstap and Frame Streams, written from their descriptions and not from our writer.
/// </summary>
public static class DnstapReading
{
    /// <summary>The data frames of a whole stream that begins with START and ends with STOP.</summary>
    public static byte[][] Frames(ReadOnlySpan<byte> stream)
    {
        List<byte[]> frames = [];
        uint? last = null;
        while (!stream.IsEmpty)
        {
            int length = BinaryPrimitives.ReadInt32BigEndian(stream);
            stream = stream[4..];
            if (length > 0)
            {
                if (last != 2) throw new FormatException("data before START or behind STOP");
                frames.Add(stream[..length].ToArray());
                stream = stream[length..];
                continue;
            }
            last = ReadControl(ref stream);
        }
        return last == 3 ? [.. frames] : throw new FormatException("no STOP");
    }

    /// <summary>The fields of a message that has none twice: numbers as ulong, the rest as octets.</summary>
    public static Dictionary<int, object> Fields(ReadOnlySpan<byte> message) =>
        AllFields(message).ToDictionary(field => field.Number, field => field.Value);

    /// <summary>The fields of a message in their order: numbers as ulong, the rest as octets.</summary>
    public static IReadOnlyList<(int Number, object Value)> AllFields(ReadOnlySpan<byte> message)
    {
        List<(int, object)> fields = [];
        while (!message.IsEmpty)
        {
            ulong tag = ReadVarint(ref message);
            object value;
            switch (tag & 7)
            {
                case 0:
                    value = ReadVarint(ref message);
                    break;
                case 2:
                    int length = (int)ReadVarint(ref message);
                    value = message[..length].ToArray();
                    message = message[length..];
                    break;
                case 1:
                    value = BinaryPrimitives.ReadUInt64LittleEndian(message);
                    message = message[8..];
                    break;
                case 5:
                    value = (ulong)BinaryPrimitives.ReadUInt32LittleEndian(message);
                    message = message[4..];
                    break;
                default:
                    throw new FormatException($"wire type {tag & 7}");
            }
            fields.Add(((int)(tag >> 3), value));
        }
        return fields;
    }

    /// <summary>Reads a control frame behind its escape, and gives its type.</summary>
    public static uint ReadControl(ref ReadOnlySpan<byte> stream)
    {
        int length = BinaryPrimitives.ReadInt32BigEndian(stream);
        uint type = BinaryPrimitives.ReadUInt32BigEndian(stream[4..]);
        if (type is 1 or 2 or 4 && !stream.Slice(4, length).EndsWith("protobuf:dnstap.Dnstap"u8))
            throw new FormatException("no content type");
        stream = stream[(4 + length)..];
        return type;
    }

    private static ulong ReadVarint(ref ReadOnlySpan<byte> octets)
    {
        ulong value = 0;
        for (int shift = 0; ; shift += 7)
        {
            byte octet = octets[0];
            octets = octets[1..];
            value |= (ulong)(octet & 0x7F) << shift;
            if (octet < 0x80) return value;
        }
    }
}
