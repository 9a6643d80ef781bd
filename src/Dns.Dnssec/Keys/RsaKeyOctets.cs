using System.Security.Cryptography;

namespace Dns.Dnssec.Keys;

/// <summary>RSA public keys in DNSKEY records (RFC 3110 §2): exponent length, exponent, modulus.</summary>
/// <remarks>
/// Keys are bounded: the cost of a verification grows with the square of the modulus and with the bits of the exponent.
/// All keys in use have an exponent of up to 33 bits.
/// </remarks>
internal static class RsaKeyOctets
{
    internal const int MinBits = 512;
    internal const int MaxBits = 4096;
    private const int MaxExponentOctets = 5;

    /// <summary>Reads a key; false if it is malformed or out of bounds.</summary>
    internal static bool TryRead(ReadOnlySpan<byte> octets, out RSAParameters parameters)
    {
        parameters = default;
        if (octets.Length < 3) return false;
        int length = octets[0], start = 1;
        if (length == 0) (length, start) = (BinaryPrimitives.ReadUInt16BigEndian(octets[1..]), 3);
        if (length == 0 || length >= octets.Length - start) return false;
        ReadOnlySpan<byte> exponent = octets.Slice(start, length).TrimStart((byte)0);
        ReadOnlySpan<byte> modulus = octets[(start + length)..].TrimStart((byte)0);
        if (exponent.Length is 0 or > MaxExponentOctets || modulus.IsEmpty) return false;
        int bits = BitsOf(modulus);
        // An even modulus or exponent, or the exponent 1, is invalid.
        if (bits is < MinBits or > MaxBits || (modulus[^1] & 1) == 0 || (exponent[^1] & 1) == 0 || exponent is [1])
            return false;
        parameters = new RSAParameters { Exponent = exponent.ToArray(), Modulus = modulus.ToArray() };
        return true;
    }

    internal static byte[] Write(ReadOnlySpan<byte> exponent, ReadOnlySpan<byte> modulus)
    {
        exponent = exponent.TrimStart((byte)0);
        modulus = modulus.TrimStart((byte)0);
        return exponent.Length <= byte.MaxValue
            ? [(byte)exponent.Length, .. exponent, .. modulus]
            : [0, (byte)(exponent.Length >> 8), (byte)exponent.Length, .. exponent, .. modulus];
    }

    /// <summary>Bits of a number without leading zeros.</summary>
    internal static int BitsOf(ReadOnlySpan<byte> number) =>
        number.IsEmpty ? 0 : number.Length * 8 - (byte.LeadingZeroCount(number[0]));
}
