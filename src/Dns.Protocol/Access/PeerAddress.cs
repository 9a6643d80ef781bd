using System.Net;

namespace Dns.Protocol;

/// <summary>A server that messages are sent to: a primary that zones come from, or a secondary that is notified.</summary>
/// <param name="EndPoint">Its address and port.</param>
/// <param name="Key">The name of the key that messages to it are signed with; null = they are not signed.</param>
public sealed record PeerAddress(IPEndPoint EndPoint, DomainName? Key = null)
{
    /// <summary>As in the settings: <c>192.0.2.1:5353 key:k1.</c></summary>
    public override string ToString() => Key is null ? EndPoint.ToString() : $"{EndPoint} key:{Key}";
}
