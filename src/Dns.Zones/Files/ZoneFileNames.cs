using System.Security.Cryptography;

namespace Dns.Zones.Files;

/// <summary>A zone's file names in the state directory: the only use of a zone name as part of a path.</summary>
/// <remarks>
/// The labels in lower case, separated by dots; every octet but letters, digits, <c>-</c> and <c>_</c> as <c>%</c> and
/// two hexadecimal digits. Never empty, without separators or a leading dot, unique even on case-insensitive file
/// systems, never a device name of Windows. Beyond <see cref="MaxLength"/> a name ends with <c>~</c> and a digest.
/// </remarks>
public static class ZoneFileNames
{
    /// <summary>Maximum characters: extensions and random parts stay within the 255 of file systems.</summary>
    public const int MaxLength = 180;

    private const int DigestOctets = 16;
    private const string OfRoot = "%2e";

    /// <summary>The name for a zone, without an extension.</summary>
    public static string Of(DomainName zone)
    {
        byte[] name = zone.Octets.ToArray();
        WireName.ToLower(zone.Octets, name);
        if (name.Length == 1) return OfRoot;
        string text = Encode(name);
        if (IsDevice(text)) text = $"%{name[1]:x2}{text[1..]}";
        if (text.Length <= MaxLength) return text;
        string digest = Convert.ToHexStringLower(SHA256.HashData(name).AsSpan(0, DigestOctets));
        return $"{text[..(MaxLength - digest.Length - 1)]}~{digest}";
    }

    private static string Encode(ReadOnlySpan<byte> name)
    {
        StringBuilder text = new(name.Length);
        for (; name[0] > 0; name = name[(name[0] + 1)..])
        {
            if (text.Length > 0) text.Append('.');
            foreach (byte octet in name.Slice(1, name[0]))
            {
                if (char.IsAsciiLetterLower((char)octet) || char.IsAsciiDigit((char)octet) ||
                    octet is (byte)'-' or (byte)'_')
                    text.Append((char)octet);
                else text.Append('%').Append(octet.ToString("x2"));
            }
        }
        return text.ToString();
    }

    /// <summary>Whether a file of this name, with any extension, is a device in Windows.</summary>
    private static bool IsDevice(string text)
    {
        string first = text.Split('.')[0];
        return first is "con" or "prn" or "aux" or "nul"
            || first.Length == 4 &&
                (first.StartsWith("com", StringComparison.Ordinal) || first.StartsWith("lpt", StringComparison.Ordinal))
                && char.IsAsciiDigit(first[3]);
    }
}
