namespace Dns.Configuration.Reading;

/// <summary>
/// What no message repeats. What was written may be the secret in the wrong place: beside its list, as a key, or where
/// the section belongs.
/// </summary>
public static class SecretSettings
{
    /// <summary>An index of a list that is no secret itself.</summary>
    private const int MaxIndexDigits = 4;

    /// <summary>Hexadecimal digits from which on text is taken for a secret wherever it stands.</summary>
    private const int LikelyDigits = 32;

    /// <summary>Whether a key is the index of a list, and no secret meant as a key.</summary>
    public static bool IsIndex(string key) => key.Length <= MaxIndexDigits && key.All(char.IsAsciiDigit);

    /// <summary>Whether a text looks like a secret written for another setting, or is a URL with a password.</summary>
    public static bool IsLikely(string text) => text.Length >= LikelyDigits && text.All(char.IsAsciiHexDigit)
        || text.IndexOf("://", StringComparison.Ordinal) is >= 0 and int scheme && text.IndexOf('@', scheme) >= 0;
}
