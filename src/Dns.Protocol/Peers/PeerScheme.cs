namespace Dns.Protocol.Peers;

/// <summary>How messages get to another server; one for each network (<c>IOutgoingNetwork</c>).</summary>
/// <param name="Word">The word in front of <c>://</c>, in lower case.</param>
/// <param name="DefaultPort">The port if none is given.</param>
/// <param name="HasDatagrams">Whether there are datagrams beside streams.</param>
/// <param name="HasName">Whether the other side proves a name.</param>
/// <param name="HasPath">Whether a path follows the address.</param>
public sealed record PeerScheme(
    string Word, int DefaultPort, bool HasDatagrams = true, bool HasName = false, bool HasPath = false)
{
    /// <summary>DNS over UDP and TCP, without encryption.</summary>
    public static PeerScheme Plain { get; } = new("plain", 53);

    /// <summary>All schemes, the default first.</summary>
    public static IReadOnlyList<PeerScheme> Known { get; } = [Plain];
}
