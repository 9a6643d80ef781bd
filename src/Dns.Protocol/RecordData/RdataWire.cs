namespace Dns.Protocol.RecordData;

/// <summary>Measures and validates RDATA fields on the wire.</summary>
internal static class RdataWire
{
    private const int Malformed = -1;

    /// <summary>Measures the field at the start of <paramref name="rest"/>, the remaining RDATA.</summary>
    /// <returns>Its length in octets, or -1 if it is malformed or incomplete.</returns>
    public static int Measure(RdataField field, ReadOnlySpan<byte> rest) => field switch
    {
        RdataField.Name => WireName.TryMeasure(rest, out int length) ? length : Malformed,
        RdataField.Number8 or RdataField.Algorithm or RdataField.AlgorithmMnemonic or RdataField.KeyProtocol
            or RdataField.NotifyScheme => Fixed(rest, sizeof(byte)),
        RdataField.Number16 or RdataField.TypeNumber or RdataField.CertificateType or RdataField.KeyFlags =>
            Fixed(rest, sizeof(ushort)),
        RdataField.Number32 or RdataField.Interval or RdataField.Time or RdataField.Ipv4 => Fixed(rest, sizeof(uint)),
        RdataField.Number64 or RdataField.Eui64 or RdataField.Locator64 => Fixed(rest, sizeof(ulong)),
        RdataField.Ipv6 => Fixed(rest, 16),
        RdataField.Eui48 => Fixed(rest, 6),
        RdataField.CharacterString or RdataField.Salt => Counted(rest),
        RdataField.OptionalCharacterString => rest.IsEmpty ? 0 : Counted(rest),
        RdataField.CharacterStrings => Strings(rest),
        RdataField.DigitString => Counted(rest) is >= 5 and int length && AreDigits(rest[1..length])
            ? length : Malformed,
        RdataField.Tag => Counted(rest) is > 1 and int length && IsTag(rest[1..length]) ? length : Malformed,
        RdataField.HashedName => Counted(rest) is > 1 and int length ? length : Malformed,
        RdataField.Text or RdataField.OptionalBase64 or RdataField.DashedBase64 or RdataField.Opaque => rest.Length,
        RdataField.NonEmptyText or RdataField.Hex or RdataField.Base64 => rest.IsEmpty ? Malformed : rest.Length,
        _ => MeasureIrregular(field, rest),
    };

    private static int MeasureIrregular(RdataField field, ReadOnlySpan<byte> rest) => field switch
    {
        RdataField.Types => TypeBitmap.Measure(rest),
        RdataField.NonEmptyTypes => rest.IsEmpty ? Malformed : TypeBitmap.Measure(rest),
        RdataField.NxtBitmap => NxtBitmapField.Measure(rest),
        RdataField.WellKnownServices => WellKnownServicesField.Measure(rest),
        RdataField.Location => LocationField.Measure(rest),
        RdataField.AddressPrefixes => AddressPrefixesField.Measure(rest),
        RdataField.SvcParams => SvcbParamsField.Measure(rest),
        RdataField.HostIdentity => HostIdentityField.Measure(rest),
        RdataField.IpsecGateway => GatewayField.MeasureIpsec(rest),
        RdataField.AmtRelay => GatewayField.MeasureRelay(rest),
        RdataField.Nsap => NsapField.Measure(rest),
        RdataField.AtmAddress => AtmField.Measure(rest),
        RdataField.A6 => A6Field.Measure(rest),
        _ => Malformed,
    };

    /// <summary>Copies a field with its name expanded, and moves behind it. The message ends with the RDATA.</summary>
    /// <returns>The octets written, or -1 if the field is malformed.</returns>
    public static int Copy(RdataField field, ReadOnlySpan<byte> message, ref int position, Span<byte> destination)
    {
        if (field == RdataField.Name)
            return WireName.TryExpand(message, ref position, destination, out int expanded) ? expanded : Malformed;
        ReadOnlySpan<byte> rest = message[position..];
        int length = Measure(field, rest);
        if (length < 0) return Malformed;
        rest[..length].CopyTo(destination);
        position += length;
        return length;
    }

    /// <summary>Whether the fields of a row fill the RDATA exactly.</summary>
    public static bool Fits(RdataLayout layout, ReadOnlySpan<byte> rdata)
    {
        int position = 0;
        foreach (RdataField field in layout.Fields)
        {
            int length = Measure(field, rdata[position..]);
            if (length < 0) return false;
            position += length;
        }
        return position == rdata.Length;
    }

    private static int Fixed(ReadOnlySpan<byte> rest, int octets) => rest.Length >= octets ? octets : Malformed;

    /// <summary>The length of a length-prefixed field, or -1.</summary>
    public static int Counted(ReadOnlySpan<byte> rest) =>
        !rest.IsEmpty && rest[0] < rest.Length ? rest[0] + 1 : Malformed;

    private static int Strings(ReadOnlySpan<byte> rest)
    {
        int position = 0;
        do
        {
            int length = Counted(rest[position..]);
            if (length < 0) return Malformed;
            position += length;
        }
        while (position < rest.Length);
        return position;
    }

    public static bool AreDigits(ReadOnlySpan<byte> octets) => !octets.ContainsAnyExceptInRange((byte)'0', (byte)'9');

    /// <summary>Whether all octets are ASCII letters or digits.</summary>
    public static bool IsTag(ReadOnlySpan<byte> octets)
    {
        foreach (byte octet in octets)
            if (!char.IsAsciiLetterOrDigit((char)octet)) return false;
        return true;
    }
}
