namespace Dns.Transport.Binding;

/// <summary>An address to listen on. Two are equal if they have the same address and kind.</summary>
/// <param name="EndPoint">Address and port; port 0 chooses a free one.</param>
public sealed record ListenerAddress(IPEndPoint EndPoint, ListenerKind Kind = ListenerKind.Plain)
{
    /// <summary>The name of the listener's certificate; null for a kind without one.</summary>
    public string? Certificate { get; init; }

    /// <summary>Other options of the entry, by name; the factory of its kind reads them.</summary>
    public IReadOnlyDictionary<string, string> Options { get; init; } = NoOptions;

    private static readonly Dictionary<string, string> NoOptions = [];

    /// <summary>The kind as a suffix in messages.</summary>
    internal string Suffix => Kind == ListenerKind.Plain ? "" : $" ({Kind.ToString().ToUpperInvariant()})";

    /// <summary>
    /// Whether two addresses cannot both be bound: they are equal, or one is the wildcard of the family of the other.
    /// Each port 0 becomes another free port.
    /// </summary>
    public static bool Overlap(IPEndPoint one, IPEndPoint other) =>
        one.Port == other.Port && one.Port != 0 && one.AddressFamily == other.AddressFamily
        && (one.Address.Equals(other.Address)
            || UdpAdmission.IsWildcard(one.Address) || UdpAdmission.IsWildcard(other.Address));

    /// <summary>An address for plain DNS.</summary>
    public static implicit operator ListenerAddress(IPEndPoint endPoint) => new(endPoint);

    /// <inheritdoc/>
    public bool Equals(ListenerAddress? other) =>
        other is not null && Kind == other.Kind && EndPoint.Equals(other.EndPoint);

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(EndPoint, Kind);

    /// <inheritdoc/>
    public override string ToString() => EndPoint + Suffix;
}
