namespace Dns.Dnssec.Keys;

/// <summary>ECDSA signatures: two numbers in DNSSEC (RFC 6605 §4), a DER SEQUENCE of them in libraries.</summary>
internal static class EcdsaSignature
{
    /// <summary>Maximum length of a SEQUENCE of two numbers of P-384.</summary>
    internal const int MaxDerOctets = 2 + 2 * (2 + 1 + 48);

    private const byte Sequence = 0x30;
    private const byte Integer = 0x02;

    /// <summary>Writes the SEQUENCE of two numbers, and returns its length.</summary>
    internal static int ToDer(ReadOnlySpan<byte> signature, Span<byte> der)
    {
        int half = signature.Length / 2, end = 2;
        Write(signature[..half], der, ref end);
        Write(signature[half..], der, ref end);
        (der[0], der[1]) = (Sequence, (byte)(end - 2));
        return end;
    }

    /// <summary>Writes the two numbers of a SEQUENCE, a half of the signature each; false if they do not fit.</summary>
    internal static bool TryFromDer(ReadOnlySpan<byte> der, Span<byte> signature)
    {
        int half = signature.Length / 2;
        if (der.Length < 2 || der[0] != Sequence || der[1] != der.Length - 2) return false;
        der = der[2..];
        return TryRead(ref der, signature[..half]) && TryRead(ref der, signature[half..]) && der.IsEmpty;
    }

    private static void Write(ReadOnlySpan<byte> number, Span<byte> der, ref int end)
    {
        // Leading zeros are left out, except one before a set sign bit or of the number 0.
        while (number.Length > 1 && number[0] == 0) number = number[1..];
        int pad = number[0] >= 0x80 ? 1 : 0;
        (der[end], der[end + 1], der[end + 2]) = (Integer, (byte)(number.Length + pad), 0);
        number.CopyTo(der[(end + 2 + pad)..]);
        end += 2 + pad + number.Length;
    }

    private static bool TryRead(ref ReadOnlySpan<byte> der, Span<byte> number)
    {
        if (der.Length < 3 || der[0] != Integer || der[1] > der.Length - 2) return false;
        ReadOnlySpan<byte> octets = der.Slice(2, der[1]).TrimStart((byte)0);
        if (octets.Length > number.Length) return false;
        der = der[(2 + der[1])..];
        number.Clear();
        octets.CopyTo(number[(number.Length - octets.Length)..]);
        return true;
    }
}
