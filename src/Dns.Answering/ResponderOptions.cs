using System.Text;
using Dns.Protocol;

namespace Dns.Answering;

/// <summary>What an operator decides about answers. Immutable.</summary>
public sealed record ResponderOptions
{
    /// <summary>The lowest <see cref="MaxUdpPayload"/> (RFC 1035 §4.2.1).</summary>
    public const int MinUdpPayload = 512;

    /// <summary>The longest identity and version string, in octets.</summary>
    internal const int MaxTextOctets = 255;

    /// <summary>The longest answer over UDP in octets, 512 to 65,535; also the size announced in OPT (RFC 6891 §6.2.5).</summary>
    public int MaxUdpPayload { get; init; } = 1232;

    /// <summary>What NSID (RFC 5001) and <c>id.server</c> CH TXT (RFC 4892) tell; null refuses both.</summary>
    public string? Identity { get; init; }

    /// <summary>What <c>version.bind</c> and <c>version.server</c> CH TXT tell; null refuses them.</summary>
    public string? Version { get; init; }

    /// <summary>Whether the records of an RRset start at another one from answer to answer.</summary>
    public bool RotateRRsets { get; init; }

    /// <summary>Whether ANY over UDP is answered with a single RRset (RFC 8482 §4.1).</summary>
    public bool MinimalAny { get; init; } = true;

    /// <summary>How long an idle TCP connection is kept, told by the keepalive option (RFC 7828), in milliseconds.</summary>
    public int TcpIdleTimeoutMs { get; init; } = 10_000;

    /// <summary>Makes and checks cookies (RFC 7873); null ignores them.</summary>
    public ServerCookies? Cookies { get; init; }

    /// <summary>Limits how many answers go to a network whose clients may be forged; null does not.</summary>
    public RateLimiter? RateLimiter { get; init; }

    /// <summary>The keys that queries may be signed with (RFC 8945).</summary>
    public TsigKeyRing Keys { get; init; } = TsigKeyRing.Empty;

    /// <summary>Seconds since 1970, by which signed queries are judged; not asked for others.</summary>
    public Func<long> UnixSeconds { get; init; } = static () => 0;

    /// <summary>Off in tests that compare ready octets with those of the encoder.</summary>
    internal bool UseReadyOctets { get; init; } = true;

    internal byte[] IdentityOctets => Encoding.UTF8.GetBytes(Identity ?? "");

    internal byte[] VersionOctets => Encoding.UTF8.GetBytes(Version ?? "");
}
