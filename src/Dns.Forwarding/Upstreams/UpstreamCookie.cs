namespace Dns.Forwarding.Upstreams;

/// <summary>
/// The client side of DNS cookies for one upstream (RFC 7873 §5): eight random octets that its replies must repeat, and
/// its server cookie.
/// </summary>
internal sealed class UpstreamCookie
{
    /// <summary>The maximum length: 8 octets of client cookie and 32 of server cookie (RFC 7873 §4).</summary>
    internal const int MaxOctets = 40;

    private const int ClientOctets = 8;
    private const int LeastServerOctets = 8;

    private readonly Lock _gate = new();
    private readonly byte[] _cookie = new byte[MaxOctets];
    private int _length = ClientOctets;

    internal UpstreamCookie(RandomOctets random) => random.Fill(_cookie.AsSpan(0, ClientOctets));

    /// <summary>Whether the upstream has sent a cookie: from then on its replies must have one.</summary>
    internal bool IsExpected => Volatile.Read(ref _length) > ClientOctets;

    /// <summary>Copies the cookie to send and returns its length.</summary>
    internal int Copy(Span<byte> destination)
    {
        lock (_gate)
        {
            _cookie.AsSpan(0, _length).CopyTo(destination);
            return _length;
        }
    }

    /// <summary>Whether a reply's cookie starts with the client cookie and has a valid length.</summary>
    internal bool Matches(ReadOnlySpan<byte> cookie) =>
        cookie.Length is ClientOctets or (>= ClientOctets + LeastServerOctets and <= MaxOctets)
        && cookie[..ClientOctets].SequenceEqual(_cookie.AsSpan(0, ClientOctets));

    /// <summary>Stores the server cookie of a matching cookie.</summary>
    internal void Learn(ReadOnlySpan<byte> cookie)
    {
        if (cookie.Length <= ClientOctets) return;
        lock (_gate)
        {
            cookie.CopyTo(_cookie);
            _length = cookie.Length;
        }
    }

    // Drops the server cookie, after a reply without one over a stream, which cannot be forged off-path.
    internal void Forget()
    {
        lock (_gate) _length = ClientOctets;
    }
}
