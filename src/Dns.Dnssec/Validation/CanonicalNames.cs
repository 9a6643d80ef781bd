namespace Dns.Dnssec.Validation;

/// <summary>The canonical order of names (RFC 4034 §6.1): label by label from the root on, in lower case.</summary>
public static class CanonicalNames
{
    /// <summary>Compares two wire names, in any letter case.</summary>
    /// <returns>Below, at or above 0, as the first precedes, equals or follows the second.</returns>
    public static int Compare(ReadOnlySpan<byte> left, ReadOnlySpan<byte> right)
    {
        Span<byte> leftStarts = stackalloc byte[WireName.MaxLabels], rightStarts = stackalloc byte[WireName.MaxLabels];
        int leftLabels = FindLabels(left, leftStarts), rightLabels = FindLabels(right, rightStarts);
        while (leftLabels > 0 && rightLabels > 0)
        {
            int order = CompareLabels(left[leftStarts[--leftLabels]..], right[rightStarts[--rightLabels]..]);
            if (order != 0) return order;
        }
        return leftLabels - rightLabels;
    }

    /// <summary>Whether a name is between two adjacent names of a zone, and so does not exist.</summary>
    /// <param name="owner">The owner of an NSEC record.</param>
    /// <param name="next">Its next name; the apex at the end of the zone.</param>
    public static bool IsBetween(ReadOnlySpan<byte> name, ReadOnlySpan<byte> owner, ReadOnlySpan<byte> next) =>
        Compare(owner, name) < 0 && (Compare(name, next) < 0 || Compare(next, owner) <= 0);

    private static int FindLabels(ReadOnlySpan<byte> name, Span<byte> starts)
    {
        int count = 0;
        for (int at = 0; name[at] != 0; at += name[at] + 1) starts[count++] = (byte)at;
        return count;
    }

    private static int CompareLabels(ReadOnlySpan<byte> left, ReadOnlySpan<byte> right)
    {
        int common = Math.Min(left[0], right[0]);
        for (int i = 1; i <= common; i++)
        {
            int order = WireName.ToLower(left[i]) - WireName.ToLower(right[i]);
            if (order != 0) return order;
        }
        return left[0] - right[0];
    }
}
