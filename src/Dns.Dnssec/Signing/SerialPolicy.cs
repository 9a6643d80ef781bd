namespace Dns.Dnssec.Signing;

/// <summary>The origin of serials of signed versions.</summary>
public enum SerialPolicy : byte
{
    /// <summary>That of the source if it is greater than the last one, else the last plus one.</summary>
    Increment,

    /// <summary>Seconds since 1970 if that is greater than the last one, else the last plus one.</summary>
    UnixTime,

    /// <summary>The UTC date and two digits, YYYYMMDDnn, if greater than the last, else the last plus one.</summary>
    DateSerial,

    /// <summary>That of the source. Secondaries then miss renewed signatures while the source is unchanged.</summary>
    Keep,
}

/// <summary>Serials by policy, in the arithmetic of RFC 1982.</summary>
public static class SerialPolicies
{
    /// <summary>The serial of the next signed version.</summary>
    /// <param name="previous">
    /// That of the previous signed version; null if none: then the source's, which secondaries have without signatures.
    /// </param>
    public static uint Next(SerialPolicy policy, uint source, uint? previous, DateTimeOffset now)
    {
        if (policy == SerialPolicy.Keep) return source;
        uint last = previous ?? source;
        uint least = SerialNumber.IsGreater(source, last) ? source : unchecked(last + 1);
        uint wanted = policy switch
        {
            SerialPolicy.UnixTime => unchecked((uint)now.ToUnixTimeSeconds()),
            SerialPolicy.DateSerial => DateSerial(now.UtcDateTime),
            _ => least,
        };
        return SerialNumber.IsGreater(wanted, least) ? wanted : least;
    }

    /// <summary>Reads the name of a policy in settings, in any letter case.</summary>
    public static bool TryParse(string text, out SerialPolicy policy) =>
        Enum.TryParse(text, ignoreCase: true, out policy) && Enum.IsDefined(policy) && char.IsAsciiLetter(text[0]);

    private static uint DateSerial(DateTime day) => (uint)((day.Year * 10_000 + day.Month * 100 + day.Day) * 100);
}
