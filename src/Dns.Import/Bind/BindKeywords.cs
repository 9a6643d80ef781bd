namespace Dns.Import.Bind;

/// <summary>
/// Keywords of named.conf, which BIND compares without regard to case: statements, values, <c>any</c> and <c>none</c>.
/// They are made lower case where the file is read. Paths and strings are quoted there, and stay as they are.
/// </summary>
internal static class BindKeywords
{
    /// <summary>
    /// Words that a name follows, which needs no quotes: of a zone, a key, a channel, a policy. Case does not count in
    /// names of lists.
    /// </summary>
    private static readonly HashSet<string> BeforeNames =
        ["zone", "view", "in-view", "key", "keys", "channel", "category", "dnssec-policy", "tls", "http", "key-store",
            "secret", "dlz", "dyndb", "empty-server", "empty-contact", "grant", "deny", "name", "subdomain", "wildcard"];

    /// <summary>Blocks whose elements begin with a name that case may distinguish.</summary>
    private static readonly HashSet<string> BlocksOfNames = ["logging category ", "server keys ", "view server keys "];

    /// <summary>Lists of addresses with a name, which may be quoted.</summary>
    private static readonly HashSet<string> BuiltInLists = ["any", "none", "localhost", "localnets"];

    /// <summary>The text of a word: a keyword in lower case, a name or string as it is written.</summary>
    /// <param name="before">The words of the statement before it.</param>
    /// <param name="path">The keys of the statements around, each with a space behind it.</param>
    public static string TextOf(ConfigWord word, List<string> before, string path)
    {
        string lower = word.Text.ToLowerInvariant();
        bool isKeyword = word.IsQuoted ? before is [] or ["!"] && BuiltInLists.Contains(lower)
            : before is [.., { } last] ? !BeforeNames.Contains(last) : !BlocksOfNames.Contains(path);
        // Of a connection without TLS.
        bool isNoTls = lower == "none" && before is [.., "tls"];
        return isKeyword || isNoTls ? lower : word.Text;
    }
}
