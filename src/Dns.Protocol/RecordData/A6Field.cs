namespace Dns.Protocol.RecordData;

/// <summary>The RDATA of A6, historic (RFC 2874 §3).</summary>
/// <remarks><code>
///  +-----------+--------------------------+--------------------+
///  | prefix    | address suffix, the last | prefix name, if    |
///  | length P  | 128 - P bits, padded     | P is not 0         |
///  +-----------+--------------------------+--------------------+
/// </code></remarks>
internal static class A6Field
{
    private const int MaxPrefix = 128;

    /// <summary>The length, or -1 if the prefix is above 128, a padding bit is set, or a part is missing.</summary>
    public static int Measure(ReadOnlySpan<byte> rest)
    {
        if (rest.IsEmpty || rest[0] > MaxPrefix) return -1;
        int nameAt = NameAt(rest[0]);
        if (rest.Length < nameAt || !HasClearPadding(rest[0], rest[1..nameAt])) return -1;
        if (rest[0] == 0) return nameAt;
        return WireName.TryMeasure(rest[nameAt..], out int name) ? nameAt + name : -1;
    }

    /// <summary>Where the prefix name begins, were there one.</summary>
    public static int NameAt(byte prefix) => 1 + SuffixOctets(prefix);

    private static int SuffixOctets(byte prefix) => (MaxPrefix - prefix + 7) / 8;

    private static bool HasClearPadding(byte prefix, ReadOnlySpan<byte> suffix) =>
        suffix.IsEmpty || (suffix[0] & ~(0xFF >> (prefix & 7))) == 0;

    /// <summary>Reads prefix length, address unless it is 128, name unless it is 0.</summary>
    public static bool TryParse(ref TokenReader tokens, ref RdataBuilder rdata)
    {
        if (!tokens.TryPeek(out ReadOnlySpan<byte> text, out bool isQuoted) || isQuoted
            || !NumberText.TryParse(text, MaxPrefix, out ulong wide) || !rdata.TryWrite((byte)wide))
            return rdata.Fail("a prefix length from 0 to 128");
        byte prefix = (byte)wide;
        tokens.Position++;
        if (prefix < MaxPrefix)
        {
            Span<byte> address = stackalloc byte[16];
            if (!tokens.TryPeek(out text, out isQuoted) || isQuoted || !Ipv6Text.TryParse(text, address))
                return rdata.Fail("an IPv6 address");
            ReadOnlySpan<byte> suffix = address[^SuffixOctets(prefix)..];
            if (address[..^suffix.Length].ContainsAnyExcept((byte)0) || !HasClearPadding(prefix, suffix)
                || !rdata.TryWrite(suffix))
                return rdata.Fail("an IPv6 address whose prefix bits are zero");
            tokens.Position++;
        }
        return prefix == 0 || RdataParser.TryParse(RdataField.Name, ref tokens, ref rdata);
    }

    public static void Write(ReadOnlySpan<byte> field, ref PresentationWriter writer)
    {
        byte prefix = field[0];
        int nameAt = NameAt(prefix);
        writer.Write((ulong)prefix);
        if (prefix < MaxPrefix)
        {
            Span<byte> address = stackalloc byte[16];
            address.Clear();
            field[1..nameAt].CopyTo(address[^(nameAt - 1)..]);
            writer.Write((byte)' ');
            writer.WriteIpv6(address);
        }
        if (prefix == 0) return;
        writer.Write((byte)' ');
        writer.WriteName(field[nameAt..]);
    }
}
