namespace Dns.Dnssec.Policies;

/// <summary>Identifies a key of a zone: generation ensures that no two keys of a zone are equal in both.</summary>
/// <param name="Tag">Its key tag (RFC 4034 app. B).</param>
public readonly record struct KeyId(DnssecAlgorithm Algorithm, ushort Tag)
{
    /// <summary>As in the names of key files: <c>013+04711</c>.</summary>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{(byte)Algorithm:d3}+{Tag:d5}");

    /// <summary>Reads the form of <see cref="ToString"/>.</summary>
    public static bool TryParse(ReadOnlySpan<char> text, out KeyId id)
    {
        id = default;
        int plus = text.IndexOf('+');
        if (plus < 0 ||
            !byte.TryParse(text[..plus], NumberStyles.None, CultureInfo.InvariantCulture, out byte algorithm)
            || !ushort.TryParse(text[(plus + 1)..], NumberStyles.None, CultureInfo.InvariantCulture, out ushort tag))
                return false;
        id = new KeyId((DnssecAlgorithm)algorithm, tag);
        return true;
    }
}
