using System.Buffers;
using System.Text.Unicode;

namespace Dns.Protocol.RecordData;

/// <summary>The SvcParams of SVCB and HTTPS on the wire (RFC 9460 §2.2 and §7).</summary>
/// <remarks><code>
///  +-----------+-----------+-------+
///  | key       | length    | value |  ... keys strictly ascending
///  |  16 bits  |  16 bits  |       |
///  +-----------+-----------+-------+
/// </code>Text is in <see cref="SvcParamsParser"/> and <see cref="SvcParamsFormatter"/>.</remarks>
internal static class SvcbParamsField
{
    /// <summary>Octets of key and length in front of a value.</summary>
    public const int HeadOctets = 4;

    private static readonly SearchValues<byte> HexDigits = SearchValues.Create("0123456789ABCDEFabcdef"u8);

    /// <summary>The length of all parameters, or -1 if one is malformed, out of order or repeated.</summary>
    public static int Measure(ReadOnlySpan<byte> rest)
    {
        int last = -1, position = 0;
        while (position < rest.Length)
        {
            if (!TryRead(rest[position..], out SvcParamKey key, out ReadOnlySpan<byte> value)) return -1;
            if ((int)key <= last || !IsValue(key, value)) return -1;
            last = (int)key;
            position += HeadOctets + value.Length;
        }
        return position;
    }

    /// <summary>Reads key and value at the start of <paramref name="parameters"/>.</summary>
    public static bool TryRead(
        ReadOnlySpan<byte> parameters, out SvcParamKey key, out ReadOnlySpan<byte> value)
    {
        key = default;
        value = default;
        if (parameters.Length < HeadOctets) return false;
        key = (SvcParamKey)BinaryPrimitives.ReadUInt16BigEndian(parameters);
        int length = BinaryPrimitives.ReadUInt16BigEndian(parameters[2..]);
        if (length > parameters.Length - HeadOctets) return false;
        value = parameters.Slice(HeadOctets, length);
        return true;
    }

    /// <summary>Whether a value is well formed for its key.</summary>
    public static bool IsValue(SvcParamKey key, ReadOnlySpan<byte> value) => key switch
    {
        SvcParamKey.Mandatory => IsMandatoryList(value),
        SvcParamKey.Alpn => !value.IsEmpty && IsStringList(value),
        SvcParamKey.NoDefaultAlpn or SvcParamKey.Ohttp => value.IsEmpty,
        SvcParamKey.Port => value.Length == sizeof(ushort),
        SvcParamKey.Ipv4Hint => !value.IsEmpty && value.Length % 4 == 0,
        SvcParamKey.Ipv6Hint => !value.IsEmpty && value.Length % 16 == 0,
        SvcParamKey.Ech => !value.IsEmpty,
        SvcParamKey.DohPath => value.StartsWith((byte)'/') && value.IndexOf("{?dns"u8) >= 0 && Utf8.IsValid(value),
        SvcParamKey.TlsSupportedGroups => IsGroupList(value),
        SvcParamKey.DocPath => IsStringList(value),
        SvcParamKey.Invalid => false,
        _ => true,
    };

    private static bool IsMandatoryList(ReadOnlySpan<byte> value)
    {
        if (value.IsEmpty || value.Length % 2 != 0) return false;
        // Starting at 0 also refuses the key "mandatory" itself (RFC 9460 §8).
        int last = (int)SvcParamKey.Mandatory;
        for (int i = 0; i < value.Length; i += 2)
        {
            int key = BinaryPrimitives.ReadUInt16BigEndian(value[i..]);
            if (key <= last) return false;
            last = key;
        }
        return true;
    }

    private static bool IsStringList(ReadOnlySpan<byte> value)
    {
        while (!value.IsEmpty)
        {
            int length = RdataWire.Counted(value);
            if (length < 2) return false;
            value = value[length..];
        }
        return true;
    }

    private static bool IsGroupList(ReadOnlySpan<byte> value)
    {
        if (value.IsEmpty || value.Length % 2 != 0) return false;
        Span<byte> seen = stackalloc byte[65536 / 8];
        seen.Clear();
        for (int i = 0; i < value.Length; i += 2)
        {
            int group = BinaryPrimitives.ReadUInt16BigEndian(value[i..]);
            byte bit = (byte)(1 << (group & 7));
            if ((seen[group >> 3] & bit) != 0) return false;
            seen[group >> 3] |= bit;
        }
        return true;
    }

    /// <summary>Finds contradictions between well-formed parameters.</summary>
    /// <returns>What was expected; null for none.</returns>
    public static string? FindFault(ReadOnlySpan<byte> rdata)
    {
        WireName.TryMeasure(rdata[2..], out int target);
        ReadOnlySpan<byte> parameters = rdata[(2 + target)..];
        if (Contains(parameters, SvcParamKey.NoDefaultAlpn) && !Contains(parameters, SvcParamKey.Alpn))
            return "alpn beside no-default-alpn (RFC 9460 section 7.1.1)";
        if (!TryRead(parameters, out SvcParamKey first, out ReadOnlySpan<byte> mandatory)
            || first != SvcParamKey.Mandatory)
            return null;
        return ContainsAll(parameters, mandatory) ? null : "every key that is listed as mandatory (RFC 9460 section 8)";
    }

    /// <summary>Finds in valid parameters what other servers reject.</summary>
    /// <returns>What is found; null for none.</returns>
    public static string? FindPortabilityFault(ReadOnlySpan<byte> rdata)
    {
        WireName.TryMeasure(rdata[2..], out int target);
        bool hasPath = TryFind(rdata[(2 + target)..], SvcParamKey.DohPath, out ReadOnlySpan<byte> path);
        return !hasPath || IsPlainTemplate(path)
            ? null : "a dohpath with more than {?dns} in braces, or with an incomplete %";
    }

    // BIND reads a URI template (RFC 6570): one expression, and escapes as in a URI.
    private static bool IsPlainTemplate(ReadOnlySpan<byte> path)
    {
        if (path.IndexOf("{?dns}"u8) < 0 || path.Count((byte)'{') != 1 || path.Count((byte)'}') != 1) return false;
        for (int escape; (escape = path.IndexOf((byte)'%')) >= 0; path = path[(escape + 3)..])
            if (path.Length < escape + 3 || path.Slice(escape + 1, 2).ContainsAnyExcept(HexDigits)) return false;
        return true;
    }

    private static bool Contains(ReadOnlySpan<byte> parameters, SvcParamKey wanted) =>
        TryFind(parameters, wanted, out _);

    private static bool TryFind(ReadOnlySpan<byte> parameters, SvcParamKey wanted, out ReadOnlySpan<byte> value)
    {
        while (TryRead(parameters, out SvcParamKey key, out value) && key <= wanted)
        {
            if (key == wanted) return true;
            parameters = parameters[(HeadOctets + value.Length)..];
        }
        return false;
    }

    // Both lists ascend, so one pass over each suffices.
    private static bool ContainsAll(ReadOnlySpan<byte> parameters, ReadOnlySpan<byte> keys)
    {
        while (!keys.IsEmpty && TryRead(parameters, out SvcParamKey key, out ReadOnlySpan<byte> value))
        {
            if (key == (SvcParamKey)BinaryPrimitives.ReadUInt16BigEndian(keys)) keys = keys[2..];
            parameters = parameters[(HeadOctets + value.Length)..];
        }
        return keys.IsEmpty;
    }
}
