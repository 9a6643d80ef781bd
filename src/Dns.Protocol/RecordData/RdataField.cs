namespace Dns.Protocol.RecordData;

/// <summary>The kind of one RDATA field, on the wire and in text. Each kind in the last group has a file.</summary>
internal enum RdataField : byte
{
    /// <summary>A domain name.</summary>
    Name,
    /// <summary>8 bits, decimal.</summary>
    Number8,
    /// <summary>16 bits, decimal.</summary>
    Number16,
    /// <summary>32 bits, decimal.</summary>
    Number32,
    /// <summary>64 bits, decimal.</summary>
    Number64,
    /// <summary>32 bits of seconds; units such as 1h are read, plain seconds written.</summary>
    Interval,
    /// <summary>32 bits of seconds since 1970, written as YYYYMMDDHHmmSS.</summary>
    Time,
    /// <summary>16 bits, the mnemonic of a type.</summary>
    TypeNumber,
    /// <summary>8 bits, a DNSSEC algorithm; mnemonics are read, the number written.</summary>
    Algorithm,
    /// <summary>8 bits, a DNSSEC algorithm; its mnemonic is written.</summary>
    AlgorithmMnemonic,
    /// <summary>16 bits, a certificate type; its mnemonic is written (RFC 4398 §2.1).</summary>
    CertificateType,
    /// <summary>16 bits, flags of KEY; mnemonics with | are read (RFC 2535 §7.1), the number written.</summary>
    KeyFlags,
    /// <summary>8 bits, a protocol of KEY; mnemonics are read (RFC 2535 §7.1), the number written.</summary>
    KeyProtocol,
    /// <summary>8 bits, a scheme of generalised notification (RFC 9859 §2).</summary>
    NotifyScheme,
    /// <summary>Four octets.</summary>
    Ipv4,
    /// <summary>Sixteen octets.</summary>
    Ipv6,
    /// <summary>A character-string, written in quotes.</summary>
    CharacterString,
    /// <summary>A character-string that may be missing at the end.</summary>
    OptionalCharacterString,
    /// <summary>One or more character-strings up to the end.</summary>
    CharacterStrings,
    /// <summary>A character-string of digits, at least four (RFC 1183 §3.1).</summary>
    DigitString,
    /// <summary>A length octet and 1 to 255 letters and digits, not quoted (RFC 8659 §4.1).</summary>
    Tag,
    /// <summary>Octets up to the end as one quoted string, possibly empty.</summary>
    Text,
    /// <summary>Octets up to the end as one quoted string, at least one.</summary>
    NonEmptyText,
    /// <summary>One or more octets up to the end in hexadecimal.</summary>
    Hex,
    /// <summary>A length octet and octets in hexadecimal; a minus sign for none (RFC 5155 §3.3).</summary>
    Salt,
    /// <summary>A length octet and octets in base 32, at least one (RFC 5155 §3.3).</summary>
    HashedName,
    /// <summary>One or more octets up to the end in base 64.</summary>
    Base64,
    /// <summary>Octets up to the end in base 64, possibly none.</summary>
    OptionalBase64,
    /// <summary>Octets up to the end in base 64; a minus sign for none.</summary>
    DashedBase64,
    /// <summary>Six octets in hexadecimal with minus signs (RFC 7043 §3.2).</summary>
    Eui48,
    /// <summary>Eight octets in hexadecimal with minus signs (RFC 7043 §4.2).</summary>
    Eui64,
    /// <summary>Eight octets as four groups of hexadecimal digits with colons (RFC 6742 §2.1).</summary>
    Locator64,
    /// <summary>Octets up to the end without a text form of their own (RFC 3597).</summary>
    Opaque,

    /// <summary>See <see cref="TypeBitmap"/>; at least one type.</summary>
    NonEmptyTypes,
    /// <summary>See <see cref="TypeBitmap"/>.</summary>
    Types,
    NxtBitmap,
    WellKnownServices,
    Location,
    AddressPrefixes,
    SvcParams,
    HostIdentity,
    /// <summary>See <see cref="GatewayField"/>; gateway type, algorithm and gateway of IPSECKEY.</summary>
    IpsecGateway,
    /// <summary>See <see cref="GatewayField"/>; discovery bit, relay type and relay of AMTRELAY.</summary>
    AmtRelay,
    Nsap,
    /// <summary>See <see cref="AtmField"/>.</summary>
    AtmAddress,
    A6,
}
