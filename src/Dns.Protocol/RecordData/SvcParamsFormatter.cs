namespace Dns.Protocol.RecordData;

/// <summary>Writes well-formed service parameters as text (RFC 9460 §2.1, appendix A).</summary>
internal static class SvcParamsFormatter
{
    public static void Write(ReadOnlySpan<byte> parameters, ref PresentationWriter writer)
    {
        bool isFirst = true;
        while (SvcbParamsField.TryRead(parameters, out SvcParamKey key, out ReadOnlySpan<byte> value))
        {
            if (!isFirst) writer.Write((byte)' ');
            isFirst = false;
            SvcParamKeyText.Write(key, ref writer);
            if (!value.IsEmpty)
            {
                writer.Write((byte)'=');
                WriteValue(key, value, ref writer);
            }
            parameters = parameters[(SvcbParamsField.HeadOctets + value.Length)..];
        }
    }

    private static void WriteValue(SvcParamKey key, ReadOnlySpan<byte> value, ref PresentationWriter writer)
    {
        switch (key)
        {
            case SvcParamKey.Alpn or SvcParamKey.DocPath:
                WriteStrings(value, ref writer);
                break;
            case SvcParamKey.Ech:
                Base64Text.Write(value, ref writer);
                break;
            case SvcParamKey.Mandatory or SvcParamKey.Port or SvcParamKey.TlsSupportedGroups:
                WriteItems(key, value, sizeof(ushort), ref writer);
                break;
            case SvcParamKey.Ipv4Hint:
                WriteItems(key, value, 4, ref writer);
                break;
            case SvcParamKey.Ipv6Hint:
                WriteItems(key, value, 16, ref writer);
                break;
            default:
                CharacterStringText.WriteQuoted(value, ref writer);
                break;
        }
    }

    private static void WriteItems(
        SvcParamKey key, ReadOnlySpan<byte> value, int itemOctets, ref PresentationWriter writer)
    {
        for (int i = 0; i < value.Length; i += itemOctets)
        {
            if (i > 0) writer.Write((byte)',');
            ReadOnlySpan<byte> item = value.Slice(i, itemOctets);
            if (key == SvcParamKey.Ipv4Hint) writer.WriteIpv4(item);
            else if (key == SvcParamKey.Ipv6Hint) writer.WriteIpv6(item);
            else if (key == SvcParamKey.Mandatory)
                SvcParamKeyText.Write((SvcParamKey)BinaryPrimitives.ReadUInt16BigEndian(item), ref writer);
            else writer.Write((ulong)BinaryPrimitives.ReadUInt16BigEndian(item));
        }
    }

    private static void WriteStrings(ReadOnlySpan<byte> list, ref PresentationWriter writer)
    {
        writer.Write((byte)'"');
        for (int position = 0; position < list.Length; position += list[position] + 1)
        {
            if (position > 0) writer.Write((byte)',');
            foreach (byte octet in list.Slice(position + 1, list[position]))
            {
                // The backslash of the list is itself a character of the string, and escaped again.
                if (octet is (byte)',' or (byte)'\\') writer.Write("\\\\"u8);
                CharacterStringText.WriteOctet(octet, ref writer);
            }
        }
        writer.Write((byte)'"');
    }
}
