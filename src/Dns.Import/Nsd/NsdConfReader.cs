using System.Text.RegularExpressions;

namespace Dns.Import.Nsd;

/// <summary>Reads NSD's nsd.conf: keys in any case, which end where a blank or a quote follows.</summary>
internal sealed partial class NsdConfReader(ConfigFiles files, ImportDiagnostics diagnostics)
    : KeywordConfReader(files, diagnostics)
{
    private static readonly HashSet<string> Headings =
        ["server", "zone", "pattern", "key", "remote-control", "tls-auth", "verify", "xdp", "dnstap"];

    /// <summary>Keys with several values: the fewest of them.</summary>
    private static readonly Dictionary<string, int> Several = new()
    {
        ["ip-address"] = 1, ["interface"] = 1, ["cpu-affinity"] = 1, ["verifier"] = 1, ["request-xfr"] = 2,
        ["allow-notify"] = 2, ["notify"] = 2, ["provide-xfr"] = 2, ["allow-query"] = 2,
    };

    protected override string Quotes => "\"";

    protected override bool HasLongStrings => true;

    protected override bool IsHeading(string key) => Headings.Contains(key);

    protected override string? ReadKey() => ReadWord() is { } word && IsKey(word) ? word.Text[..^1].ToLowerInvariant()
        : null;

    protected override IReadOnlyList<string>? ReadValues(string key)
    {
        int line = Line;
        List<string> values = [];
        while (SkipBlanks())
        {
            var before = (At, Line);
            if (ReadWord() is not { } word) return null;
            if (IsKey(word))
            {
                (At, Line) = before;
                break;
            }
            values.Add(word.Text);
        }
        bool isGood = Several.TryGetValue(key, out int fewest) ? values.Count >= fewest : values.Count == 1;
        if (isGood) return values;
        Broken(line, $"{key} with {Counted.Of(values.Count, "value")}");
        return null;
    }

    private static bool IsKey(ConfigWord word) => !word.IsQuoted && Key().IsMatch(word.Text);

    [GeneratedRegex("^[A-Za-z][A-Za-z0-9-]*:$")]
    private static partial Regex Key();
}
