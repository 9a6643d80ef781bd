namespace Dns.Zones;

/// <summary>
/// Makes the signatures of one version of a zone when an answer needs them, and caches them: the version has only those of the zone's
/// own name. Any number of threads; takes no lock, does not wait, never throws.
/// </summary>
public interface IOnlineSigner
{
    /// <summary>The most octets of the RDATA of an RRSIG record: fixed part, signer's name, a signature of RSA with 4096 bits.</summary>
    const int MaxOctets = 18 + 255 + 512;

    /// <summary>How many signatures an RRset has: one for each key that signs.</summary>
    int Count { get; }

    /// <summary>What a signature costs, in those of ECDSA P-256; 1 at least.</summary>
    /// <param name="index">Which of the signatures, from 0.</param>
    int CostOf(int index);

    /// <summary>Copies a cached signature that is valid now.</summary>
    /// <param name="index">Which of the signatures, from 0.</param>
    /// <param name="owner">The owner in lower case: of records of a wildcard the name that was asked for.</param>
    /// <param name="rrset">The RRset.</param>
    /// <param name="rdata">Receives the RDATA of the RRSIG record; <see cref="MaxOctets"/>.</param>
    /// <param name="octets">The length of the RDATA.</param>
    /// <param name="isDue">Whether it is to be replaced: it is valid for no longer than signatures are refreshed before their end.</param>
    bool TryFind(int index, scoped ReadOnlySpan<byte> owner, RRset rrset, scoped Span<byte> rdata, out int octets, out bool isDue);

    /// <summary>Makes a signature and caches it. Takes tens of microseconds, some take a millisecond: <see cref="CostOf"/>.</summary>
    /// <param name="index">Which of the signatures, from 0.</param>
    /// <param name="owner">The owner in lower case.</param>
    /// <param name="rrset">The RRset.</param>
    /// <param name="isOfAnyName">Whether clients can make up such owners without end: these evict only each other.</param>
    /// <param name="rdata">Receives the RDATA of the RRSIG record; <see cref="MaxOctets"/>.</param>
    /// <param name="octets">The length of the RDATA.</param>
    /// <returns>False if the key cannot sign.</returns>
    bool TryMake(int index, scoped ReadOnlySpan<byte> owner, RRset rrset, bool isOfAnyName, scoped Span<byte> rdata, out int octets);
}
