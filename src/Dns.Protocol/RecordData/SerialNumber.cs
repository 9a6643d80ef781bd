namespace Dns.Protocol.RecordData;

/// <summary>Serial number arithmetic (RFC 1982).</summary>
public static class SerialNumber
{
    /// <summary>Whether the first is greater; undefined, and false, at a distance of 2^31 (RFC 1982 §3.2).</summary>
    public static bool IsGreater(uint serial, uint other) => unchecked((int)(serial - other)) > 0;
}
