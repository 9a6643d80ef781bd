namespace Dns.Import.Unbound;

/// <summary>Reads Unbound's unbound.conf: keys in lower case, each with as many values as it takes.</summary>
internal sealed class UnboundConfReader(ConfigFiles files, ImportDiagnostics diagnostics)
    : KeywordConfReader(files, diagnostics)
{
    private static readonly HashSet<string> Headings =
        ["server", "remote-control", "forward-zone", "stub-zone", "auth-zone", "rpz", "view", "python", "dynlib",
            "dnscrypt", "cachedb", "ipset", "dnstap"];

    /// <summary>Keys with more than one value.</summary>
    private static readonly Dictionary<string, int> Several = new()
    {
        ["access-control"] = 2, ["access-control-tag"] = 2, ["access-control-view"] = 2, ["local-zone"] = 2,
        ["access-control-tag-action"] = 3, ["access-control-tag-data"] = 3, ["local-zone-tag"] = 2,
        ["local-zone-override"] = 3, ["interface-action"] = 2, ["interface-tag"] = 2, ["interface-view"] = 2,
        ["interface-tag-action"] = 3, ["interface-tag-data"] = 3, ["ratelimit-for-domain"] = 2,
        ["ratelimit-below-domain"] = 2, ["response-ip"] = 2, ["response-ip-data"] = 2, ["response-ip-tag"] = 2,
        ["tcp-connection-limit"] = 2, ["edns-client-string"] = 2, ["wait-limit-netblock"] = 2,
        ["wait-limit-cookie-netblock"] = 2,
    };

    protected override string Quotes => "\"'";

    protected override bool HasLongStrings => false;

    protected override bool IsHeading(string key) => Headings.Contains(key);

    protected override string? ReadKey()
    {
        int end = At;
        while (end < Text.Length && (char.IsAsciiLetterLower(Text[end]) || char.IsAsciiDigit(Text[end])
            || Text[end] == '-')) end++;
        if (end == At || end >= Text.Length || Text[end] != ':') return null;
        string key = Text[At..end];
        At = end + 1;
        return key;
    }

    protected override IReadOnlyList<string>? ReadValues(string key)
    {
        int line = Line;
        string[] values = new string[Several.GetValueOrDefault(key, 1)];
        for (int i = 0; i < values.Length; i++)
        {
            if (ReadWord() is not { } word)
            {
                Broken(line, $"{key} with {Counted.Of(i, "value")}: expected {values.Length}");
                GoToLineEnd();
                return null;
            }
            values[i] = word.Text;
        }
        return values;
    }
}
