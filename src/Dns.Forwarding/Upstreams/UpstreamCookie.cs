namespace Dns.Forwarding;

/// <summary>
/// The client side of DNS cookies towards one upstream (RFC 7873 §5): eight random octets that the upstream has to give
/// back, and what it wants to see again from us.
/// </summary>
internal sealed class UpstreamCookie
{
    /// <summary>The longest cookie: 8 octets of ours and 32 of the upstream's (RFC 7873 §4).</summary>
    internal const int MaxOctets = 40;

    private const int ClientOctets = 8;
    private const int LeastServerOctets = 8;

    private readonly Lock _gate = new();
    private readonly byte[] _cookie = new byte[MaxOctets];
    private int _length = ClientOctets;

    internal UpstreamCookie(RandomOctets random) => random.Fill(_cookie.AsSpan(0, ClientOctets));

    /// <summary>Whether the upstream has sent a cookie: from then on its replies have one, or are not its.</summary>
    internal bool IsExpected => Volatile.Read(ref _length) > ClientOctets;

    /// <summary>Copies what to send and returns its length.</summary>
    internal int Copy(Span<byte> destination)
    {
        lock (_gate)
        {
            _cookie.AsSpan(0, _length).CopyTo(destination);
            return _length;
        }
    }

    /// <summary>Whether a reply's cookie begins with ours and has a length that exists.</summary>
    internal bool Matches(ReadOnlySpan<byte> cookie) =>
        cookie.Length is ClientOctets or (>= ClientOctets + LeastServerOctets and <= MaxOctets)
        && cookie[..ClientOctets].SequenceEqual(_cookie.AsSpan(0, ClientOctets));

    /// <summary>Keeps the upstream's part of a cookie that matches.</summary>
    internal void Learn(ReadOnlySpan<byte> cookie)
    {
        if (cookie.Length <= ClientOctets) return;
        lock (_gate)
        {
            cookie.CopyTo(_cookie);
            _length = cookie.Length;
        }
    }

    /// <summary>Forgets the upstream's part: over a stream, where nobody can forge, it sent none.</summary>
    internal void Forget()
    {
        lock (_gate) _length = ClientOctets;
    }
}
