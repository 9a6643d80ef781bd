namespace Dns.Protocol.Messages;

/// <summary>The protocols that carry DNS messages.</summary>
public enum TransportKind : byte
{
    /// <summary>Datagrams (RFC 1035 §4.2.1).</summary>
    Udp,

    /// <summary>TCP (RFC 7766).</summary>
    Tcp,

    /// <summary>DNS over TLS (RFC 7858).</summary>
    Tls,

    /// <summary>DNS over HTTPS (RFC 8484).</summary>
    Https,

    /// <summary>DNS over QUIC (RFC 9250).</summary>
    Quic,
}
