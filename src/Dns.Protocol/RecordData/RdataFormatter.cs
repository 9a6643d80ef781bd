namespace Dns.Protocol.RecordData;

/// <summary>Writes valid RDATA as text, field by field along the type's row.</summary>
internal static class RdataFormatter
{
    public static void Write(RdataLayout layout, ReadOnlySpan<byte> rdata, ref PresentationWriter writer)
    {
        bool isFirst = true;
        foreach (RdataField field in layout.Fields)
        {
            int length = RdataWire.Measure(field, rdata);
            if (!isFirst && !LeavesNothing(field, length)) writer.Write((byte)' ');
            Write(field, rdata[..length], ref writer);
            rdata = rdata[length..];
            isFirst = false;
        }
    }

    private static bool LeavesNothing(RdataField field, int length) =>
        length == 0 && field is not (RdataField.Text or RdataField.DashedBase64);

    private static void Write(RdataField field, ReadOnlySpan<byte> octets, ref PresentationWriter writer)
    {
        switch (field)
        {
            case RdataField.Name: writer.WriteName(octets); break;
            case RdataField.Number8 or RdataField.Algorithm or RdataField.KeyProtocol: writer.Write((ulong)octets[0]);
            break;
            case RdataField.Number16 or RdataField.KeyFlags:
                writer.Write((ulong)BinaryPrimitives.ReadUInt16BigEndian(octets));
                break;
            case RdataField.Number32 or RdataField.Interval:
                writer.Write((ulong)BinaryPrimitives.ReadUInt32BigEndian(octets));
                break;
            case RdataField.Number64: writer.Write(BinaryPrimitives.ReadUInt64BigEndian(octets)); break;
            case RdataField.Time: TimeText.Write(BinaryPrimitives.ReadUInt32BigEndian(octets), ref writer); break;
            case RdataField.TypeNumber: writer.WriteType((RRType)BinaryPrimitives.ReadUInt16BigEndian(octets)); break;
            case RdataField.AlgorithmMnemonic: RegistryText.Algorithms.Write(octets[0], ref writer); break;
            case RdataField.CertificateType:
                RegistryText.CertificateTypes.Write(BinaryPrimitives.ReadUInt16BigEndian(octets), ref writer);
                break;
            case RdataField.NotifyScheme: RegistryText.NotifySchemes.Write(octets[0], ref writer); break;
            case RdataField.Ipv4: writer.WriteIpv4(octets); break;
            case RdataField.Ipv6: writer.WriteIpv6(octets); break;
            case RdataField.CharacterString or RdataField.OptionalCharacterString or RdataField.CharacterStrings
                or RdataField.DigitString:
                WriteStrings(octets, ref writer);
                break;
            case RdataField.Tag: writer.Write(octets[1..]); break;
            case RdataField.Text or RdataField.NonEmptyText: CharacterStringText.WriteQuoted(octets, ref writer); break;
            case RdataField.Hex: writer.WriteHex(octets); break;
            case RdataField.Salt:
                if (octets.Length == 1) writer.Write((byte)'-');
                else writer.WriteHex(octets[1..]);
                break;
            case RdataField.HashedName: Base32HexText.Write(octets[1..], ref writer); break;
            case RdataField.Base64 or RdataField.OptionalBase64: Base64Text.Write(octets, ref writer); break;
            case RdataField.DashedBase64:
                if (octets.IsEmpty) writer.Write((byte)'-');
                else Base64Text.Write(octets, ref writer);
                break;
            case RdataField.Eui48 or RdataField.Eui64: WriteEui(octets, ref writer); break;
            case RdataField.Locator64: WriteLocator(octets, ref writer); break;
            default: WriteIrregular(field, octets, ref writer); break;
        }
    }

    private static void WriteIrregular(RdataField field, ReadOnlySpan<byte> octets, ref PresentationWriter writer)
    {
        switch (field)
        {
            case RdataField.Types or RdataField.NonEmptyTypes: TypeBitmap.Write(octets, ref writer); break;
            case RdataField.NxtBitmap: NxtBitmapField.Write(octets, ref writer); break;
            case RdataField.WellKnownServices: WellKnownServicesField.Write(octets, ref writer); break;
            case RdataField.Location: LocationField.Write(octets, ref writer); break;
            case RdataField.AddressPrefixes: AddressPrefixesField.Write(octets, ref writer); break;
            case RdataField.SvcParams: SvcParamsFormatter.Write(octets, ref writer); break;
            case RdataField.HostIdentity: HostIdentityField.Write(octets, ref writer); break;
            case RdataField.IpsecGateway: GatewayField.WriteIpsec(octets, ref writer); break;
            case RdataField.AmtRelay: GatewayField.WriteRelay(octets, ref writer); break;
            case RdataField.Nsap: NsapField.Write(octets, ref writer); break;
            case RdataField.AtmAddress: AtmField.Write(octets, ref writer); break;
            case RdataField.A6: A6Field.Write(octets, ref writer); break;
            default: WriteGeneric(octets, ref writer); break;
        }
    }

    /// <summary>Writes <c>\#</c>, the length and the octets in hexadecimal (RFC 3597 §5).</summary>
    public static void WriteGeneric(ReadOnlySpan<byte> rdata, ref PresentationWriter writer)
    {
        writer.Write("\\# "u8);
        writer.Write((ulong)rdata.Length);
        if (rdata.IsEmpty) return;
        writer.Write((byte)' ');
        writer.WriteHex(rdata);
    }

    private static void WriteStrings(ReadOnlySpan<byte> strings, ref PresentationWriter writer)
    {
        for (int position = 0; position < strings.Length; position += strings[position] + 1)
        {
            if (position > 0) writer.Write((byte)' ');
            CharacterStringText.WriteQuoted(strings.Slice(position + 1, strings[position]), ref writer);
        }
    }

    private static void WriteEui(ReadOnlySpan<byte> octets, ref PresentationWriter writer)
    {
        for (int i = 0; i < octets.Length; i++)
        {
            if (i > 0) writer.Write((byte)'-');
            writer.WriteHex(octets[i], 2);
        }
    }

    private static void WriteLocator(ReadOnlySpan<byte> octets, ref PresentationWriter writer)
    {
        for (int i = 0; i < octets.Length; i += 2)
        {
            if (i > 0) writer.Write((byte)':');
            writer.WriteHex(BinaryPrimitives.ReadUInt16BigEndian(octets[i..]), 4);
        }
    }
}
