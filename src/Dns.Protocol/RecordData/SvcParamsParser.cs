namespace Dns.Protocol.RecordData;

/// <summary>Parses <c>key</c>, <c>key=value</c> or <c>key="value"</c> (RFC 9460 §2.1, appendix A).</summary>
internal static class SvcParamsParser
{
    private const int ScratchOctets = 512;

    /// <summary>Parses parameters up to the end, in any order, and writes them in the order of their keys.</summary>
    public static bool TryParse(ref TokenReader tokens, ref RdataBuilder rdata)
    {
        int start = rdata.Length;
        while (tokens.TryPeek(out ReadOnlySpan<byte> text, out bool isQuoted))
        {
            int equals = text.IndexOf((byte)'=');
            ReadOnlySpan<byte> name = equals < 0 ? text : text[..equals];
            if (isQuoted || !SvcParamKeyText.TryParse(name, out SvcParamKey key, out bool isNumbered))
                return rdata.Fail("a service parameter: key or key=value");
            ReadOnlySpan<byte> value = equals < 0 ? default : text[(equals + 1)..];
            if (!TryUnquote(ref value)) return rdata.Fail("a value whose quotes enclose all of it");

            int parameterAt = rdata.Length;
            if (!TryWriteParameter(key, isNumbered, value, ref rdata)) return false;
            if (!TryInsertSorted(rdata.Written[start..], parameterAt - start, key))
                return rdata.Fail("each service parameter once");
            tokens.Position++;
        }
        return true;
    }

    // The quotes of key="value" are within the token. Other quotes must be escaped.
    private static bool TryUnquote(ref ReadOnlySpan<byte> value)
    {
        if (value.Length >= 2 && value[0] == (byte)'"' && value[^1] == (byte)'"') value = value[1..^1];
        for (int i = 0; i < value.Length; i++)
        {
            if (value[i] == (byte)'\\') i++;
            else if (value[i] == (byte)'"') return false;
        }
        return true;
    }

    private static bool TryWriteParameter(
        SvcParamKey key, bool isNumbered, ReadOnlySpan<byte> text, ref RdataBuilder rdata)
    {
        // A value is never longer than its text, so the line bounds the array.
        Span<byte> scratch = text.Length <= ScratchOctets ? stackalloc byte[ScratchOctets] : new byte[text.Length];
        if (!CharacterStringText.TryUnescape(text, scratch, out int length))
            return rdata.Fail("a value whose backslashes precede a character or three digits up to 255");
        if (!rdata.TryReserve(SvcbParamsField.HeadOctets, out Span<byte> head)) return false;
        int valueAt = rdata.Length;
        bool isWritten = isNumbered
            ? rdata.TryWrite(scratch[..length])
            : TryWriteValue(key, scratch[..length], ref rdata);
        if (!isWritten || !SvcbParamsField.IsValue(key, rdata.Written[valueAt..])) return rdata.Fail(Describe(key));
        BinaryPrimitives.WriteUInt16BigEndian(head, (ushort)key);
        BinaryPrimitives.WriteUInt16BigEndian(head[2..], (ushort)(rdata.Length - valueAt));
        return true;
    }

    private static bool TryWriteValue(SvcParamKey key, scoped ReadOnlySpan<byte> value, ref RdataBuilder rdata)
    {
        switch (key)
        {
            case SvcParamKey.Alpn or SvcParamKey.DocPath:
                return value.IsEmpty || TryWriteStrings(value, ref rdata);
            case SvcParamKey.Port:
                return NumberText.TryParse(value, out ushort port) && rdata.TryWrite(port);
            case SvcParamKey.Ech:
                Base64Text.Decoder decoder = new(rdata.Room);
                if (!decoder.TryAdd(value) || !decoder.IsComplete) return false;
                rdata.Advance(decoder.Written);
                return true;
            case SvcParamKey.Mandatory or SvcParamKey.Ipv4Hint or SvcParamKey.Ipv6Hint
                or SvcParamKey.TlsSupportedGroups:
                return TryWriteItems(key, value, ref rdata);
            default:
                return rdata.TryWrite(value);
        }
    }

    private static bool TryWriteItems(SvcParamKey key, scoped ReadOnlySpan<byte> list, ref RdataBuilder rdata)
    {
        int start = rdata.Length;
        foreach (Range range in list.Split((byte)','))
            if (!TryWriteItem(key, list[range], ref rdata)) return false;
        if (key == SvcParamKey.Mandatory) SortPairs(rdata.Written[start..]);
        return true;
    }

    private static bool TryWriteItem(SvcParamKey key, scoped ReadOnlySpan<byte> item, ref RdataBuilder rdata)
    {
        switch (key)
        {
            case SvcParamKey.Mandatory:
                return SvcParamKeyText.TryParse(item, out SvcParamKey listed, out _) && rdata.TryWrite((ushort)listed);
            case SvcParamKey.Ipv4Hint:
                return Ipv4Text.TryParse(item, out uint address) && rdata.TryWrite(address);
            case SvcParamKey.Ipv6Hint:
                return rdata.TryReserve(16, out Span<byte> room) && Ipv6Text.TryParse(item, room);
            default:
                return NumberText.TryParse(item, out ushort group) && rdata.TryWrite(group);
        }
    }

    // Commas separate the items; a backslash, already unescaped once, escapes one (RFC 9460 A.1).
    private static bool TryWriteStrings(scoped ReadOnlySpan<byte> list, ref RdataBuilder rdata)
    {
        for (int i = 0; i <= list.Length; i++)
        {
            if (!rdata.TryReserve(1, out Span<byte> length)) return false;
            int start = rdata.Length;
            for (; i < list.Length && list[i] != (byte)','; i++)
            {
                if (list[i] == (byte)'\\' && (++i == list.Length || list[i] is not ((byte)',' or (byte)'\\')))
                    return false;
                if (!rdata.TryWrite(list[i])) return false;
            }
            if (rdata.Length - start is 0 or > 255) return false;
            length[0] = (byte)(rdata.Length - start);
        }
        return true;
    }

    private static void SortPairs(Span<byte> pairs)
    {
        for (int i = 2; i < pairs.Length; i += 2)
        {
            for (int at = i; at > 0 && pairs.Slice(at - 2, 2).SequenceCompareTo(pairs.Slice(at, 2)) > 0; at -= 2)
                Rotate(pairs.Slice(at - 2, 4), 2);
        }
    }

    // Inserts the last parameter in front of the first one with a greater key.
    private static bool TryInsertSorted(Span<byte> parameters, int parameterAt, SvcParamKey key)
    {
        int position = 0;
        while (position < parameterAt)
        {
            SvcbParamsField.TryRead(parameters[position..], out SvcParamKey other, out ReadOnlySpan<byte> value);
            if (other == key) return false;
            if (other > key) break;
            position += SvcbParamsField.HeadOctets + value.Length;
        }
        Rotate(parameters[position..], parameterAt - position);
        return true;
    }

    // Swaps the parts before and behind the middle.
    private static void Rotate(Span<byte> octets, int middle)
    {
        if (middle == 0) return;
        octets[..middle].Reverse();
        octets[middle..].Reverse();
        octets.Reverse();
    }

    private static string Describe(SvcParamKey key) => key switch
    {
        SvcParamKey.Mandatory => "mandatory= and other keys, each once, with commas",
        SvcParamKey.Alpn => "alpn= and protocol names of 1 to 255 octets, with commas",
        SvcParamKey.NoDefaultAlpn => "no-default-alpn without a value",
        SvcParamKey.Port => "port= and a number from 0 to 65535",
        SvcParamKey.Ipv4Hint => "ipv4hint= and IPv4 addresses, with commas",
        SvcParamKey.Ech => "ech= and base64",
        SvcParamKey.Ipv6Hint => "ipv6hint= and IPv6 addresses, with commas",
        SvcParamKey.DohPath => "dohpath= and a URI template that begins with / and has the variable dns",
        SvcParamKey.Ohttp => "ohttp without a value",
        SvcParamKey.TlsSupportedGroups => "tls-supported-groups= and different numbers, with commas",
        SvcParamKey.DocPath => "docpath= and path segments of 1 to 255 octets, with commas",
        _ => "a value of at most 65535 octets",
    };
}
