namespace Dns.Dnssec.Signing;

/// <summary>Inception and expiration of new signatures, and which ones are due for renewal.</summary>
internal sealed class SignatureTimes
{
    // FNV-1a: the same in every process, unlike the hash of names.
    private const ulong HashStart = 14695981039346656037, HashPrime = 1099511628211;

    private const uint AheadPart = 32;

    private readonly uint _lifetime;
    private readonly uint _jitter;
    private readonly uint _refresh;
    private readonly uint _ahead;

    /// <param name="looksAhead">
    /// Whether signatures that will be due within a part of the refresh time count as due: of a million with jitter
    /// some are due every second, and rounds over the zone should be hours apart.
    /// </param>
    internal SignatureTimes(SigningPlan plan, DateTimeOffset now, bool looksAhead)
    {
        Now = RrsigFields.SecondsOf(now);
        Inception = unchecked(Now - (uint)SigningPlan.InceptionOffset.TotalSeconds);
        _lifetime = (uint)plan.SignatureLifetime.TotalSeconds;
        _jitter = (uint)plan.Jitter.TotalSeconds;
        _refresh = (uint)plan.RefreshBefore.TotalSeconds;
        _ahead = looksAhead ? _refresh / AheadPart : 0;
    }

    /// <summary>The time, in seconds since 1970 modulo 2^32.</summary>
    internal uint Now { get; }

    internal uint Inception { get; }

    /// <summary>The expiration of an RRset's signature: the lifetime less a jitter by owner and type.</summary>
    /// <param name="owner">The owner, in lower case.</param>
    internal uint ExpirationOf(ReadOnlySpan<byte> owner, RRType type)
    {
        ulong hash = HashStart;
        foreach (byte octet in owner) hash = (hash ^ octet) * HashPrime;
        hash = (hash ^ (byte)type) * HashPrime;
        hash = (hash ^ (ulong)type >> 8) * HashPrime;
        hash ^= hash >> 32;
        return unchecked(Now + _lifetime - (uint)(hash % (_jitter + 1)));
    }

    /// <summary>When a signature is renewed, in seconds since 1970 modulo 2^32.</summary>
    internal uint DueAt(uint expiration) => unchecked(expiration - _refresh);

    /// <summary>Whether a signature is valid and not due for renewal.</summary>
    internal bool IsGood(RrsigFields signature) =>
        !signature.IsEarly(Now) && SerialNumber.IsGreater(DueAt(signature.Expiration), unchecked(Now + _ahead));
}
