namespace Dns.Dnssec.Policies;

/// <summary>The state of keys generated or used elsewhere: their files show what caches may have.</summary>
internal static class KeyAdoption
{
    internal static ZoneKeys Adopt(IReadOnlyList<KeyFile> found, DateTimeOffset now)
    {
        List<KeyRecord> records = [];
        foreach (KeyFile file in found)
        {
            bool isPublished = IsPast(file.Times.Publish, now) && !IsPast(file.Times.Delete, now);
            if (!isPublished || file.Public.IsRevoked) continue;
            KeyRole role = RoleOf(file, found);
            bool signs = role.SignsZone() && IsPast(file.Times.Activate, now) && !IsPast(file.Times.Inactive, now);
            records.Add(new KeyRecord(KeyStore.IdOf(file), role, file.Times.Created ?? now)
            {
                IsPublished = true,
                SignsZone = signs,
                Published = file.Times.Publish,
                Activated = signs || role == KeyRole.Ksk ? file.Times.Activate ?? file.Times.Publish : null,
            });
        }
        if (records.Count == 0) return ZoneKeys.Empty;
        ZoneKeys keys = ZoneKeys.Empty with { Keys = [.. records.OrderBy(key => key.Created)] };
        KeyIds sep = keys.KeySigners;
        List<CachedSet> ds = [new(KeyIds.None, DnssecPolicy.Default.ParentDsTtl),
            new(sep, DnssecPolicy.Default.ParentDsTtl)];
        if (sep.Count > 1) ds.AddRange(sep.Select(id => new CachedSet([id], DnssecPolicy.Default.ParentDsTtl)));
        // The longest TTL is known after the first step; few zones have more than a day.
        TimeSpan ttl = TimeSpan.FromDays(1);
        return keys with
        {
            KeySets = [new CachedSet(keys.Published, ttl) { Signers = keys.KeySigners }],
            SignerSets = [new CachedSet(keys.ZoneSigners, ttl)],
            DsSets = ds,
        };
    }

    private static bool IsPast(DateTimeOffset? time, DateTimeOffset now) => time is { } there && there <= now;

    /// <summary>A key with the SEP flag is a CSK if it is the only key of its algorithm.</summary>
    private static KeyRole RoleOf(KeyFile file, IReadOnlyList<KeyFile> found)
    {
        if (!file.Public.IsSep) return KeyRole.Zsk;
        bool hasZsk = found.Any(other => !other.Public.IsSep && other.Public.Algorithm == file.Public.Algorithm);
        return hasZsk ? KeyRole.Ksk : KeyRole.Csk;
    }
}
