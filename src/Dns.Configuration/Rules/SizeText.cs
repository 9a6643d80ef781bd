namespace Dns.Configuration.Rules;

/// <summary>
/// An amount of memory as text: bytes, or a number with <c>K</c>, <c>M</c> or <c>G</c> (1024, its square, its cube), or
/// with <c>%</c> of the memory that the server may have.
/// </summary>
public static class SizeText
{
    private static readonly (long Bytes, char Unit)[] Units = [(1L << 30, 'G'), (1L << 20, 'M'), (1L << 10, 'K')];

    /// <summary>The shortest way to write an amount.</summary>
    public static string Format(long bytes)
    {
        foreach ((long unit, char letter) in Units)
            if (bytes >= unit && bytes % unit == 0) return bytes / unit + letter.ToString();
        return bytes.ToString(CultureInfo.InvariantCulture);
    }

    internal static bool TryParse(ReadOnlySpan<char> text, bool takesPart, out long bytes)
    {
        if (text.EndsWith('%'))
        {
            bool isPart = int.TryParse(text[..^1], NumberStyles.None, CultureInfo.InvariantCulture, out int percent) &&
                takesPart && percent <= 100;
            bytes = isPart ? ServerMemory.Bytes / 100 * percent : 0;
            return isPart;
        }
        long factor = 1;
        foreach ((long unit, char letter) in Units)
            if (text.Length > 1 && char.ToUpperInvariant(text[^1]) == letter) factor = unit;
        if (factor > 1) text = text[..^1];
        if (!long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out bytes)) return false;
        bool isSmall = bytes <= long.MaxValue / factor;
        bytes *= isSmall ? factor : 0;
        return isSmall;
    }
}
