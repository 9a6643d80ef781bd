namespace Dns.Zones.Denial;

/// <summary>
/// Owner names of NSEC3 records (RFC 5155 §3): the hash in base 32 with the extended hex alphabet, below the apex.
/// </summary>
public static class Nsec3Owner
{
    /// <summary>Octets of the label without its length.</summary>
    public const int LabelOctets = 32;

    /// <summary>The longest name of a zone that leaves room for such a label, in octets.</summary>
    public const int MaxApexOctets = WireName.MaxOctets - LabelOctets - 1;

    // Eight digits are five octets.
    private const int GroupDigits = 8;
    private const int GroupOctets = 5;
    private const int DigitBits = 5;

    /// <summary>Reads the hash.</summary>
    /// <param name="name">A lower-case wire name.</param>
    /// <param name="hash">Receives <see cref="Nsec3Hash.LengthOctets"/> octets.</param>
    /// <returns>False if the name is not a hash before a name of that length.</returns>
    public static bool TryRead(ReadOnlySpan<byte> name, int apexOctets, Span<byte> hash)
    {
        if (name[0] != LabelOctets || name.Length != 1 + LabelOctets + apexOctets) return false;
        ReadOnlySpan<byte> digits = name.Slice(1, LabelOctets);
        for (int group = 0; group < LabelOctets / GroupDigits; group++)
        {
            ulong bits = 0;
            foreach (byte digit in digits.Slice(group * GroupDigits, GroupDigits))
            {
                int value = Value(digit);
                if (value < 0) return false;
                bits = bits << DigitBits | (uint)value;
            }
            for (int i = GroupOctets - 1; i >= 0; i--, bits >>= 8) hash[group * GroupOctets + i] = (byte)bits;
        }
        return true;
    }

    /// <summary>Whether a name may be that of a hash with this first octet: false if its first digit differs.</summary>
    internal static bool BeginsAs(ReadOnlySpan<byte> name, byte first) =>
        name.Length > 1 && name[1] == "0123456789abcdefghijklmnopqrstuv"u8[first >> (8 - DigitBits)];

    /// <summary>Writes the label with its length, in lower case.</summary>
    /// <param name="hash"><see cref="Nsec3Hash.LengthOctets"/> octets.</param>
    /// <param name="label">Receives 1 + <see cref="LabelOctets"/> octets.</param>
    public static void Write(ReadOnlySpan<byte> hash, Span<byte> label)
    {
        label[0] = LabelOctets;
        for (int group = 0; group < LabelOctets / GroupDigits; group++)
        {
            ulong bits = 0;
            foreach (byte octet in hash.Slice(group * GroupOctets, GroupOctets)) bits = bits << 8 | octet;
            for (int i = GroupDigits; i > 0; i--, bits >>= DigitBits)
                label[group * GroupDigits + i] = "0123456789abcdefghijklmnopqrstuv"u8[(int)bits & 31];
        }
    }

    private static int Value(byte digit)
    {
        uint value = (uint)(digit - '0');
        if (value <= 9) return (int)value;
        value = (uint)(digit - 'a');
        return value <= 'v' - 'a' ? (int)value + 10 : -1;
    }
}
