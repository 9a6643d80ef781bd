namespace Dns.Forwarding.Acceptance;

/// <summary>
/// Records with private addresses, which a public name must not have (DNS rebinding): the host, private, shared,
/// link-local and unique-local ranges of RFC 6890.
/// </summary>
internal static class PrivateAddress
{
    private const int Ipv4HintKey = 4;
    private const int Ipv6HintKey = 6;

    /// <summary>Whether valid uncompressed RDATA of A, AAAA, or hints of SVCB and HTTPS has such an address.</summary>
    public static bool IsIn(RRType type, ReadOnlySpan<byte> rdata) => type switch
    {
        RRType.A => IsPrivate4(rdata),
        RRType.AAAA => IsPrivate6(rdata),
        RRType.SVCB or RRType.HTTPS => IsInHints(rdata),
        _ => false,
    };

    private static bool IsPrivate4(ReadOnlySpan<byte> address) => address[0] switch
    {
        0 or 10 or 127 => true,
        100 => (address[1] & 0xC0) == 64,
        169 => address[1] == 254,
        172 => (address[1] & 0xF0) == 16,
        192 => address[1] == 168,
        _ => false,
    };

    private static bool IsPrivate6(ReadOnlySpan<byte> address)
    {
        ulong high = BinaryPrimitives.ReadUInt64BigEndian(address),
            low = BinaryPrimitives.ReadUInt64BigEndian(address[8..]);
        bool isMapped = high == 0 && low >> 32 is 0xFFFF or 0;
        // The NAT64 prefix of an IPv4 address (RFC 6052 §2.1).
        bool isTranslated = high == 0x0064_FF9B_0000_0000 && low >> 32 == 0;
        if (isMapped || isTranslated) return IsPrivate4(address[12..]);
        return (address[0] & 0xFE) == 0xFC || (address[0] == 0xFE && (address[1] & 0x80) == 0x80);
    }

    private static bool IsInHints(ReadOnlySpan<byte> rdata)
    {
        if (!WireName.TryMeasure(rdata[2..], out int target)) return false;
        for (ReadOnlySpan<byte> rest = rdata[(2 + target)..]; rest.Length >= 4;)
        {
            int key = BinaryPrimitives.ReadUInt16BigEndian(rest),
                length = BinaryPrimitives.ReadUInt16BigEndian(rest[2..]);
            ReadOnlySpan<byte> value = rest.Slice(4, length);
            for (; key == Ipv4HintKey && value.Length >= 4; value = value[4..])
                if (IsPrivate4(value)) return true;
            for (; key == Ipv6HintKey && value.Length >= 16; value = value[16..])
                if (IsPrivate6(value)) return true;
            rest = rest[(4 + length)..];
        }
        return false;
    }
}
