namespace Dns.Import.Knot;

/// <summary>
/// Values of knot.conf that are no names or texts: flags, and words from a list. Knot DNS compares them without regard
/// to case, and names of options with it. They are made lower case where the sections are read.
/// </summary>
internal static class KnotKeywords
{
    private const string On = "on", Off = "off";

    /// <summary>Flags that decide who may do something, or how a zone is signed.</summary>
    private static readonly HashSet<string> DecidingFlags =
        ["dnssec-signing", "deny", "automatic-acl", "single-type-signing", "nsec3", "nsec3-opt-out", "quic", "tls"];

    /// <summary>Flags that decide less.</summary>
    private static readonly HashSet<string> OtherFlags =
        ["answer-rotation", "async-start", "block-notify-after-transfer", "disable-any",
            "dnssec-validation", "edns-client-subnet", "ixfr-benevolent", "ixfr-by-one", "ixfr-from-axfr", "ksk-shared",
            "manual", "no-edns", "offline-ksk", "provide-ixfr", "reproducible-signing", "semantic-checks",
            "tcp-fastopen", "tcp-reuseport", "zonemd-verify"];

    /// <summary>Words from a list.</summary>
    private static readonly Dictionary<string, string[]?> Enumerations = new(StringComparer.Ordinal)
    {
        ["action"] = ["query", "notify", "transfer", "update"],
        ["catalog-role"] = ["none", "interpret", "generate", "member"],
        ["update-owner"] = ["none", "key", "zone", "name"],
        ["update-owner-match"] = ["sub-or-equal", "equal", "sub", "pattern"],
        ["cds-cdnskey-publish"] = null, ["cds-digest-type"] = null, ["dbus-event"] = null,
        ["dnskey-management"] = null, ["journal-content"] = null, ["protocol"] = null,
        ["serial-policy"] = null, ["unsafe-operation"] = null, ["zonefile-load"] = null, ["zonemd-generate"] = null,
    };

    /// <summary>The sections with such values in lower case. What decides and is not known blocks the move.</summary>
    public static IReadOnlyList<ConfigStatement> Read(
        IReadOnlyList<ConfigStatement> sections, ImportDiagnostics diagnostics) =>
        [.. sections.Select(section => section with
        {
            Block = [.. section.Members.Select(member => Read(member, section, diagnostics))],
        })];

    private static ConfigStatement Read(ConfigStatement member, ConfigStatement section, ImportDiagnostics diagnostics)
    {
        string key = member.Key;
        bool isDecidingFlag = DecidingFlags.Contains(key), isFlag = isDecidingFlag || OtherFlags.Contains(key);
        if (!isFlag && !Enumerations.ContainsKey(key)) return member;
        string[] values = [.. member.Words.Skip(1).Select(word => isFlag ? FlagOf(word) : word.ToLowerInvariant())];
        bool isKnown = isDecidingFlag ? values is [] or [On or Off]
            : Enumerations.GetValueOrDefault(key) is not { } known || values.All(known.Contains);
        if (!isKnown)
            diagnostics.Block(member,
                $"{section.Key} {(section.Find("id") ?? section.Find("domain"))?.Value}".TrimEnd(),
                $"{key} {string.Join(' ', member.Words.Skip(1))}: the value is not known", ImportLimit.OfImporter);
        return member with { Words = [key, .. values] };
    }

    /// <summary>A flag may be cut short there; another word is one of a list.</summary>
    private static string FlagOf(string word)
    {
        string lower = word.ToLowerInvariant();
        if (lower.Length == 0) return lower;
        if (IsPartOf(On) || IsPartOf("true") || lower is "yes") return On;
        return IsPartOf(Off) || IsPartOf("false") ? Off : lower;

        bool IsPartOf(string whole) => whole.StartsWith(lower, StringComparison.Ordinal);
    }
}
