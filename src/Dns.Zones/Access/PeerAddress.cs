namespace Dns.Zones.Access;

/// <summary>A primary to transfer from, or a secondary to notify.</summary>
/// <param name="Key">The name of the TSIG key for messages to it; null = unsigned.</param>
public sealed record PeerAddress(IPEndPoint EndPoint, DomainName? Key = null)
{
    /// <summary>As in the settings: <c>192.0.2.1:5353 key:k1.</c></summary>
    public override string ToString() => Key is null ? EndPoint.ToString() : $"{EndPoint} key:{Key}";
}
