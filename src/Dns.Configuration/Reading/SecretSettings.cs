namespace Dns.Configuration.Reading;

/// <summary>
/// Settings whose values no message repeats. What was written may be the secret in the wrong place: beside its list, as
/// a key, or where the section belongs.
/// </summary>
internal static class SecretSettings
{
    /// <summary>An index of a list that is no secret itself.</summary>
    private const int MaxIndexDigits = 4;

    /// <summary>Hexadecimal digits from which on text is taken for a secret wherever it stands.</summary>
    private const int LikelyDigits = 32;

    /// <summary>Whether a path leads to a secret, below one, or to the section that has one.</summary>
    /// <param name="path">The path as configuration writes it, such as <c>Dns:Cookies:Secrets:0</c>.</param>
    public static bool IsSecret(string path)
    {
        SettingRule? rule = FindDeepest(path.Split(':'), out int depth);
        return rule is { IsSecret: true }
            || rule is SectionRule section && depth == path.Split(':').Length &&
                section.Members.Any(member => member.IsSecret);
    }

    /// <summary>A path without what is below a secret, an index aside, or below a key meant as one.</summary>
    public static string Shown(string path)
    {
        string[] parts = path.Split(':');
        SettingRule? rule = FindDeepest(parts, out int depth);
        if (rule is SectionRule section && section.Members.Any(member => member.IsSecret)) depth++;
        else if (rule is not { IsSecret: true }) return path;
        if (parts.Length <= depth) return path;
        string below = parts[depth];
        bool isIndex = below.Length <= MaxIndexDigits && below.All(char.IsAsciiDigit);
        return string.Join(':', parts[..depth]) + ":" + (isIndex ? below : "...");
    }

    /// <summary>Whether a text looks like a secret written for another setting, or is a URL with a password.</summary>
    public static bool IsLikely(string text) => text.Length >= LikelyDigits && text.All(char.IsAsciiHexDigit)
        || text.IndexOf("://", StringComparison.Ordinal) is >= 0 and int scheme && text.IndexOf('@', scheme) >= 0;

    /// <summary>The rule that the longest beginning of a path leads to; null outside the section.</summary>
    private static SettingRule? FindDeepest(string[] parts, out int depth)
    {
        depth = 0;
        if (!parts[0].Equals(SettingsTable.Dns.Name, StringComparison.OrdinalIgnoreCase)) return null;
        SettingRule rule = SettingsTable.Dns;
        for (depth = 1; depth < parts.Length && rule is SectionRule section; depth++)
        {
            string name = parts[depth];
            SettingRule? member = section.Members.FirstOrDefault(
                member => member.Name.Equals(name, StringComparison.OrdinalIgnoreCase));
            if (member is null) break;
            rule = member;
        }
        return rule;
    }
}
