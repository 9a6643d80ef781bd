using System.Security.Cryptography;

namespace Dns.Dnssec.Offline;

/// <summary>The text of requests and bundles: readable lines, with a digest at the end.</summary>
/// <remarks><code>
/// dnsd-key-request 1                       or dnsd-key-bundle 1: kind and version of the format
/// zone a.example.
/// made 2026-01-01T00:00:00Z                of a request, as the next four
/// lifetime 1209600                         validity of signatures, in seconds
/// lead 7500                                time until caches know a key, in seconds
/// parent 4711,815                          tags of the parent's DS records; - none, ? unknown
/// known 2026-01-01T00:00:00Z 257 3 13 ...  a KSK that the server publishes, since when
/// request SHA256                           of a bundle: the digest of its request; ? of several
/// slot 2026-01-01T00:00:00Z 3600           when the records below it are first served, and their TTL
/// DNSKEY 256 3 13 ...                      records of the zone's name: type and data
/// sha256 ...                               the digest of all lines before
/// </code>
/// A truncated or modified file is detected and refused. It has no secrets.
/// </remarks>
public static class KeySetText
{
    /// <summary>The largest file in octets.</summary>
    public const int MaxOctets = 1 << 20;

    private const string Request = "dnsd-key-request 1", Bundle = "dnsd-key-bundle 1";
    private const string TimeFormat = "yyyy-MM-dd'T'HH:mm:ss'Z'";
    private const string Digest = "sha256 ";

    /// <summary>Writes a file.</summary>
    public static string Format(KeySets sets)
    {
        StringBuilder text = new();
        Line(text, sets.IsBundle ? Bundle : Request);
        Line(text, $"zone {sets.Zone}");
        if (sets.IsBundle) Line(text, $"request {sets.Request ?? "?"}");
        else
        {
            Line(text, $"made {Time(sets.Made)}");
            Line(text, string.Create(CultureInfo.InvariantCulture, $"lifetime {sets.Lifetime.TotalSeconds:0}"));
            Line(text, string.Create(CultureInfo.InvariantCulture, $"lead {sets.Lead.TotalSeconds:0}"));
            Line(text,
                $"parent {(sets.Parent is null ? "?" : sets.Parent.Count == 0 ? "-" : string.Join(',', sets.Parent))}");
            foreach (var (key, since) in sets.Known)
                Line(text, $"known {Time(since)} {Rdata.Format(RRType.DNSKEY, key.Rdata)}");
        }
        foreach (KeySlot slot in sets.Slots)
        {
            Line(text, string.Create(CultureInfo.InvariantCulture, $"slot {Time(slot.Start)} {slot.Ttl}"));
            foreach (Dnskey key in slot.Keys) Line(text, RRType.DNSKEY, key.Rdata);
            foreach (byte[] rdata in slot.Cds) Line(text, RRType.CDS, rdata);
            foreach (byte[] rdata in slot.Cdnskey) Line(text, RRType.CDNSKEY, rdata);
            foreach (byte[] rdata in slot.Signatures) Line(text, RRType.RRSIG, rdata);
        }
        string lines = text.ToString();
        return lines + Digest + DigestOf(lines) + "\n";
    }

    /// <summary>The digest at the end of a file, for comparison by operators.</summary>
    public static string DigestOf(KeySets sets)
    {
        string text = Format(sets);
        return text[(text.LastIndexOf(Digest, StringComparison.Ordinal) + Digest.Length)..].TrimEnd('\n');
    }

    /// <summary>Reads a file.</summary>
    /// <param name="isBundle">Whether a bundle is expected, not a request.</param>
    /// <param name="error">Line, column and what was expected.</param>
    public static bool TryRead(string text, bool isBundle, [NotNullWhen(true)] out KeySets? sets, out string error)
    {
        sets = null;
        error = "";
        text = text.Replace("\r\n", "\n", StringComparison.Ordinal);
        string first = isBundle ? Bundle : Request;
        if (!text.StartsWith(first + "\n", StringComparison.Ordinal))
        {
            string other = text.StartsWith(isBundle ? Request : Bundle, StringComparison.Ordinal)
                ? isBundle ? ", found a request: \"dnsd keys sign-request\" makes a bundle of it" : ", found a bundle"
                : "";
            error = $"1:1: expected {first}{other}";
            return false;
        }
        int digest = text.LastIndexOf("\n" + Digest, StringComparison.Ordinal) + 1;
        if (digest == 0 || text[digest..] != Digest + DigestOf(text[..digest]) + "\n")
        {
            error = "the digest at its end is not that of its lines: it is cut, or was changed";
            return false;
        }
        KeySetReader reader = new(isBundle);
        string[] lines = text[..digest].Split('\n');
        for (int i = 1; i < lines.Length - 1; i++)
        {
            if (reader.FindFault(lines[i]) is not { } fault) continue;
            error = $"{i + 1}:1: {fault}";
            return false;
        }
        sets = reader.Sets;
        if (sets is null) error = "2:1: expected the zone";
        return sets is not null;
    }

    internal static bool TryReadTime(string word, out DateTimeOffset time) => DateTimeOffset.TryParseExact(
        word, TimeFormat, CultureInfo.InvariantCulture,
        DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal, out time);

    private static string Time(DateTimeOffset time) =>
        time.UtcDateTime.ToString(TimeFormat, CultureInfo.InvariantCulture);

    private static string DigestOf(string text) =>
        Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(text)));

    private static void Line(StringBuilder text, string line) => text.Append(line).Append('\n');

    private static void Line(StringBuilder text, RRType type, ReadOnlySpan<byte> rdata) =>
        Line(text, $"{RRTypeText.Format(type)} {Rdata.Format(type, rdata)}");
}
