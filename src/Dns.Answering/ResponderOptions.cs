namespace Dns.Answering;

/// <summary>Options of answers. Immutable.</summary>
public sealed record ResponderOptions
{
    /// <summary>The lowest <see cref="MaxUdpPayload"/> (RFC 1035 §4.2.1).</summary>
    public const int MinUdpPayload = 512;

    /// <summary>The longest identity and version string, in octets.</summary>
    internal const int MaxTextOctets = 255;

    /// <summary>Longest answer over UDP in octets, 512 to 65,535, and the size in OPT (RFC 6891 §6.2.5).</summary>
    public int MaxUdpPayload { get; init; } = 1232;

    /// <summary>The identity in NSID (RFC 5001) and <c>id.server</c> CH TXT (RFC 4892); null refuses both.</summary>
    public string? Identity
    {
        get;
        init
        {
            field = value;
            IdentityOctets = System.Text.Encoding.UTF8.GetBytes(value ?? "");
        }
    }

    /// <summary>The version in <c>version.bind</c> and <c>version.server</c> CH TXT; null refuses them.</summary>
    public string? Version { get; init; }

    /// <summary>Whether the order of an RRset's records rotates from answer to answer.</summary>
    public bool RotateRRsets { get; init; }

    /// <summary>Whether ANY over UDP is answered with a single RRset (RFC 8482 §4.1).</summary>
    public bool MinimalAny { get; init; } = true;

    /// <summary>The idle timeout of a TCP connection in the keepalive option (RFC 7828), in milliseconds.</summary>
    public int TcpIdleTimeoutMs { get; init; } = 10_000;

    /// <summary>Makes and checks cookies (RFC 7873); null ignores them.</summary>
    public ServerCookies? Cookies { get; init; }

    /// <summary>Response rate limiting for clients whose address may be forged; null for none.</summary>
    public RateLimiter? RateLimiter { get; init; }

    /// <summary>Limits the signatures made for answers of zones with compact denial; null for no limit.</summary>
    public SigningLimiter? SigningLimiter { get; init; }

    /// <summary>The keys of signed queries (RFC 8945).</summary>
    public TsigKeyRing Keys { get; init; } = TsigKeyRing.Empty;

    /// <summary>Seconds since 1970, for signed queries only.</summary>
    public Func<long> UnixSeconds { get; init; } = static () => 0;

    /// <summary>Off in tests that compare cached octets with those of the encoder.</summary>
    internal bool UseCachedOctets { get; init; } = true;

    internal byte[] IdentityOctets { get; private init; } = [];

    internal byte[] VersionOctets => System.Text.Encoding.UTF8.GetBytes(Version ?? "");
}
