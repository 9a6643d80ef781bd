namespace Dns.Dnssec.Keys;

/// <summary>The number that identifies a key in RRSIG and DS records (RFC 4034 app. B).</summary>
public static class KeyTag
{
    private const byte RsaMd5 = 1;

    /// <summary>The tag of a DNSKEY record's RDATA.</summary>
    public static ushort Of(ReadOnlySpan<byte> rdata)
    {
        // For algorithm 1 it is a part of the modulus (RFC 4034 app. B.1).
        if (rdata.Length >= 4 && rdata[3] == RsaMd5)
            return rdata.Length < 7 ? (ushort)0 : (ushort)(rdata[^3] << 8 | rdata[^2]);
        uint sum = 0;
        for (int i = 0; i < rdata.Length; i++) sum += (i & 1) == 0 ? (uint)rdata[i] << 8 : rdata[i];
        return (ushort)(sum + (sum >> 16));
    }
}
