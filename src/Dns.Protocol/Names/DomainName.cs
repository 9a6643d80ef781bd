namespace Dns.Protocol.Names;

/// <summary>An owned, immutable name for settings, keys, messages; the query path uses spans and LookupName.</summary>
public sealed class DomainName : IEquatable<DomainName>
{
    private readonly byte[] _octets;

    private DomainName(byte[] octets) => _octets = octets;

    /// <summary>The root name.</summary>
    public static DomainName Root { get; } = new([0]);

    /// <summary>The wire form in its original letter case; valid and uncompressed.</summary>
    public ReadOnlySpan<byte> Octets => _octets;

    /// <summary>Copies a wire name.</summary>
    /// <exception cref="ArgumentException">The octets are not exactly one valid uncompressed name.</exception>
    public static DomainName FromOctets(ReadOnlySpan<byte> octets) =>
        WireName.IsValid(octets) ? new(octets.ToArray()) : throw new ArgumentException("not a valid name in wire form");

    /// <summary>Reads presentation form; the final dot may be missing.</summary>
    public static bool TryParse(string text, [System.Diagnostics.CodeAnalysis.NotNullWhen(true)] out DomainName? name)
    {
        Span<byte> octets = stackalloc byte[WireName.MaxOctets];
        name = NameText.TryParse(text, octets, out int length) ? new(octets[..length].ToArray()) : null;
        return name is not null;
    }

    /// <summary>Reads presentation form; the final dot may be missing.</summary>
    /// <exception cref="FormatException">The text is not a name.</exception>
    public static DomainName Parse(string text) =>
        TryParse(text, out DomainName? name) ? name : throw new FormatException($"\"{text}\" is not a domain name");

    /// <inheritdoc/>
    public bool Equals(DomainName? other) => other is not null && WireName.EqualsIgnoreCase(_octets, other._octets);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => Equals(obj as DomainName);

    /// <inheritdoc/>
    public override int GetHashCode() => (int)NameHash.Compute(_octets);

    /// <summary>The presentation form with its final dot.</summary>
    public override string ToString() => NameText.ToText(_octets);
}
