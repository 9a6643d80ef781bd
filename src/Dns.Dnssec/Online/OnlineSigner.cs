using System.Security.Cryptography;

namespace Dns.Dnssec.Online;

/// <summary>
/// Signs RRsets of one version of a zone when an answer needs them (RFC 9824). The cache key is the signed data and the
/// signing key, so versions share signatures of equal RRsets, and no key is served another's.
/// </summary>
internal sealed class OnlineSigner : IOnlineSigner
{
    [ThreadStatic]
    private static CanonicalRRset? _ofThread;

    private readonly TimeProvider _time;
    private readonly SignatureCaches _caches;
    private readonly byte[] _apex;
    private readonly SigningKey[] _keys;
    private readonly byte[][] _identities;
    private readonly SignatureCache[] _cacheOf;
    private readonly uint _lifetime, _refresh, _jitter;

    internal OnlineSigner(ReadOnlySpan<byte> apex, SigningPlan plan, TimeProvider time, SignatureCaches caches)
    {
        (Plan, _time, _caches, _apex) = (plan, time, caches, apex.ToArray());
        _keys = [.. plan.ZoneSigners];
        _identities = [.. _keys.Select(key => SHA256.HashData([.. _apex, .. key.Public.Rdata]))];
        _cacheOf = [.. _keys.Select(caches.For)];
        _lifetime = (uint)plan.SignatureLifetime.TotalSeconds;
        _refresh = (uint)plan.RefreshBefore.TotalSeconds;
        _jitter = (uint)plan.Jitter.TotalSeconds;
    }

    internal SigningPlan Plan { get; }

    public int Count => _keys.Length;

    // P-256 takes 16 µs, Ed25519 27, RSA with 2048 bits 240, P-384 640.
    public int CostOf(int index) => _keys[index].Public.Algorithm switch
    {
        DnssecAlgorithm.EcdsaP256Sha256 => 1,
        DnssecAlgorithm.Ed25519 => 2,
        _ => 40,
    };

    public bool TryFind(
        int index, scoped ReadOnlySpan<byte> owner, RRset rrset, scoped Span<byte> rdata, out int octets,
        out bool isDue)
    {
        (octets, isDue) = (0, true);
        Span<byte> digest = stackalloc byte[SignatureCache.DigestOctets],
            signature = stackalloc byte[SigningKey.MaxSignatureOctets];
        signature = signature[.._keys[index].SignatureOctets];
        Digest(Canonical(owner, rrset), index, digest);
        if (!_cacheOf[index].TryFind(digest, signature, out uint inception, out uint expiration)) return false;
        uint now = Now;
        if (SerialNumber.IsGreater(inception, now) || !SerialNumber.IsGreater(expiration, now)) return false;
        isDue = !SerialNumber.IsGreater(unchecked(expiration - _refresh), now);
        octets = WritePrefix(index, owner, rrset, inception, expiration, rdata);
        signature.CopyTo(rdata[octets..]);
        octets += signature.Length;
        return true;
    }

    public bool TryMake(
        int index, scoped ReadOnlySpan<byte> owner, RRset rrset, bool isOfAnyName, scoped Span<byte> rdata,
        out int octets)
    {
        SigningKey key = _keys[index];
        Span<byte> digest = stackalloc byte[SignatureCache.DigestOctets];
        CanonicalRRset canonical = Canonical(owner, rrset);
        Digest(canonical, index, digest);
        uint now = Now, inception = unchecked(now - (uint)SigningPlan.InceptionOffset.TotalSeconds);
        // Spreads the expiration of signatures made at the same moment.
        uint expiration = unchecked(now + _lifetime - BitConverter.ToUInt32(digest[^sizeof(uint)..]) % (_jitter + 1));
        octets = WritePrefix(index, owner, rrset, inception, expiration, rdata);
        Span<byte> signature = rdata.Slice(octets, key.SignatureOctets);
        if (!TrySign(key, canonical.SignedData(rdata[..octets]), signature)) return false;
        octets += signature.Length;
        _caches.CountMade();
        _cacheOf[index].Add(digest, signature, inception, expiration, isOfAnyName, now);
        return true;
    }

    private uint Now => RrsigFields.SecondsOf(_time.GetUtcNow());

    private static bool TrySign(SigningKey key, ReadOnlySpan<byte> data, Span<byte> signature)
    {
        try
        {
            return key.TrySign(data, signature, out int written) && written == signature.Length;
        }
        catch (Exception error) when (error is ObjectDisposedException or CryptographicException)
        {
            // The zone is no longer signed here, and its keys were disposed during an answer.
            return false;
        }
    }

    private static CanonicalRRset Canonical(ReadOnlySpan<byte> owner, RRset rrset)
    {
        CanonicalRRset canonical = _ofThread ??= new CanonicalRRset();
        canonical.Set(owner, rrset, rrset.Ttl);
        return canonical;
    }

    private void Digest(CanonicalRRset canonical, int index, Span<byte> digest) =>
        SHA256.HashData(canonical.SignedData(_identities[index]), digest);

    private int WritePrefix(
        int index, ReadOnlySpan<byte> owner, RRset rrset, uint inception, uint expiration, Span<byte> rdata) =>
        RrsigFields.WritePrefix(
            rdata, rrset.Type, _keys[index].Public, CanonicalRRset.LabelsOf(owner), rrset.Ttl, inception,
            expiration, _apex);
}
