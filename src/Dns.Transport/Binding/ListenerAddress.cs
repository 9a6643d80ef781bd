namespace Dns.Transport.Binding;

/// <summary>An address to listen on.</summary>
/// <param name="EndPoint">Address and port; port 0 chooses a free one.</param>
public sealed record ListenerAddress(IPEndPoint EndPoint, ListenerKind Kind = ListenerKind.Plain)
{
    /// <summary>The name of the listener's certificate; null for a kind without one.</summary>
    public string? Certificate { get; init; }

    /// <summary>Whether UDP is served too.</summary>
    public bool HasDatagrams => Kind == ListenerKind.Plain;

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
    public override string ToString() => EndPoint + Suffix;
}
