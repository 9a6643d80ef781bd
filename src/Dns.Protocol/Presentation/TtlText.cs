namespace Dns.Protocol.Presentation;

/// <summary>TTLs in master files: seconds, or numbers with units such as <c>1w2d3h4m5s</c>.</summary>
public static class TtlText
{
    /// <summary>Parses digits, or one or more numbers with a unit each: w, d, h, m or s in either case.</summary>
    /// <param name="seconds">The sum in seconds, 0 to 2^32-1; 0 on failure.</param>
    /// <returns>False if the text is anything else or the sum does not fit into 32 bits.</returns>
    public static bool TryParse(ReadOnlySpan<byte> text, out uint seconds)
    {
        seconds = 0;
        ulong sum = 0, number = 0;
        int digits = 0;
        bool hasUnit = false;
        foreach (byte octet in text)
        {
            uint digit = (uint)(octet - '0');
            if (digit <= 9)
            {
                number = number * 10 + digit;
                digits++;
            }
            else
            {
                uint unit = SecondsOf(octet);
                if (unit == 0 || digits == 0) return false;
                sum += number * unit;
                hasUnit = true;
                number = 0;
                digits = 0;
            }
            // Checked at every step, so that nothing overflows 64 bits.
            if (number > uint.MaxValue || sum > uint.MaxValue) return false;
        }
        if (hasUnit ? digits != 0 : digits == 0) return false;
        seconds = (uint)(sum + number);
        return true;
    }

    private static uint SecondsOf(byte unit) => (unit | 0x20) switch
    {
        'w' => 7 * 86400,
        'd' => 86400,
        'h' => 3600,
        'm' => 60,
        's' => 1,
        _ => 0,
    };
}
