namespace Dns.Dnssec.Policies;

/// <summary>The state of keys generated or used elsewhere: their files show what caches may have.</summary>
internal static class KeyAdoption
{
    /// <summary>The longest TTL is known after the first step; few zones have more than a day.</summary>
    private static readonly TimeSpan Ttl = TimeSpan.FromDays(1);

    internal static ZoneKeys Adopt(IReadOnlyList<KeyFile> found, DateTimeOffset now)
    {
        List<KeyRecord> records = [];
        // Keys whose signatures caches may still hold, at least until the other server would delete them.
        List<(KeyRecord Key, DateTimeOffset? End)> former = [];
        foreach (KeyFile file in found)
        {
            // Files of servers that write no times. A key that is generated for later has at least one.
            bool isUntimed = file.Times == new KeyTimes();
            bool isPublished = isUntimed || IsPast(file.Times.Publish, now) && !IsPast(file.Times.Delete, now);
            if (!isPublished || file.Public.IsRevoked) continue;
            KeyRole role = RoleOf(file, found);
            bool hasSigned = role.SignsZone() && (isUntimed || IsPast(file.Times.Activate, now));
            bool signs = hasSigned && !IsPast(file.Times.Inactive, now);
            KeyRecord record = new(KeyStore.IdOf(file), role, file.Times.Created ?? now)
            {
                IsPublished = true,
                SignsZone = signs,
                Published = file.Times.Publish,
                Activated = signs || role == KeyRole.Ksk ? file.Times.Activate ?? file.Times.Publish ?? now : null,
            };
            records.Add(record);
            if (hasSigned && !signs)
                former.Add((record with { Activated = file.Times.Activate, Retired = file.Times.Inactive },
                    file.Times.Delete));
        }
        if (records.Count == 0) return ZoneKeys.Empty;
        foreach ((KeyRecord key, _) in former.OrderByDescending(one => one.Key.Retired))
        {
            // Without a successor, the last one signs again.
            bool signs = !records.Exists(other => other.SignsZone && other.Id.Algorithm == key.Id.Algorithm);
            records[records.FindIndex(other => other.Id == key.Id)] =
                signs ? key with { SignsZone = true, Retired = null } : key with { IsRetiring = true };
        }
        ZoneKeys keys = ZoneKeys.Empty with
        {
            Keys = [.. records.OrderBy(key => key.Created).ThenBy(key => key.Published)],
        };
        KeyIds sep = keys.KeySigners;
        List<CachedSet> ds = [new(KeyIds.None, DnssecPolicy.Default.ParentDsTtl),
            new(sep, DnssecPolicy.Default.ParentDsTtl)];
        if (sep.Count > 1) ds.AddRange(sep.Select(id => new CachedSet([id], DnssecPolicy.Default.ParentDsTtl)));
        KeyIds signers = keys.ZoneSigners.With(former.Select(one => one.Key.Id));
        return keys with
        {
            KeySets = [new CachedSet(keys.Published, Ttl) { Signers = keys.KeySigners },
                .. FormerSets(keys, found).Where(set => set.Keys.Any(
                    signers.Contains) && set.IsPossible(now, default))],
            SignerSets =
                [new CachedSet(keys.ZoneSigners, Ttl), .. former.Select(one => new CachedSet([one.Key.Id],
                    one.End is { } end && end - now > Ttl ? end - now : Ttl).Bounded)],
            DsSets = ds,
        };
    }

    /// <summary>
    /// The DNSKEY RRsets of the other server before the publication of each key. Caches may have one until that server
    /// would sign with the key, at least for a day.
    /// </summary>
    private static IEnumerable<CachedSet> FormerSets(ZoneKeys keys, IReadOnlyList<KeyFile> found)
    {
        foreach (DateTimeOffset published in keys.Keys.Select(key => key.Published).OfType<DateTimeOffset>().Distinct())
        {
            KeyRecord[] before = [.. keys.Keys.Where(key => !(key.Published >= published))];
            TimeSpan lead = found.Where(file => file.Times.Publish == published)
                .Max(file => file.Times.Activate - published) ?? Ttl;
            yield return new CachedSet(KeyIds.Of(before.Select(key => key.Id)), lead > Ttl ? lead : Ttl)
            {
                Signers = KeyIds.Of(before.Where(key => key.Role.SignsKeys()).Select(key => key.Id)),
                Replaced = published,
            };
        }
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
