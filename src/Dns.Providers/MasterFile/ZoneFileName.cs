namespace Dns.Providers.MasterFile;

/// <summary>
/// The zone of a file name: the name without <c>.zone</c>, in presentation form, with characters that a file name
/// cannot have percent-encoded. <c>0%2F25.2.0.192.in-addr.arpa.zone</c> is a zone of RFC 2317.
/// </summary>
/// <remarks>
/// Percent-encoding applies to the presentation form, so <c>%5C046</c> is <c>\046</c>, a dot within a label. The root
/// zone has no file name; it is configured by name.
/// </remarks>
public static class ZoneFileName
{
    /// <summary>The extension, in any letter case.</summary>
    public const string Extension = ".zone";

    /// <summary>Parses the zone's name.</summary>
    /// <param name="fileName">A file name without directory.</param>
    public static bool TryParse(string fileName, [NotNullWhen(true)] out DomainName? zone) =>
        TryDecode(WithoutExtension(fileName), out zone);

    /// <summary>Why a file name is not that of a zone, to follow it in a message.</summary>
    public static string Explain(string fileName) => Unescape(WithoutExtension(fileName)) switch
    {
        null => "a percent sign is not followed by two hexadecimal digits (a percent sign itself is %25)",
        { } text when Ascii.IsValid(text) => $"\"{text}\" is not the name of a zone",
        _ => "the name of a zone is ASCII (international names are written as xn--...)",
    };

    /// <summary>The file name of a zone: without the final dot, percent-encoded; empty for the root.</summary>
    internal static string Encode(DomainName zone)
    {
        string text = zone.ToString()[..^1];
        return text.AsSpan().IndexOfAny('%', '/') < 0 ? text : text.Replace("%", "%25").Replace("/", "%2F");
    }

    /// <summary>Parses the zone's part of a file name.</summary>
    internal static bool TryDecode(string text, [NotNullWhen(true)] out DomainName? zone)
    {
        zone = null;
        return Unescape(text) is { } name && Ascii.IsValid(name) && name is not ("." or "@")
            && DomainName.TryParse(name, out zone);
    }

    private static string WithoutExtension(string fileName) =>
        fileName.EndsWith(Extension, StringComparison.OrdinalIgnoreCase) ? fileName[..^Extension.Length] : fileName;

    private static string? Unescape(string text)
    {
        if (!text.Contains('%')) return text;
        StringBuilder result = new(text.Length);
        for (int i = 0; i < text.Length; i++)
        {
            if (text[i] != '%')
            {
                result.Append(text[i]);
                continue;
            }
            if (i + 2 >= text.Length || !byte.TryParse(
                text.AsSpan(i + 1, 2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out byte octet))
                return null;
            result.Append((char)octet);
            i += 2;
        }
        return result.ToString();
    }
}
