namespace Dns.Transport.Binding;

/// <summary>The protocol of a listener. The values are part of the message that passes sockets.</summary>
public enum ListenerKind : byte
{
    /// <summary>DNS over UDP and TCP, on one port (RFC 1035, RFC 7766).</summary>
    Plain = 0,

    /// <summary>DNS over TLS (RFC 7858); no UDP.</summary>
    Tls = 1,
}
