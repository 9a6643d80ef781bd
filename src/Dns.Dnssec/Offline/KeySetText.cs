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

    /// <summary>Writes a file.</summary>
    public static string Format(KeySets sets) => DigestedLines.Seal(LinesOf(sets));

    private static string LinesOf(KeySets sets)
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
        return text.ToString();
    }

    /// <summary>The digest at the end of a file, for comparison by operators.</summary>
    public static string DigestOf(KeySets sets) => DigestedLines.DigestOf(LinesOf(sets));

    /// <summary>Reads a file.</summary>
    /// <param name="isBundle">Whether a bundle is expected, not a request.</param>
    public static bool TryRead(
        string text, bool isBundle, [NotNullWhen(true)] out KeySets? sets, [NotNullWhen(false)] out TextFault? fault)
    {
        KeySetReader reader = new(isBundle);
        fault = FindFault(text.Replace("\r\n", "\n", StringComparison.Ordinal), isBundle, reader);
        sets = fault is null ? reader.Sets : null;
        if (fault is null && sets is null) fault = new TextFault(TextFaultKind.ZoneLine, null, TextWord.LineAt(2));
        return sets is not null;
    }

    private static TextFault? FindFault(string text, bool isBundle, KeySetReader reader)
    {
        (string first, string other) = isBundle ? (Bundle, Request) : (Request, Bundle);
        if (!text.StartsWith(first + "\n", StringComparison.Ordinal))
        {
            TextFaultKind kind = !text.StartsWith(other, StringComparison.Ordinal) ? TextFaultKind.KeySetHeader
                : isBundle ? TextFaultKind.BundleNotRequest : TextFaultKind.RequestNotBundle;
            return new TextFault(kind, null, TextWord.LineAt(1), first);
        }
        if (DigestedLines.Open(text) is not { } lines) return new TextFault(TextFaultKind.Digest, null);
        for (int i = 1; i < lines.Length - 1; i++)
            if (reader.FindFault(lines[i]) is { } kind) return new TextFault(kind, null, TextWord.LineAt(i + 1));
        return null;
    }

    internal static bool TryReadTime(string word, out DateTimeOffset time) => DateTimeOffset.TryParseExact(
        word, TimeFormat, CultureInfo.InvariantCulture,
        DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal, out time);

    private static string Time(DateTimeOffset time) =>
        time.UtcDateTime.ToString(TimeFormat, CultureInfo.InvariantCulture);

    private static void Line(StringBuilder text, string line) => text.Append(line).Append('\n');

    private static void Line(StringBuilder text, RRType type, ReadOnlySpan<byte> rdata) =>
        Line(text, $"{RRTypeText.Format(type)} {Rdata.Format(type, rdata)}");
}
