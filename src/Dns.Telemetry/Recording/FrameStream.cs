using System.Buffers;

namespace Dns.Telemetry.Recording;

/// <summary>
/// The frames of Frame Streams: a length of four octets and the data; length 0 announces a control frame.
/// <code>
/// data:    length (4) | octets
/// control: 0 (4) | length (4) | type (4) [ | field (4) | length (4) | octets ]
/// </code>
/// </summary>
public static class FrameStream
{
    /// <summary>Types of control frames.</summary>
    public const uint Accept = 1, Start = 2, Stop = 3, Ready = 4, Finish = 5;

    /// <summary>The longest control frame that is taken.</summary>
    public const int MostControlOctets = 512;

    private const uint ContentTypeField = 1;

    public static ReadOnlySpan<byte> ContentType => "protobuf:dnstap.Dnstap"u8;

    /// <summary>Makes a control frame.</summary>
    public static byte[] Control(uint type, bool hasContent)
    {
        int length = 4 + (hasContent ? 8 + ContentType.Length : 0);
        byte[] frame = new byte[8 + length];
        BinaryPrimitives.WriteUInt32BigEndian(frame.AsSpan(4), (uint)length);
        BinaryPrimitives.WriteUInt32BigEndian(frame.AsSpan(8), type);
        if (!hasContent) return frame;
        BinaryPrimitives.WriteUInt32BigEndian(frame.AsSpan(12), ContentTypeField);
        BinaryPrimitives.WriteUInt32BigEndian(frame.AsSpan(16), (uint)ContentType.Length);
        ContentType.CopyTo(frame.AsSpan(20));
        return frame;
    }

    public static void WriteData(IBufferWriter<byte> output, ReadOnlySpan<byte> data)
    {
        BinaryPrimitives.WriteUInt32BigEndian(output.GetSpan(4), (uint)data.Length);
        output.Advance(4);
        output.Write(data);
    }
}
