namespace Dns.Answering.Cookies;

/// <summary>
/// Makes and checks server cookies (RFC 7873, version 1 of RFC 9018). A client that returns one has received our
/// answers at its address, so the address is not forged.
/// </summary>
/// <remarks>
/// Any number of threads make and check; one at a time sets the time by <see cref="Tick"/> or changes the secrets.
/// Nothing here reads a clock, and a query allocates nothing.
/// </remarks>
public sealed class ServerCookies
{
    private const byte Version = 1;

    // RFC 9018 §4.3: valid for an hour, five minutes of clock skew, renewed after half an hour.
    private const int LifetimeSeconds = 3600;
    private const int FutureSeconds = 300;
    private const int RenewalSeconds = 1800;

    private CookieSecret[] _secrets;
    private bool _isDrawn;
    private long _rotationSeconds;
    private uint _now;
    private long _uptimeSeconds, _rotatedAt;

    /// <summary>Cookies with configured secrets, which other servers may share.</summary>
    /// <param name="secrets">At least one. The first makes cookies, all of them check.</param>
    public ServerCookies(IReadOnlyList<CookieSecret> secrets, long unixSeconds)
    {
        _secrets = [];
        _now = (uint)unixSeconds;
        Use(secrets);
    }

    /// <summary>Cookies with a random secret.</summary>
    /// <param name="rotation">The rotation interval; zero = never.</param>
    public ServerCookies(TimeSpan rotation, long unixSeconds)
    {
        _secrets = [];
        _now = (uint)unixSeconds;
        Use(rotation);
    }

    /// <summary>Changes to configured secrets, at least one. Cookies of all other secrets become invalid.</summary>
    public void Use(IReadOnlyList<CookieSecret> secrets)
    {
        ArgumentOutOfRangeException.ThrowIfZero(secrets.Count, nameof(secrets));
        (_isDrawn, _rotationSeconds) = (false, 0);
        Volatile.Write(ref _secrets, [.. secrets]);
    }

    /// <summary>Changes to a random secret; keeps the current one if it is random.</summary>
    public void Use(TimeSpan rotation)
    {
        _rotationSeconds = (long)rotation.TotalSeconds;
        if (_isDrawn) return;
        (_isDrawn, _rotatedAt) = (true, _uptimeSeconds);
        Volatile.Write(ref _secrets, [CookieSecret.Draw()]);
    }

    /// <summary>Sets the time; rotates a random secret when due, the previous one stays valid for an hour.</summary>
    /// <param name="unixSeconds">Seconds since 1970; after a jump cookies are renewed.</param>
    /// <param name="uptimeSeconds">Monotonic seconds since the start.</param>
    public void Tick(long unixSeconds, long uptimeSeconds)
    {
        Volatile.Write(ref _now, (uint)unixSeconds);
        _uptimeSeconds = uptimeSeconds;
        if (!_isDrawn) return;
        if (_rotationSeconds > 0 && uptimeSeconds - _rotatedAt >= _rotationSeconds)
        {
            _rotatedAt = uptimeSeconds;
            Volatile.Write(ref _secrets, [CookieSecret.Draw(), _secrets[0]]);
        }
        else if (_secrets.Length > 1 && uptimeSeconds - _rotatedAt >= LifetimeSeconds)
        {
            Volatile.Write(ref _secrets, [_secrets[0]]);
        }
    }

    /// <summary>Checks the server cookie of a query, and renews it if it is no longer young.</summary>
    internal void Verify(ref CookieOption cookie, ref ClientAddress client)
    {
        CookieSecret[] secrets = Volatile.Read(ref _secrets);
        uint now = Volatile.Read(ref _now);
        if (cookie.State == CookieState.WithServerCookie
            && IsGood(secrets, now, ref cookie, ref client, out bool isYoung))
        {
            cookie.State = CookieState.Valid;
            if (isYoung) return;
        }
        cookie.Head = Version | (ulong)BinaryPrimitives.ReverseEndianness(now) << 32;
        cookie.Hash = secrets[0].Hash(cookie.Client, cookie.Head, ref client);
    }

    private static bool IsGood(
        CookieSecret[] secrets, uint now, ref CookieOption cookie, ref ClientAddress client, out bool isYoung)
    {
        isYoung = false;
        if ((byte)cookie.Head != Version) return false;
        // Serial number arithmetic (RFC 1982) survives the overflow in 2106.
        int age = (int)(now - BinaryPrimitives.ReverseEndianness((uint)(cookie.Head >> 32)));
        if (age is >= LifetimeSeconds or < -FutureSeconds) return false;
        // The reserved bits are hashed as received, and every secret is tried, so that the timing reveals nothing.
        bool isOurs = secrets[0].Hash(cookie.Client, cookie.Head, ref client) == cookie.Hash;
        isYoung = isOurs & age < RenewalSeconds;
        for (int i = 1; i < secrets.Length; i++)
            isOurs |= secrets[i].Hash(cookie.Client, cookie.Head, ref client) == cookie.Hash;
        return isOurs;
    }
}
