using System.Buffers.Text;

namespace Dns.Zones.MasterFiles;

/// <summary>The range of a <c>$GENERATE</c>: <c>start-stop</c> or <c>start-stop/step</c>, stop included.</summary>
/// <param name="Start">The first number, from 0.</param>
/// <param name="Stop">The last number at most, not below the first.</param>
/// <param name="Step">From 1.</param>
internal readonly record struct GenerateRange(long Start, long Stop, long Step)
{
    /// <summary>Reads a range; numbers go up to 2^31-1.</summary>
    public static GenerateFault Parse(ReadOnlySpan<byte> text, out GenerateRange range)
    {
        range = default;
        long step = 1;
        if (!TryTake(ref text, out long start) || !TrySkip(ref text, (byte)'-') || !TryTake(ref text, out long stop))
            return GenerateFault.Range;
        if (!text.IsEmpty && (!TrySkip(ref text, (byte)'/') || !TryTake(ref text, out step) || !text.IsEmpty))
            return GenerateFault.Range;
        range = new GenerateRange(start, stop, step);
        return stop < start ? GenerateFault.RangeOrder : step == 0 ? GenerateFault.Step : GenerateFault.None;
    }

    private static bool TryTake(ref ReadOnlySpan<byte> text, out long number)
    {
        number = 0;
        if (text.IsEmpty || !char.IsAsciiDigit((char)text[0])) return false;
        if (!Utf8Parser.TryParse(text, out number, out int used) || number > int.MaxValue) return false;
        text = text[used..];
        return true;
    }

    private static bool TrySkip(ref ReadOnlySpan<byte> text, byte octet)
    {
        if (text.IsEmpty || text[0] != octet) return false;
        text = text[1..];
        return true;
    }
}
