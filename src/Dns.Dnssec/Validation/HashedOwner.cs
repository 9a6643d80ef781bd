namespace Dns.Dnssec.Validation;

/// <summary>
/// The first label of an NSEC3 record's owner: a hash in base 32 with extended hexadecimal digits (RFC 5155 §3.3).
/// </summary>
public static class HashedOwner
{
    /// <summary>Digits of a hash.</summary>
    public const int LabelOctets = 32;

    /// <summary>Reads the first label of an owner.</summary>
    /// <param name="owner">A wire name, in any letter case.</param>
    /// <param name="hash">Receives <see cref="Nsec3Hash.LengthOctets"/> octets.</param>
    public static bool TryRead(ReadOnlySpan<byte> owner, Span<byte> hash)
    {
        if (owner.Length <= LabelOctets || owner[0] != LabelOctets) return false;
        ulong bits = 0;
        for (int i = 0, written = 0; i < LabelOctets; i++)
        {
            int digit = Digit(owner[1 + i]);
            if (digit < 0) return false;
            bits = bits << 5 | (uint)digit;
            if (i % 8 != 7) continue;
            for (int shift = 32; shift >= 0; shift -= 8) hash[written++] = (byte)(bits >> shift);
            bits = 0;
        }
        return true;
    }

    /// <summary>Writes the owner of a hash, in lower case, and returns its length.</summary>
    /// <param name="owner">At least 33 octets more than the zone's name.</param>
    public static int Write(ReadOnlySpan<byte> hash, ReadOnlySpan<byte> apex, Span<byte> owner)
    {
        owner[0] = LabelOctets;
        for (int i = 0; i < LabelOctets; i++)
        {
            int bit = i * 5, word = hash[bit >> 3] << 8 | (bit / 8 + 1 < hash.Length ? hash[(bit >> 3) + 1] : 0);
            owner[1 + i] = "0123456789abcdefghijklmnopqrstuv"u8[word >> (11 - (bit & 7)) & 31];
        }
        apex.CopyTo(owner[(1 + LabelOctets)..]);
        return 1 + LabelOctets + apex.Length;
    }

    private static int Digit(byte octet) => octet switch
    {
        >= (byte)'0' and <= (byte)'9' => octet - '0',
        >= (byte)'a' and <= (byte)'v' => octet - 'a' + 10,
        >= (byte)'A' and <= (byte)'V' => octet - 'A' + 10,
        _ => -1,
    };
}
