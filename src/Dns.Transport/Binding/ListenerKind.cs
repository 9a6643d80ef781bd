namespace Dns.Transport.Binding;

/// <summary>The protocol of a listener. The values are part of the message that passes sockets.</summary>
public enum ListenerKind : byte
{
    /// <summary>DNS over UDP and TCP, on one port (RFC 1035, RFC 7766).</summary>
    Plain = 0,

    /// <summary>DNS over TLS (RFC 7858); no UDP.</summary>
    Tls = 1,

    /// <summary>DNS over HTTPS (RFC 8484).</summary>
    Https = 2,

    /// <summary>DNS over HTTP, for a proxy in front that has the certificate.</summary>
    Http = 3,

    /// <summary>DNS over QUIC (RFC 9250); UDP only.</summary>
    Quic = 4,
}
