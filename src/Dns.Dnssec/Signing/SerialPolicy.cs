using Dns.Protocol;

namespace Dns.Dnssec;

/// <summary>Where the serials of signed versions come from.</summary>
public enum SerialPolicy : byte
{
    /// <summary>That of the source where it is greater than the last one, else one more than the last.</summary>
    Increment,

    /// <summary>Seconds since 1970, or one more than the last where that is not greater.</summary>
    UnixTime,

    /// <summary>The day of UTC and two digits, YYYYMMDDnn, or one more than the last where that is not greater.</summary>
    DateSerial,

    /// <summary>That of the source. Secondaries do not see what is signed again while the source stays as it is.</summary>
    Keep,
}

/// <summary>Serials by policy, in the arithmetic of RFC 1982.</summary>
public static class SerialPolicies
{
    /// <summary>The serial of the next signed version.</summary>
    /// <param name="policy">The policy.</param>
    /// <param name="source">The serial of the unsigned source.</param>
    /// <param name="previous">The serial of the signed version before; null if there is none.</param>
    /// <param name="now">The moment.</param>
    public static uint Next(SerialPolicy policy, uint source, uint? previous, DateTimeOffset now)
    {
        if (policy == SerialPolicy.Keep) return source;
        bool isSourceAhead = previous is not { } last || SerialNumber.IsGreater(source, last);
        uint least = isSourceAhead ? source : unchecked(previous!.Value + 1);
        uint wanted = policy switch
        {
            SerialPolicy.UnixTime => unchecked((uint)now.ToUnixTimeSeconds()),
            SerialPolicy.DateSerial => DateSerial(now.UtcDateTime),
            _ => least,
        };
        return SerialNumber.IsGreater(wanted, least) ? wanted : least;
    }

    /// <summary>Reads the name of a policy as settings have it, in any case.</summary>
    public static bool TryParse(string text, out SerialPolicy policy) =>
        Enum.TryParse(text, ignoreCase: true, out policy) && Enum.IsDefined(policy) && char.IsAsciiLetter(text[0]);

    private static uint DateSerial(DateTime day) => (uint)((day.Year * 10_000 + day.Month * 100 + day.Day) * 100);
}
