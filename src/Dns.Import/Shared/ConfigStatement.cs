namespace Dns.Import.Shared;

/// <summary>A statement of another server's configuration: words, and what stands in its block or below it.</summary>
/// <param name="File">The file, as it is shown.</param>
/// <param name="Line">Line from 1.</param>
/// <param name="Words">The key and its values, without quotes.</param>
/// <param name="Block">The statements below it; null when it has no block.</param>
internal sealed record ConfigStatement(string File, int Line, IReadOnlyList<string> Words,
    IReadOnlyList<ConfigStatement>? Block)
{
    public string Location => Line > 0 ? $"{File}:{Line}" : File;

    public string Key => Words.Count > 0 ? Words[0] : "";

    public string? Value => Words.Count > 1 ? Words[1] : null;

    public IReadOnlyList<ConfigStatement> Members => Block ?? [];

    /// <summary>The word behind another one; null = none.</summary>
    public string? Following(string word)
    {
        int at = Words.ToList().IndexOf(word);
        return at > 0 ? Words.ElementAtOrDefault(at + 1) : null;
    }

    /// <summary>The last statement with a key: later ones win, as in the servers that read them.</summary>
    public ConfigStatement? Find(string key) => Members.LastOrDefault(member => member.Key == key);
}
