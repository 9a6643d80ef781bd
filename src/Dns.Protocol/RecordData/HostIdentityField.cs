namespace Dns.Protocol.RecordData;

/// <summary>The RDATA of HIP (RFC 8005 §5).</summary>
/// <remarks><code>
///  +------------+--------------+-----------+-----+------------+-------------------------+
///  | HIT length | PK algorithm | PK length | HIT | public key | rendezvous servers ...  |
///  |   8 bits   |    8 bits    |  16 bits  |     |            | (uncompressed names)    |
///  +------------+--------------+-----------+-----+------------+-------------------------+
/// </code>In text: algorithm, HIT in hexadecimal, key in base 64 as one token, names.</remarks>
internal static class HostIdentityField
{
    private const int HeadOctets = 4;

    /// <summary>The length, or -1 unless there are a HIT, a key, and whole names behind them.</summary>
    public static int Measure(ReadOnlySpan<byte> rest)
    {
        if (rest.Length < HeadOctets) return -1;
        int hit = rest[0], key = BinaryPrimitives.ReadUInt16BigEndian(rest[2..]);
        int position = HeadOctets + hit + key;
        if (hit == 0 || key == 0 || position > rest.Length) return -1;
        while (position < rest.Length)
        {
            if (!WireName.TryMeasure(rest[position..], out int name)) return -1;
            position += name;
        }
        return position;
    }

    public static bool TryParse(ref TokenReader tokens, ref RdataBuilder rdata)
    {
        if (!rdata.TryReserve(HeadOctets, out Span<byte> head)) return false;
        if (!tokens.TryPeek(out ReadOnlySpan<byte> text, out bool isQuoted) || isQuoted
            || !NumberText.TryParse(text, out head[1]))
            return rdata.Fail("a public key algorithm from 0 to 255");
        tokens.Position++;

        if (!tokens.TryPeek(out text, out isQuoted) || isQuoted || text.Length is 0 or > 510
            || !rdata.TryReserve(text.Length / 2, out Span<byte> hit) || !HexText.TryParse(text, hit))
            return rdata.Fail("a host identity tag of 1 to 255 octets in hexadecimal");
        head[0] = (byte)hit.Length;
        tokens.Position++;

        Base64Text.Decoder key = new(rdata.Room);
        if (!tokens.TryPeek(out text, out isQuoted) || isQuoted || !key.TryAdd(text) || !key.IsComplete
            || key.Written == 0)
            return rdata.Fail("a public key in base64, as one word");
        BinaryPrimitives.WriteUInt16BigEndian(head[2..], (ushort)key.Written);
        rdata.Advance(key.Written);
        tokens.Position++;

        while (tokens.Remaining > 0)
            if (!RdataParser.TryParse(RdataField.Name, ref tokens, ref rdata)) return false;
        return true;
    }

    public static void Write(ReadOnlySpan<byte> field, ref PresentationWriter writer)
    {
        int hit = field[0], key = BinaryPrimitives.ReadUInt16BigEndian(field[2..]);
        writer.Write((ulong)field[1]);
        writer.Write((byte)' ');
        writer.WriteHex(field.Slice(HeadOctets, hit));
        writer.Write((byte)' ');
        Base64Text.Write(field.Slice(HeadOctets + hit, key), ref writer);
        ReadOnlySpan<byte> names = field[(HeadOctets + hit + key)..];
        while (WireName.TryMeasure(names, out int length))
        {
            writer.Write((byte)' ');
            writer.WriteName(names[..length]);
            names = names[length..];
        }
    }
}
