namespace Dns.Protocol.RecordData;

/// <summary>Serial number arithmetic (RFC 1982).</summary>
public static class SerialNumber
{
    /// <summary>Whether the first is greater; undefined, and false, at a distance of 2^31 (RFC 1982 §3.2).</summary>
    public static bool IsGreater(uint serial, uint other) => unchecked((int)(serial - other)) > 0;

    /// <summary>The next serial (RFC 2136 §3.6); never 0, which some implementations take for none.</summary>
    public static uint Next(uint serial) => serial == uint.MaxValue ? 1 : serial + 1;
}
