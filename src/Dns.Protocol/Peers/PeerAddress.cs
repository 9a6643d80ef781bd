using System.Diagnostics.CodeAnalysis;

namespace Dns.Protocol.Peers;

/// <summary>Another server: an upstream, a primary, a secondary to notify, a resolver of a policy.</summary>
/// <remarks><c>[SCHEME://]ADDRESS[:PORT][/PATH][#NAME] [key:KEY]</c>; without a scheme it is plain.</remarks>
/// <param name="Key">The name of the TSIG key for messages to it; null = unsigned.</param>
public sealed record PeerAddress(IPEndPoint EndPoint, DomainName? Key = null)
{
    /// <summary>How messages get there.</summary>
    public PeerScheme Scheme { get; init; } = PeerScheme.Plain;

    /// <summary>The name that the server has to prove; null for schemes without.</summary>
    public string? Name { get; init; }

    /// <summary>The path with its slash; empty for schemes without.</summary>
    public string Path { get; init; } = "";

    /// <summary>A plain server.</summary>
    [return: NotNullIfNotNull(nameof(endPoint))]
    public static implicit operator PeerAddress?(IPEndPoint? endPoint) => endPoint is null ? null : new(endPoint);

    /// <summary>Reads a server without a key; null if it is none, or of an unknown scheme.</summary>
    /// <param name="read">
    /// Reads the address, with the port if it has none; null = as <see cref="ToString"/> writes it.
    /// </param>
    /// <param name="schemes">The known schemes; null = all.</param>
    public static PeerAddress? Parse(
        string text, Func<string, int, IPEndPoint?>? read = null, IReadOnlyList<PeerScheme>? schemes = null)
    {
        PeerScheme? scheme = PeerScheme.Plain;
        if (text.IndexOf("://", StringComparison.Ordinal) is >= 0 and int end)
        {
            string word = text[..end].ToLowerInvariant();
            scheme = (schemes ?? PeerScheme.Known).FirstOrDefault(known => known.Word == word);
            text = text[(end + 3)..];
        }
        if (scheme is null) return null;
        string? name = scheme.HasName ? CutFrom('#', ref text)?[1..] : null;
        string path = (scheme.HasPath ? CutFrom('/', ref text) : null) ?? "";
        return (read ?? ReadEndPoint)(text, scheme.DefaultPort) is { } endPoint
            ? new PeerAddress(endPoint) { Scheme = scheme, Name = name, Path = path } : null;
    }

    /// <summary>As in the settings: <c>192.0.2.1:5353 key:k1.</c></summary>
    public override string ToString()
    {
        string server = Scheme == PeerScheme.Plain ? EndPoint.ToString()
            : $"{Scheme.Word}://{EndPoint}{Path}{(Name is null ? "" : "#" + Name)}";
        return Key is null ? server : $"{server} key:{Key}";
    }

    private static IPEndPoint? ReadEndPoint(string text, int defaultPort) =>
        IPEndPoint.TryParse(text, out IPEndPoint? endPoint) ? endPoint : null;

    private static string? CutFrom(char sign, ref string text)
    {
        int at = text.IndexOf(sign);
        if (at < 0) return null;
        string cut = text[at..];
        text = text[..at];
        return cut;
    }
}
