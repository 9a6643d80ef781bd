namespace Dns.Protocol.RecordData;

/// <summary>Keys of service parameters (IANA DNS SVCB SvcParamKeys).</summary>
internal enum SvcParamKey : ushort
{
    /// <summary>Keys that a client must support (RFC 9460 §8).</summary>
    Mandatory = 0,
    /// <summary>Protocols (RFC 9460 §7.1).</summary>
    Alpn = 1,
    /// <summary>The default protocol is not offered (RFC 9460 §7.1).</summary>
    NoDefaultAlpn = 2,
    /// <summary>Port (RFC 9460 §7.2).</summary>
    Port = 3,
    /// <summary>IPv4 addresses (RFC 9460 §7.3).</summary>
    Ipv4Hint = 4,
    /// <summary>Encrypted ClientHello configurations (RFC 9848).</summary>
    Ech = 5,
    /// <summary>IPv6 addresses (RFC 9460 §7.3).</summary>
    Ipv6Hint = 6,
    /// <summary>Path of DNS over HTTPS, a URI template (RFC 9461 §5).</summary>
    DohPath = 7,
    /// <summary>Oblivious HTTP is offered (RFC 9540 §4).</summary>
    Ohttp = 8,
    /// <summary>TLS groups (draft-ietf-tls-key-share-prediction).</summary>
    TlsSupportedGroups = 9,
    /// <summary>Path of DNS over CoAP, its segments (RFC 9953).</summary>
    DocPath = 10,
    /// <summary>Reserved, never valid (RFC 9460 §14.3.2).</summary>
    Invalid = 65535,
}

/// <summary>The text of <see cref="SvcParamKey"/>: lower-case names, or <c>key123</c>.</summary>
internal static class SvcParamKeyText
{
    private static readonly byte[][] Names =
    [
        "mandatory"u8.ToArray(), "alpn"u8.ToArray(), "no-default-alpn"u8.ToArray(), "port"u8.ToArray(),
        "ipv4hint"u8.ToArray(), "ech"u8.ToArray(), "ipv6hint"u8.ToArray(), "dohpath"u8.ToArray(),
        "ohttp"u8.ToArray(), "tls-supported-groups"u8.ToArray(), "docpath"u8.ToArray(),
    ];

    /// <summary>Reads a name or the numbered form without leading zeros; keys are case-sensitive.</summary>
    /// <param name="isNumbered">Whether it was the numbered form, after which the value is plain octets.</param>
    public static bool TryParse(ReadOnlySpan<byte> text, out SvcParamKey key, out bool isNumbered)
    {
        isNumbered = false;
        for (int i = 0; i < Names.Length; i++)
        {
            if (!text.SequenceEqual(Names[i])) continue;
            key = (SvcParamKey)i;
            return true;
        }
        isNumbered = true;
        key = SvcParamKey.Invalid;
        if (!text.StartsWith("key"u8)) return false;
        ReadOnlySpan<byte> digits = text["key"u8.Length..];
        if (!NumberText.TryParse(digits, out ushort number) || (digits.Length > 1 && digits[0] == (byte)'0'))
            return false;
        key = (SvcParamKey)number;
        return key != SvcParamKey.Invalid;
    }

    /// <summary>Writes the name, or the numbered form where there is none.</summary>
    public static void Write(SvcParamKey key, ref PresentationWriter writer)
    {
        if ((int)key < Names.Length)
        {
            writer.Write(Names[(int)key]);
            return;
        }
        writer.Write("key"u8);
        writer.Write((ulong)key);
    }
}
