namespace Dns.Dnssec.Policies;

/// <summary>Whether a validator that holds given versions of DS, DNSKEY and signatures finds the zone secure.</summary>
internal static class RolloverSafety
{
    /// <summary>
    /// Whether every validator does, even one that requires a chain for each algorithm of the DS RRset, and signatures
    /// of each algorithm of the DNSKEY RRset (RFC 4035 §2.2; RFC 6840 §5.11 allows any one).
    /// </summary>
    /// <param name="ds">The keys of the DS RRset. Without any the zone is insecure, which is acceptable.</param>
    /// <param name="signers">The keys that sign another RRset.</param>
    internal static bool Holds(KeyIds ds, CachedSet keys, KeyIds signers)
    {
        if (ds.Count == 0) return true;
        foreach (DnssecAlgorithm algorithm in ds.Algorithms)
            if (!Any(ds, keys.Keys, keys.Signers, algorithm) || !Any(signers, keys.Keys, keys.Keys, algorithm))
                return false;
        foreach (DnssecAlgorithm algorithm in keys.Keys.Algorithms)
            if (!keys.Signers.Has(algorithm) || !signers.Has(algorithm)) return false;
        return true;
    }

    /// <summary>Whether three sets have a key of an algorithm in common.</summary>
    private static bool Any(KeyIds first, KeyIds second, KeyIds third, DnssecAlgorithm algorithm)
    {
        foreach (KeyId id in first)
            if (id.Algorithm == algorithm && second.Contains(id) && third.Contains(id)) return true;
        return false;
    }
}
