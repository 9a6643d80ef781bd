namespace Dns.Configuration.Foreign;

/// <summary>Finds the known name closest to a misspelled one.</summary>
public static class NearestName
{
    /// <summary>The candidate with the fewest edits, ignoring case; null above one edit in three characters.</summary>
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

    /// <summary>Edits between two texts: insertions, deletions, replacements, and swaps of neighbours.</summary>
    internal static int Distance(string left, string right)
    {
        int[] beforeLast = new int[right.Length + 1], last = new int[right.Length + 1], row = new int[right.Length + 1];
        for (int j = 0; j <= right.Length; j++) row[j] = j;
        for (int i = 1; i <= left.Length; i++)
        {
            (beforeLast, last, row) = (last, row, beforeLast);
            row[0] = i;
            for (int j = 1; j <= right.Length; j++)
            {
                int replaced = last[j - 1] + (Same(left[i - 1], right[j - 1]) ? 0 : 1);
                row[j] = Math.Min(replaced, Math.Min(last[j], row[j - 1]) + 1);
                if (i > 1 && j > 1 && Same(left[i - 1], right[j - 2]) && Same(left[i - 2], right[j - 1]))
                    row[j] = Math.Min(row[j], beforeLast[j - 2] + 1);
            }
        }
        return row[right.Length];
    }

    private static bool Same(char left, char right) => char.ToUpperInvariant(left) == char.ToUpperInvariant(right);
}
