namespace Dns.Transport;

/// <summary>What a listener speaks. The values are those of the message that hands sockets over.</summary>
public enum ListenerKind : byte
{
    /// <summary>DNS over UDP and TCP, on one port (RFC 1035, RFC 7766).</summary>
    Plain = 0,

    /// <summary>DNS over TLS (RFC 7858): TCP alone.</summary>
    Tls = 1,
}
