namespace Dns.Dnssec.Tests;

/// <summary>
/// What caches anywhere may hold of a zone, from the versions that its servers and its parent's had, with a validator
/// of its own: every combination has to validate, for a validator that takes any chain and for one that wants all
/// algorithms.
/// </summary>
internal sealed class CacheModel(TimeSpan propagation, TimeSpan parentPropagation)
{
    private readonly History<(KeyIds Keys, KeyIds Signers)> _keys = new();
    private readonly History<KeyIds> _signers = new();
    private readonly History<KeyIds> _ds = new();

    /// <summary>The servers of the zone have these versions from now on; secondaries follow.</summary>
    public void Serve(ServedKeys served, DateTimeOffset now)
    {
        _keys.Replace([(served.Keys, served.KeySigners)], now, served.KeysTtl + propagation);
        _signers.Replace(served.SignerSets, now, served.LongestTtl + propagation);
    }

    /// <summary>The parent has this version from now on.</summary>
    public void Delegate(KeyIds ds, TimeSpan ttl, DateTimeOffset now) =>
        _ds.Replace([ds], now, ttl + parentPropagation);

    /// <summary>Finds a combination that does not validate; null if there is none.</summary>
    public string? FindBogus(DateTimeOffset now)
    {
        foreach (KeyIds ds in _ds.At(now))
            foreach ((KeyIds keys, KeyIds keySigners) in _keys.At(now))
                foreach (KeyIds signers in _signers.At(now))
                    if (!Validates(ds, keys, keySigners, signers))
                        return $"DS {ds}, DNSKEY {keys} signed by {keySigners}, data signed by {signers}";
        return null;
    }

    private static bool Validates(KeyIds ds, KeyIds keys, KeyIds keySigners, KeyIds signers)
    {
        if (ds.Count == 0) return true;
        bool isTrusted = ds.Any(id => keys.Contains(id) && keySigners.Contains(id));
        bool isSigned = signers.Any(keys.Contains);
        // RFC 4035 §2.2, and validators that are hardened against downgrades.
        bool isComplete = ds.All(id => keys.Any(key => key.Algorithm == id.Algorithm && keySigners.Contains(key)))
            &&
            keys.All(
                key => signers.Any(signer => signer.Algorithm == key.Algorithm) &&
                    keySigners.Any(s => s.Algorithm == key.Algorithm));
        return isTrusted && isSigned && isComplete;
    }

    private sealed class History<T>
    {
        private readonly List<(T Version, TimeSpan Kept, DateTimeOffset? End)> _versions = [];

        public void Replace(IReadOnlyList<T> current, DateTimeOffset now, TimeSpan kept)
        {
            for (int i = 0; i < _versions.Count; i++)
                if (_versions[i] is { End: null } served && !current.Contains(served.Version))
                    _versions[i] = served with { End = now };
            foreach (T version in current)
            {
                int at = _versions.FindIndex(known => known.End is null && Equals(known.Version, version));
                if (at < 0) _versions.Add((version, kept, null));
                else if (_versions[at].Kept < kept) _versions[at] = (version, kept, null);
            }
            _versions.RemoveAll(version => version.End is { } end && end + version.Kept < now);
        }

        public IEnumerable<T> At(DateTimeOffset now) =>
            _versions.Where(version => version.End is not { } end || now < end + version.Kept)
                .Select(version => version.Version).Distinct();
    }
}
