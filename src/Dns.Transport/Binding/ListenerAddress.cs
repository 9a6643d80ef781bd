using System.Net;

namespace Dns.Transport;

/// <summary>An address to listen on, and what is spoken there.</summary>
/// <param name="EndPoint">Address and port. Port 0 takes a free port.</param>
/// <param name="Kind">What is spoken.</param>
public sealed record ListenerAddress(IPEndPoint EndPoint, ListenerKind Kind = ListenerKind.Plain)
{
    /// <summary>Which of the server's certificates the listener shows; null for a kind that shows none.</summary>
    public string? Certificate { get; init; }

    /// <summary>Whether UDP is served there, too.</summary>
    public bool HasDatagrams => Kind == ListenerKind.Plain;

    /// <summary>The words of the kind, behind an address in a message.</summary>
    internal string Suffix => Kind == ListenerKind.Plain ? "" : $" ({Kind.ToString().ToUpperInvariant()})";

    /// <summary>An address where plain DNS is spoken.</summary>
    public static implicit operator ListenerAddress(IPEndPoint endPoint) => new(endPoint);

    /// <inheritdoc/>
    public override string ToString() => EndPoint + Suffix;
}
