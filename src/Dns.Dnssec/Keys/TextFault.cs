using static Dns.Dnssec.Keys.TextFaultKind;

namespace Dns.Dnssec.Keys;

/// <summary>What is wrong with a text of keys, key sets or trust anchors, and where.</summary>
public sealed record TextFault
{
    private readonly TextFaultKind _kind;
    private readonly string? _path, _detail;
    private readonly TextWord _at;

    /// <param name="path">The file; null if the reader of the fault names it.</param>
    /// <param name="at">The wrong word; no text = not shown, none at all = the whole file.</param>
    /// <param name="detail">What the kind is of.</param>
    internal TextFault(TextFaultKind kind, string? path, TextWord at = default, string? detail = null) =>
        (_kind, _path, _at, _detail) = (kind, path, at, detail);

    /// <summary>File, line and column if known, and what was expected.</summary>
    public override string ToString()
    {
        (string? word, int line, int column) = _at;
        string prefix = _path is null ? "" : _path + ":";
        if (line > 0) prefix += string.Create(CultureInfo.InvariantCulture, $"{line}:{column}:");
        string found = word is null ? "" : word.Length == 0 ? ", found the end" : $", found \"{word}\"";
        return (prefix.Length == 0 ? "" : prefix + " ") + _kind switch
        {
            Unreadable => _detail,
            Digest => "the digest at its end is not that of its lines: it is cut, or was changed",
            Words => "unexpected words",
            KeyOfOtherZone => $"found a key of {word}, expected one of {_detail}",
            _ => $"expected {Expected}{found}",
        };
    }

    private string? Expected => _kind switch
    {
        TooLong => $"at most {_detail} octets",
        ZoneName => "the name of a zone",
        DnskeyType => "DNSKEY",
        Flags => "flags, a number up to 65535",
        ProtocolNumber => "the protocol 3",
        Algorithm => "an algorithm",
        PublicKey => "a public key in base 64",
        NameAndColon => "a name and a colon",
        Format => "the format v1.3",
        KnownAlgorithm => "an algorithm that is known",
        Number => "a number in base 64",
        Time => "a time as YYYYMMDDHHmmSS",
        Line => $"a line \"{_detail}: \"",
        PrivateKey => $"a private key of {_detail}",
        UsableKey => $"the numbers of a key of {_detail} that this machine signs with",
        SameKey => $"the private key of {_detail}, found that of another key",
        AnchorType => "DS or DNSKEY",
        AnchorFields => "four fields behind the type",
        Anchor => "a DS or DNSKEY record, found none",
        StateHeader => $"{_detail}: it is cut, or of another version",
        BundleNotRequest => $"{_detail}, found a request: \"dnsd keys sign-request\" makes a bundle of it",
        RequestNotBundle => $"{_detail}, found a bundle",
        ZoneLine => "the zone",
        FewerSlots => $"at most {KeySets.MaxSlots} slots",
        _ => _detail,
    };
}

/// <summary>The kind of a <see cref="TextFault"/>: mostly what was expected.</summary>
internal enum TextFaultKind : byte
{
    Unreadable, TooLong, ZoneName, Words, Digest,
    DnskeyType, Flags, ProtocolNumber, Algorithm, PublicKey,
    NameAndColon, Format, KnownAlgorithm, Number, Time, Line, PrivateKey, UsableKey, SameKey, KeyOfOtherZone,
    AnchorType, AnchorFields, AnchorRdata, Anchor,
    StateHeader, KeySetHeader, BundleNotRequest, RequestNotBundle, ZoneLine, FewerSlots,
}
