namespace Dns.Protocol;

/// <summary>
/// Signature times (RFC 4034 §3.2): YYYYMMDDHHmmSS in UTC, or seconds since 1970 as a plain number.
/// </summary>
/// <remarks>
/// The 32 bits on the wire stand for 1970 to 2106, and not for the 68 years around now: this project has no clock, and
/// the same octets must always give the same text.
/// </remarks>
internal static class TimeText
{
    /// <summary>Length of the date form.</summary>
    public const int Chars = 14;

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
        if (!NumberText.TryParse(text, ulong.MaxValue, out ulong digits)) return false;
        int second = (int)(digits % 100), minute = (int)(digits / 100 % 100), hour = (int)(digits / 10_000 % 100);
        int day = (int)(digits / 1_000_000 % 100), month = (int)(digits / 100_000_000 % 100);
        int year = (int)(digits / 10_000_000_000);
        if (year is < 1970 or > 2106 || month is < 1 or > 12 || day < 1 || day > DateTime.DaysInMonth(year, month)
            || hour > 23 || minute > 59 || second > 59)
            return false;
        DateTime time = new(year, month, day, hour, minute, second, DateTimeKind.Utc);
        long total = (time - DateTime.UnixEpoch).Ticks / TimeSpan.TicksPerSecond;
        seconds = (uint)total;
        return total <= uint.MaxValue;
    }

    /// <summary>Writes the date form.</summary>
    public static void Write(uint seconds, ref PresentationWriter writer)
    {
        Span<byte> text = stackalloc byte[Chars];
        DateTime.UnixEpoch.AddSeconds(seconds).TryFormat(text, out int written, "yyyyMMddHHmmss");
        writer.Write(text[..written]);
    }
}
