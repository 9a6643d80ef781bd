using System.Buffers;

namespace Dns.Protocol.Presentation;

/// <summary>Octets as hexadecimal digits of either case (RFC 4648 §8).</summary>
internal static class HexText
{
    /// <summary>The value of one digit, or -1; for formats with separators between digits.</summary>
    public static int Digit(byte octet)
    {
        uint value = (uint)(octet - '0');
        if (value <= 9) return (int)value;
        value = (uint)((octet | 0x20) - 'a');
        return value <= 5 ? (int)value + 10 : -1;
    }

    /// <summary>Reads pairs of digits; the destination has to be half as long as the text at least.</summary>
    /// <returns>False on an odd number of digits or any other character.</returns>
    public static bool TryParse(ReadOnlySpan<byte> text, Span<byte> destination) =>
        Convert.FromHexString(text, destination, out _, out _) == OperationStatus.Done;
}
