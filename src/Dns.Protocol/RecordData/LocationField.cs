namespace Dns.Protocol.RecordData;

/// <summary>The RDATA of LOC, version 0 (RFC 1876 §2 and §3).</summary>
/// <remarks><code>
///  +---------+------+------------+-----------+----------+-----------+----------+
///  | version | size | horizontal | vertical  | latitude | longitude | altitude |
///  |   = 0   |      | precision  | precision | 32 bits  |  32 bits  | 32 bits  |
///  +---------+------+------------+-----------+----------+-----------+----------+
/// </code>
/// Size and precisions are a digit and a power of ten, 4 bits each, in centimetres. Latitude and longitude
/// are thousandths of a second of arc around 2^31, altitude is centimetres above -100,000 m.
/// </remarks>
internal static class LocationField
{
    private const int Octets = 16;
    private const uint Equator = 1u << 31;
    private const uint MaxLatitude = 90 * 3_600_000, MaxLongitude = 180 * 3_600_000;
    private const long LowestAltitude = -10_000_000;
    private const ulong MaxSize = 9_000_000_000;

    /// <summary>The length, or -1 if the version is not 0 or a value is out of range.</summary>
    public static int Measure(ReadOnlySpan<byte> rest)
    {
        if (rest.Length < Octets || rest[0] != 0) return -1;
        foreach (byte size in rest[1..4])
            if (size != 0 && (size >> 4 is 0 or > 9 || (size & 15) > 9)) return -1;
        return IsAngle(rest[4..], MaxLatitude) && IsAngle(rest[8..], MaxLongitude) ? Octets : -1;
    }

    private static bool IsAngle(ReadOnlySpan<byte> octets, uint max) =>
        BinaryPrimitives.ReadUInt32BigEndian(octets) - (Equator - max) <= 2 * max;

    /// <summary>Reads <c>d [m [s]] N|S d [m [s]] E|W altitude[m] [size[m] [horizontal[m] [vertical[m]]]]</c>.</summary>
    public static bool TryParse(ref TokenReader tokens, ref RdataBuilder rdata)
    {
        if (!rdata.TryReserve(Octets, out Span<byte> location)) return false;
        location[0] = 0;
        // Defaults: 1 m, 10,000 m and 10 m (RFC 1876 §3).
        location[1] = 0x12;
        location[2] = 0x16;
        location[3] = 0x13;
        if (!TryParseAngle(ref tokens, ref rdata, "NS"u8, MaxLatitude, out uint latitude)) return false;
        if (!TryParseAngle(ref tokens, ref rdata, "EW"u8, MaxLongitude, out uint longitude)) return false;
        BinaryPrimitives.WriteUInt32BigEndian(location[4..], latitude);
        BinaryPrimitives.WriteUInt32BigEndian(location[8..], longitude);
        if (!TryParseAltitude(ref tokens, out uint altitude))
            return rdata.Fail("an altitude in metres from -100000.00 to 42849672.95");
        BinaryPrimitives.WriteUInt32BigEndian(location[12..], altitude);
        for (int i = 1; i < 4 && tokens.Remaining > 0; i++)
            if (!TryParseSize(ref tokens, out location[i]))
                return rdata.Fail("a size in metres from 0 to 90000000.00");
        return true;
    }

    private static bool TryParseAngle(
        ref TokenReader tokens, ref RdataBuilder rdata, ReadOnlySpan<byte> hemispheres, uint max, out uint angle)
    {
        bool isLatitude = max == MaxLatitude;
        ReadOnlySpan<uint> units = [3_600_000, 60_000, 1];
        ulong total = 0;
        angle = 0;
        for (int part = 0; ; part++)
        {
            if (!TryTake(ref tokens, out ReadOnlySpan<byte> text)) break;
            int hemisphere = text.Length == 1 ? hemispheres.IndexOf((byte)(text[0] & ~0x20)) : -1;
            if (part > 0 && hemisphere >= 0)
            {
                if (total > max) break;
                angle = hemisphere == 0 ? Equator + (uint)total : Equator - (uint)total;
                tokens.Position++;
                return true;
            }
            if (part > 2 || !TryParseFixed(text, part == 2 ? 3 : 0, part == 0 ? 180ul : part == 1 ? 59ul : 59_999ul,
                out ulong value))
                break;
            total += value * units[part];
            tokens.Position++;
        }
        return rdata.Fail(isLatitude
            ? "a latitude: degrees up to 90, minutes and seconds, then N or S"
            : "a longitude: degrees up to 180, minutes and seconds, then E or W");
    }

    private static bool TryParseAltitude(ref TokenReader tokens, out uint altitude)
    {
        altitude = 0;
        if (!TryTake(ref tokens, out ReadOnlySpan<byte> text)) return false;
        bool isNegative = text.StartsWith((byte)'-');
        if (isNegative) text = text[1..];
        if (!TryParseFixed(WithoutUnit(text), 2, uint.MaxValue, out ulong centimetres)) return false;
        long above = (isNegative ? -(long)centimetres : (long)centimetres) - LowestAltitude;
        if (above is < 0 or > uint.MaxValue) return false;
        altitude = (uint)above;
        tokens.Position++;
        return true;
    }

    private static bool TryParseSize(ref TokenReader tokens, out byte size)
    {
        size = 0;
        if (!TryTake(ref tokens, out ReadOnlySpan<byte> text)
            || !TryParseFixed(WithoutUnit(text), 2, MaxSize, out ulong centimetres))
            return false;
        int exponent = 0;
        for (; centimetres > 9; exponent++) centimetres /= 10;
        size = (byte)(centimetres << 4 | (uint)exponent);
        tokens.Position++;
        return true;
    }

    private static bool TryTake(ref TokenReader tokens, out ReadOnlySpan<byte> text) =>
        tokens.TryPeek(out text, out bool isQuoted) && !isQuoted && !text.IsEmpty;

    private static ReadOnlySpan<byte> WithoutUnit(ReadOnlySpan<byte> text) =>
        text.EndsWith("m"u8) || text.EndsWith("M"u8) ? text[..^1] : text;

    // A number with up to so many decimals, as a whole number of the smallest unit.
    private static bool TryParseFixed(ReadOnlySpan<byte> text, int decimals, ulong max, out ulong value)
    {
        int point = text.IndexOf((byte)'.');
        ReadOnlySpan<byte> whole = point < 0 ? text : text[..point];
        ReadOnlySpan<byte> fraction = point < 0 ? default : text[(point + 1)..];
        value = 0;
        if (fraction.Length > decimals || (point >= 0 && fraction.IsEmpty)) return false;
        if (!NumberText.TryParse(whole, max, out value)) return false;
        for (int i = 0; i < decimals; i++)
        {
            int digit = i < fraction.Length ? fraction[i] - '0' : 0;
            if (digit is < 0 or > 9) return false;
            value = value * 10 + (ulong)digit;
        }
        return value <= max;
    }

    /// <summary>Writes all parts, whether they are the defaults or not.</summary>
    public static void Write(ReadOnlySpan<byte> field, ref PresentationWriter writer)
    {
        WriteAngle(BinaryPrimitives.ReadUInt32BigEndian(field[4..]), "NS"u8, ref writer);
        WriteAngle(BinaryPrimitives.ReadUInt32BigEndian(field[8..]), "EW"u8, ref writer);
        long altitude = BinaryPrimitives.ReadUInt32BigEndian(field[12..]) + LowestAltitude;
        if (altitude < 0) writer.Write((byte)'-');
        WriteFixed((ulong)Math.Abs(altitude), 2, ref writer);
        writer.Write((byte)'m');
        foreach (byte size in field[1..4])
        {
            writer.Write((byte)' ');
            WriteSize(size, ref writer);
        }
    }

    private static void WriteAngle(uint angle, ReadOnlySpan<byte> hemispheres, ref PresentationWriter writer)
    {
        bool isPositive = angle >= Equator;
        uint total = isPositive ? angle - Equator : Equator - angle;
        writer.Write((ulong)(total / 3_600_000));
        writer.Write((byte)' ');
        writer.Write((ulong)(total / 60_000 % 60));
        writer.Write((byte)' ');
        WriteFixed(total % 60_000, 3, ref writer);
        writer.Write((byte)' ');
        writer.Write(hemispheres[isPositive ? 0 : 1]);
        writer.Write((byte)' ');
    }

    private static void WriteSize(byte size, ref PresentationWriter writer)
    {
        ulong centimetres = (ulong)(size >> 4);
        for (int exponent = size & 15; exponent > 0; exponent--) centimetres *= 10;
        if (centimetres >= 100) writer.Write(centimetres / 100);
        else WriteFixed(centimetres, 2, ref writer);
        writer.Write((byte)'m');
    }

    private static void WriteFixed(ulong value, int decimals, ref PresentationWriter writer)
    {
        ulong scale = decimals == 2 ? 100ul : 1000ul;
        writer.Write(value / scale);
        writer.Write((byte)'.');
        for (ulong digit = scale / 10; digit > 0; digit /= 10) writer.Write((byte)('0' + value / digit % 10));
    }
}
