using System.Text;

namespace Dns.Testing;

/// <summary>Canonical order of names as text (RFC 4034 §6.1): label by label from the right, each as octets.</summary>
public sealed class NameOrder : IComparer<string>
{
    /// <summary>The order.</summary>
    public static NameOrder Canonical { get; } = new();

    /// <inheritdoc/>
    public int Compare(string? x, string? y)
    {
        string[] left = Labels(x!), right = Labels(y!);
        for (int i = 1; i <= Math.Min(left.Length, right.Length); i++)
        {
            int order = Encoding.ASCII.GetBytes(left[^i]).AsSpan()
                .SequenceCompareTo(Encoding.ASCII.GetBytes(right[^i]));
            if (order != 0) return order;
        }
        return left.Length - right.Length;
    }

    /// <summary>The labels of a name, the first first.</summary>
    public static string[] Labels(string name) => name.Split('.', StringSplitOptions.RemoveEmptyEntries);

    /// <summary>The name without its first label.</summary>
    public static string Parent(string name) => name.Contains('.') ? name[(name.IndexOf('.') + 1)..] : "";

    /// <summary>Whether a name is another or lies below it.</summary>
    public static bool IsAtOrBelow(string name, string above) => name == above || IsBelow(name, above);

    /// <summary>Whether a name lies below another.</summary>
    public static bool IsBelow(string name, string above) =>
        name != above && (above.Length == 0 || name.EndsWith("." + above, StringComparison.Ordinal));
}
