namespace Dns.Dnssec.Policies;

/// <summary>The text of the file of <see cref="ZoneKeys"/>: readable lines, with a digest at the end.</summary>
/// <remarks><code>
/// dnsd-keys 1                                     kind and version of the format
/// key 013+04711 ksk +published -signs -retiring CREATED PUBLISHED ACTIVATED RETIRED REMOVED     - = not yet
/// dnskey 013+04711,013+00815 013+04711 3600 -     a version: keys, signers, TTL in seconds, when it was replaced
/// rrsig 013+00815 - 86400 -                       signatures: keys, nothing, TTL, when they were replaced
/// ds 013+04711 - 86400 -                          the same for the parent
/// wanted 013+04711                                the DS RRset requested by CDS
/// seen 013+04711 86400                            the parent's DS RRset, and its TTL; ? = never seen, unknown
/// cds 013+04711 -delete -leaving                  the served CDS; whether the zone is becoming unsigned
/// rollover -ksk -zsk 8 13                         requested: keys, algorithm, the policy's algorithm then; - = none
/// policy =NAME 13 2048 csk nsec ...               the last policy: see <see cref="PolicyText"/>; none = unknown
/// elsewhere                                       the source signs the zone, with these keys; none = it does not
/// slot 2026-01-01T00:00:00.0000000Z               the served key set of an offline KSK; none = made here
/// serial 2026010299                               no served version has a greater serial; none = unknown
/// sha256 ...                                      the digest of all lines before
/// </code>
/// A truncated or modified file is detected and refused.
/// </remarks>
public static class KeyStateText
{
    private const string First = "dnsd-keys 1";
    private const string TimeFormat = "yyyy-MM-dd'T'HH:mm:ss.fffffff'Z'";

    /// <summary>Writes a state.</summary>
    public static string Format(ZoneKeys keys)
    {
        StringBuilder text = new(First + "\n");
        foreach (KeyRecord key in keys.Keys)
            Line(text, "key", key.Id.ToString(), key.Role.Text(), Flag(key.IsPublished, "published"),
                Flag(key.SignsZone, "signs"),
                Flag(key.IsRetiring, "retiring"), Time(key.Created), Time(key.Published), Time(key.Activated),
                Time(key.Retired), Time(key.Removed));
        foreach (CachedSet set in keys.KeySets) Line(text, "dnskey", Words(set));
        foreach (CachedSet set in keys.SignerSets) Line(text, "rrsig", Words(set));
        foreach (CachedSet set in keys.DsSets) Line(text, "ds", Words(set));
        Line(text, "wanted", keys.WantedDs.ToString());
        Line(text, "seen", keys.SeenDs?.ToString() ?? "?", PolicyText.Seconds(keys.DsTtl));
        Line(text, "cds", keys.ServedCds.ToString(), Flag(keys.ServedCdsDelete, "delete"),
            Flag(keys.IsLeaving, "leaving"));
        Line(text, "rollover", Flag(keys.WantsKsk, "ksk"), Flag(keys.WantsZsk, "zsk"),
            Number(keys.WantedAlgorithm), Number(keys.PolicyAlgorithm));
        if (keys.IsElsewhere) Line(text, "elsewhere");
        if (keys.Slot is { } slot) Line(text, "slot", Time(slot));
        if (keys.HighestSerial is { } serial) Line(text, "serial", serial.ToString(CultureInfo.InvariantCulture));
        if (keys.Policy is { } policy) Line(text, "policy", PolicyText.Words(policy));
        return DigestedLines.Seal(text.ToString());
    }

    /// <summary>Reads a state.</summary>
    public static bool TryRead(
        string text, [NotNullWhen(true)] out ZoneKeys? keys, [NotNullWhen(false)] out TextFault? fault)
    {
        KeyStateReader reader = new();
        fault = FindFault(text, reader);
        keys = fault is null ? reader.Keys : null;
        return keys is not null;
    }

    private static TextFault? FindFault(string text, KeyStateReader reader)
    {
        if (!text.StartsWith(First + "\n", StringComparison.Ordinal))
            return new TextFault(TextFaultKind.StateHeader, null, TextWord.LineAt(1), First);
        if (DigestedLines.Open(text) is not { } lines) return new TextFault(TextFaultKind.Digest, null);
        for (int i = 1; i < lines.Length - 1; i++)
            if (!reader.TryRead(lines[i].Split(' ')))
                return new TextFault(TextFaultKind.Words, null, TextWord.LineAt(i + 1));
        return null;
    }

    internal static bool TryReadTime(string word, out DateTimeOffset time) => DateTimeOffset.TryParseExact(
        word, TimeFormat, CultureInfo.InvariantCulture,
        DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal, out time);

    private static void Line(StringBuilder text, params ReadOnlySpan<string> words) =>
        text.AppendJoin(' ', words).Append('\n');

    private static string[] Words(CachedSet set) =>
        [set.Keys.ToString(), set.Signers.ToString(), PolicyText.Seconds(set.Ttl), Time(set.Replaced)];

    private static void Line(StringBuilder text, string word, string[] words) => Line(text, [word, .. words]);

    private static string Flag(bool value, string word) => (value ? "+" : "-") + word;

    private static string Time(DateTimeOffset? time) =>
        time?.UtcDateTime.ToString(TimeFormat, CultureInfo.InvariantCulture) ?? "-";

    private static string Number(DnssecAlgorithm? algorithm) =>
        algorithm is { } there ? ((byte)there).ToString(CultureInfo.InvariantCulture) : "-";
}
