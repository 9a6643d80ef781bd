namespace Dns.Protocol;

/// <summary>Serial numbers of zones, which go round (RFC 1982).</summary>
public static class SerialNumber
{
    /// <summary>
    /// Whether <paramref name="serial"/> is greater than <paramref name="other"/>. Of two numbers just 2^31 apart neither
    /// is (RFC 1982 §3.2).
    /// </summary>
    public static bool IsGreater(uint serial, uint other) => unchecked((int)(serial - other)) > 0;
}
