namespace Dns.Zones.Denial;

/// <summary>
/// Makes signatures of one version of a zone when an answer needs them, and caches them: the version itself has only
/// those of its apex. Thread-safe; takes no lock, does not wait, never throws.
/// </summary>
public interface IOnlineSigner
{
    /// <summary>Maximum octets of RRSIG RDATA: fixed part, signer's name, signature of RSA with 4096 bits.</summary>
    const int MaxOctets = 18 + 255 + 512;

    /// <summary>Signatures of an RRset: one for each signing key.</summary>
    int Count { get; }

    /// <summary>The cost of a signature, in multiples of ECDSA P-256; at least 1.</summary>
    /// <param name="index">Which signature, from 0.</param>
    int CostOf(int index);

    /// <summary>Copies a cached signature that is valid now.</summary>
    /// <param name="owner">The owner in lower case: for wildcard records the queried name.</param>
    /// <param name="rdata">Receives the RDATA of the RRSIG record; <see cref="MaxOctets"/>.</param>
    bool TryFind(int index, scoped ReadOnlySpan<byte> owner, RRset rrset, scoped Span<byte> rdata, out int octets,
        out bool isDue);

    /// <summary>Makes and caches a signature in tens of microseconds, some in 1 ms (<see cref="CostOf"/>).</summary>
    /// <param name="owner">The owner in lower case.</param>
    /// <param name="isOfAnyName">Whether clients can invent such owners: these evict only each other.</param>
    /// <param name="rdata">Receives the RDATA of the RRSIG record; <see cref="MaxOctets"/>.</param>
    /// <returns>False if the key cannot sign.</returns>
    bool TryMake(int index, scoped ReadOnlySpan<byte> owner, RRset rrset, bool isOfAnyName, scoped Span<byte> rdata,
        out int octets);
}
