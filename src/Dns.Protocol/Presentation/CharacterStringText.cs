namespace Dns.Protocol.Presentation;

/// <summary>The octets of character-strings in text (RFC 1035 §5.1): quoted or not, with escapes.</summary>
internal static class CharacterStringText
{
    /// <summary>Resolves the escapes of a token into <paramref name="destination"/>.</summary>
    /// <returns>False on a bad escape or too small a destination.</returns>
    public static bool TryUnescape(ReadOnlySpan<byte> text, Span<byte> destination, out int written)
    {
        written = 0;
        int plain = text.IndexOf((byte)'\\');
        if (plain < 0) plain = text.Length;
        if (plain > destination.Length) return false;
        text[..plain].CopyTo(destination);
        written = plain;
        for (int i = plain; i < text.Length;)
        {
            byte octet = text[i++];
            if (octet == (byte)'\\' && !NameText.TryUnescape(text, ref i, out octet)) return false;
            if (written == destination.Length) return false;
            destination[written++] = octet;
        }
        return true;
    }

    /// <summary>
    /// Whether a token without quotes around it has a quote that is not escaped: some servers end the token there,
    /// others refuse it.
    /// </summary>
    public static bool HasQuote(ReadOnlySpan<byte> text)
    {
        int quote = text.IndexOf((byte)'"');
        return quote == 0 || quote > 0 && (text[quote - 1] != (byte)'\\' || HasQuoteSlow(text));
    }

    private static bool HasQuoteSlow(ReadOnlySpan<byte> text)
    {
        for (int i = 0; i < text.Length; i += text[i] == (byte)'\\' ? 2 : 1)
            if (text[i] == (byte)'"') return true;
        return false;
    }

    /// <summary>The octets of a token without its escapes; -1 on a bad escape.</summary>
    public static int Measure(ReadOnlySpan<byte> text)
    {
        int octets = 0;
        for (int i = 0; i < text.Length; octets++)
            if (text[i++] == (byte)'\\' && !NameText.TryUnescape(text, ref i, out _)) return -1;
        return octets;
    }

    public static void WriteQuoted(ReadOnlySpan<byte> octets, ref PresentationWriter writer)
    {
        writer.Write((byte)'"');
        foreach (byte octet in octets) WriteOctet(octet, ref writer);
        writer.Write((byte)'"');
    }

    /// <summary>Writes one octet, escaped for quotes if necessary.</summary>
    public static void WriteOctet(byte octet, ref PresentationWriter writer)
    {
        if (octet is < 0x20 or >= 0x7F)
        {
            writer.Write((byte)'\\');
            writer.Write((byte)('0' + octet / 100));
            writer.Write((byte)('0' + octet / 10 % 10));
            writer.Write((byte)('0' + octet % 10));
            return;
        }
        if (octet is (byte)'"' or (byte)'\\') writer.Write((byte)'\\');
        writer.Write(octet);
    }
}
