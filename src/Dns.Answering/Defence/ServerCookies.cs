using System.Buffers.Binary;
using Dns.Protocol;

namespace Dns.Answering;

/// <summary>
/// Makes and checks server cookies (RFC 7873, version 1 of RFC 9018): a client that sends one back has received our answers
/// at its address, so its source is not forged.
/// </summary>
/// <remarks>
/// Any number of threads make and check; one at a time tells the time with <see cref="Tick"/>, for nothing here reads a
/// clock, or changes the secrets. Nothing is allocated for a query.
/// </remarks>
public sealed class ServerCookies
{
    private const byte Version = 1;

    // RFC 9018 §4.3: good for an hour, five minutes of clocks that differ, made anew after half an hour.
    private const int LifetimeSeconds = 3600;
    private const int FutureSeconds = 300;
    private const int RenewalSeconds = 1800;

    private CookieSecret[] _secrets;
    private bool _isDrawn;
    private long _rotationSeconds;
    private uint _now;
    private long _uptimeSeconds, _rotatedAt;

    /// <summary>Cookies with secrets that other servers have too, or that are changed by hand.</summary>
    /// <param name="secrets">The first makes cookies, all of them check; at least one.</param>
    /// <param name="unixSeconds">The time, in seconds since 1970.</param>
    public ServerCookies(IReadOnlyList<CookieSecret> secrets, long unixSeconds)
    {
        _secrets = [];
        _now = (uint)unixSeconds;
        Use(secrets);
    }

    /// <summary>Cookies with a random secret.</summary>
    /// <param name="rotation">After how long it is replaced; zero = never.</param>
    /// <param name="unixSeconds">The time, in seconds since 1970.</param>
    public ServerCookies(TimeSpan rotation, long unixSeconds)
    {
        _secrets = [];
        _now = (uint)unixSeconds;
        Use(rotation);
    }

    /// <summary>Goes on with secrets that other servers have too. Cookies of all others are no longer good.</summary>
    /// <param name="secrets">The first makes cookies, all of them check; at least one.</param>
    public void Use(IReadOnlyList<CookieSecret> secrets)
    {
        ArgumentOutOfRangeException.ThrowIfZero(secrets.Count, nameof(secrets));
        (_isDrawn, _rotationSeconds) = (false, 0);
        Volatile.Write(ref _secrets, [.. secrets]);
    }

    /// <summary>Goes on with a random secret: that of before if it was one.</summary>
    /// <param name="rotation">After how long it is replaced; zero = never.</param>
    public void Use(TimeSpan rotation)
    {
        _rotationSeconds = (long)rotation.TotalSeconds;
        if (_isDrawn) return;
        (_isDrawn, _rotatedAt) = (true, _uptimeSeconds);
        Volatile.Write(ref _secrets, [CookieSecret.Draw()]);
    }

    /// <summary>Tells the time and replaces a random secret that is due. The one before it goes on checking for an hour.</summary>
    /// <param name="unixSeconds">The time, in seconds since 1970; it may jump, then cookies are made anew.</param>
    /// <param name="uptimeSeconds">Seconds since the start, which never jump.</param>
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

    /// <summary>
    /// Checks the server cookie of a query, and puts the one of the answer in its place: the same while it is young, a
    /// fresh one otherwise.
    /// </summary>
    internal void Exchange(ref CookieOption cookie, ref ClientAddress client)
    {
        CookieSecret[] secrets = Volatile.Read(ref _secrets);
        uint now = Volatile.Read(ref _now);
        if (cookie.State == CookieState.WithOurs && IsGood(secrets, now, ref cookie, ref client, out bool isYoung))
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
        // Serial number arithmetic (RFC 1982): 2106 passes unnoticed.
        int age = (int)(now - BinaryPrimitives.ReverseEndianness((uint)(cookie.Head >> 32)));
        if (age is >= LifetimeSeconds or < -FutureSeconds) return false;
        // The reserved bits are hashed as they came, and every secret is tried: the time taken tells nothing.
        bool isOurs = secrets[0].Hash(cookie.Client, cookie.Head, ref client) == cookie.Hash;
        isYoung = isOurs & age < RenewalSeconds;
        for (int i = 1; i < secrets.Length; i++)
            isOurs |= secrets[i].Hash(cookie.Client, cookie.Head, ref client) == cookie.Hash;
        return isOurs;
    }
}
