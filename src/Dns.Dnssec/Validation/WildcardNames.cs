namespace Dns.Dnssec.Validation;

/// <summary>Ancestors of a name, and wildcards that may apply to it.</summary>
internal static class WildcardNames
{
    /// <summary>The last labels of a name.</summary>
    internal static ReadOnlySpan<byte> Suffix(ReadOnlySpan<byte> name, int labels)
    {
        for (int skip = WireName.CountLabels(name) - labels; skip > 0; skip--) name = name[(name[0] + 1)..];
        return name;
    }

    /// <summary>Writes the wildcard below the last labels of a name; returns its length, 0 if it is too long.</summary>
    internal static int Write(ReadOnlySpan<byte> name, int labels, Span<byte> wildcard)
    {
        ReadOnlySpan<byte> encloser = Suffix(name, labels);
        if (encloser.Length + 2 > WireName.MaxOctets) return 0;
        "\u0001*"u8.CopyTo(wildcard);
        encloser.CopyTo(wildcard[2..]);
        return encloser.Length + 2;
    }
}
