namespace Dns.Protocol.Presentation;

/// <summary>Signature times (RFC 4034 §3.2): YYYYMMDDHHmmSS in UTC, or seconds since 1970 as a number.</summary>
/// <remarks>
/// The 32 bits on the wire stand for 1970 to 2106, and not for the 68 years around now: this project has no clock, and
/// the same octets must always give the same text. A later date loses its higher bits (RFC 4034 §3.1.5).
/// </remarks>
internal static class TimeText
{
    /// <summary>Length of the date form.</summary>
    public const int Chars = 14;

    private static readonly int EpochDay = DateOnly.FromDateTime(DateTime.UnixEpoch).DayNumber;

    /// <summary>Reads either form; 14 digits are a date.</summary>
    public static bool TryParse(ReadOnlySpan<byte> text, out uint seconds)
    {
        seconds = 0;
        if (text.Length != Chars)
        {
            bool parsed = NumberText.TryParse(text, uint.MaxValue, out ulong plain);
            seconds = (uint)plain;
            return parsed;
        }
        if (text.ContainsAnyExceptInRange((byte)'0', (byte)'9')) return false;
        int year = Pair(text, 0) * 100 + Pair(text, 2), month = Pair(text, 4), day = Pair(text, 6);
        int hour = Pair(text, 8), minute = Pair(text, 10), second = Pair(text, 12);
        if (year < 1970 || month is < 1 or > 12 || day < 1 || day > DateTime.DaysInMonth(year, month)
            || hour > 23 || minute > 59 || second > 59)
            return false;
        long days = new DateOnly(year, month, day).DayNumber - EpochDay;
        long total = ((days * 24 + hour) * 60 + minute) * 60 + second;
        seconds = unchecked((uint)total);
        return true;
    }

    private static int Pair(ReadOnlySpan<byte> digits, int at) => digits[at] * 10 + digits[at + 1] - '0' * 11;

    /// <summary>Writes the date form.</summary>
    public static void Write(uint seconds, ref PresentationWriter writer)
    {
        Span<byte> text = stackalloc byte[Chars];
        DateTime.UnixEpoch.AddSeconds(seconds).TryFormat(text, out int written, "yyyyMMddHHmmss");
        writer.Write(text[..written]);
    }
}
