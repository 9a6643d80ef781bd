namespace Dns.Server;

/// <summary>Guesses which name somebody meant.</summary>
internal static class NearestName
{
    /// <summary>
    /// The candidate with the fewest edits from <paramref name="text"/>, letter case aside; null when none is near
    /// enough to be worth a guess: at most one edit in three characters.
    /// </summary>
    public static string? Find(string text, IEnumerable<string> candidates)
    {
        string? nearest = null;
        int fewest = Math.Max(1, text.Length / 3) + 1;
        foreach (string candidate in candidates)
        {
            int edits = Distance(text, candidate);
            if (edits >= fewest) continue;
            fewest = edits;
            nearest = candidate;
        }
        return nearest;
    }

    /// <summary>Levenshtein distance: insertions, deletions and replacements.</summary>
    internal static int Distance(string left, string right)
    {
        int[] row = new int[right.Length + 1];
        for (int j = 0; j <= right.Length; j++) row[j] = j;
        for (int i = 1; i <= left.Length; i++)
        {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= right.Length; j++)
            {
                bool same = char.ToUpperInvariant(left[i - 1]) == char.ToUpperInvariant(right[j - 1]);
                int replaced = diagonal + (same ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.Min(replaced, Math.Min(row[j], row[j - 1]) + 1);
            }
        }
        return row[right.Length];
    }
}
