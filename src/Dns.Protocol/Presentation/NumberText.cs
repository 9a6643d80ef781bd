using System.Buffers.Text;

namespace Dns.Protocol.Presentation;

/// <summary>Unsigned decimal numbers: digits only, no sign, no blanks.</summary>
internal static class NumberText
{
    /// <summary>Reads a number of at most <paramref name="max"/>.</summary>
    /// <returns>False if the text is empty, holds anything but digits, or is out of range.</returns>
    public static bool TryParse(ReadOnlySpan<byte> text, ulong max, out ulong value) =>
        // Utf8Parser stops at the first other character, such as a dot.
        Utf8Parser.TryParse(text, out value, out int length) && length == text.Length && value <= max;

    public static bool TryParse(ReadOnlySpan<byte> text, out ushort value)
    {
        bool parsed = TryParse(text, ushort.MaxValue, out ulong wide);
        value = (ushort)wide;
        return parsed;
    }

    public static bool TryParse(ReadOnlySpan<byte> text, out byte value)
    {
        bool parsed = TryParse(text, byte.MaxValue, out ulong wide);
        value = (byte)wide;
        return parsed;
    }
}
