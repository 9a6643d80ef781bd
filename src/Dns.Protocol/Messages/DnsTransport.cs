namespace Dns.Protocol.Messages;

/// <summary>A transport with the properties that messages depend on. One octet; the default value is UDP.</summary>
public readonly record struct DnsTransport(TransportKind Kind)
{
    /// <summary>The number of kinds.</summary>
    public const int Kinds = (int)TransportKind.Quic + 1;

    private static readonly DnsTransport[] AllKinds = [Udp, Tcp, Tls, Https, Quic];

    /// <summary>Datagrams.</summary>
    public static DnsTransport Udp => new(TransportKind.Udp);

    /// <summary>TCP.</summary>
    public static DnsTransport Tcp => new(TransportKind.Tcp);

    /// <summary>DNS over TLS.</summary>
    public static DnsTransport Tls => new(TransportKind.Tls);

    /// <summary>DNS over HTTPS.</summary>
    public static DnsTransport Https => new(TransportKind.Https);

    /// <summary>DNS over QUIC.</summary>
    public static DnsTransport Quic => new(TransportKind.Quic);

    /// <summary>All of them, in the order of <see cref="TransportKind"/>.</summary>
    public static ReadOnlySpan<DnsTransport> All => AllKinds;

    /// <summary>
    /// Whether messages of up to 65,535 octets arrive complete and in order, from an address that cannot be forged.
    /// Only then may a reply be a sequence of messages (RFC 5936 §4.2), and truncation is useless.
    /// </summary>
    public bool IsReliable => Kind != TransportKind.Udp;

    /// <summary>Whether messages are encrypted.</summary>
    public bool IsEncrypted => Kind >= TransportKind.Tls;

    /// <summary>Whether a padded query gets a padded reply: useless without encryption (RFC 7830 §6).</summary>
    public bool MayPad => IsEncrypted;

    /// <summary>Whether edns-tcp-keepalive exists: not in HTTP, QUIC (RFC 7828 §3.2.1, RFC 9250 §5.5.2).</summary>
    public bool HasKeepalive => Kind is TransportKind.Tcp or TransportKind.Tls;

    /// <summary>The name in logs and metrics: udp, tcp, tls, https or quic.</summary>
    public string Name => Kind switch
    {
        TransportKind.Udp => "udp",
        TransportKind.Tcp => "tcp",
        TransportKind.Tls => "tls",
        TransportKind.Https => "https",
        _ => "quic",
    };

    /// <inheritdoc/>
    public override string ToString() => Name;
}
