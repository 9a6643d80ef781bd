namespace Dns.Dnssec.Offline;

/// <summary>Operator requests for a zone with an offline KSK. A refusal leaves the state.</summary>
public static class KeySetRequests
{
    /// <summary>The longest period of a request.</summary>
    public static readonly TimeSpan Most = TimeSpan.FromDays(3660);

    /// <summary>
    /// Makes a request for future DNSKEY RRsets. Generates the ZSKs that they need, and reuses those of a lost request.
    /// </summary>
    /// <param name="from">The start; null = the last slot of the loaded bundle, or now.</param>
    /// <param name="reply">The reason for a refusal.</param>
    /// <param name="replacesZsk">
    /// Whether known ZSKs are replaced as soon as caches allow it, from now on without <paramref name="from"/>, and
    /// stored ones are not used.
    /// </param>
    /// <exception cref="IOException">A key cannot be saved.</exception>
    public static bool TryMake(
        IKeyStore store, OfflineZone zone, DateTimeOffset? from, DateTimeOffset until, DateTimeOffset now,
        out KeySets request, out KeyReply reply, bool replacesZsk = false)
    {
        request = new KeySets(zone.Name, IsBundle: false);
        reply = new KeyReply(KeyReplyKind.KskHere) { Policy = zone.Policy };
        if (!zone.Policy.OfflineKsk) return false;
        if (replacesZsk) from ??= now;
        KeySlot? last = zone.Loaded?.Slots[^1];
        DateTimeOffset start = Second(from ?? (last is { } there && there.End > now ? there.Start : now));
        if (last is not null && start < last.Start)
            last = zone.Loaded!.Slots.LastOrDefault(slot => slot.Start <= start);
        if (until <= start) return Fail(new KeyReply(KeyReplyKind.EndTooEarly) { Time = start }, out reply);
        if (until - start > Most) return Fail(new KeyReply(KeyReplyKind.EndTooLate) { Time = start }, out reply);
        KeySetPlan plan = new(zone.Policy, zone.DnskeyTtl, zone.LongestTtl);
        ZoneKeys taken = AddKnown(plan, store, zone, last, start, replacesZsk);
        KeyNeed need = new(KeyRole.Zsk, zone.Policy.Algorithm, IsNew: replacesZsk);
        List<KeySlot>? slots = plan.Make(start, until, () =>
        {
            KeyRecord made = store.Generate(zone.Name, need, zone.Policy.RsaBits, taken, now);
            taken = taken.With(made);
            return PublicOf(store, zone.Name, made.Id);
        }, replacesZsk);
        reply = new KeyReply(slots is null ? KeyReplyKind.TooManySlots : KeyReplyKind.Done);
        if (slots is null) return false;
        request = request with
        {
            Slots = slots,
            Made = Second(now),
            Lifetime = zone.Policy.SignatureLifetime,
            Lead = plan.Lead,
            Known = KnownOf(zone, now),
            Parent = zone.Keys.SeenDs is { } seen ? [.. seen.Select(id => id.Tag)] : null,
        };
        return true;
    }

    /// <summary>Accepts a bundle: the result is the loaded one until the new one begins, then the new one.</summary>
    /// <param name="next">The bundle to save.</param>
    /// <param name="reply">The result, or the reason for a refusal.</param>
    /// <param name="mayShorten">Whether it may end before the loaded one, which it replaces.</param>
    public static bool TryLoad(IKeyStore store, OfflineZone zone, KeySets bundle, DateTimeOffset now, out KeySets next,
        out KeyReply reply, bool mayShorten = false)
    {
        next = bundle;
        if (FindFault(store, zone, bundle, now) is { } fault) return Fail(fault, out reply);
        if (!mayShorten && zone.Loaded is { } loaded && bundle.End < loaded.End)
            return Fail(
                new KeyReply(KeyReplyKind.BundleShorter) { Time = bundle.End, LoadedEnd = loaded.End }, out reply);
        next = After(zone, bundle, now);
        // The one before may have expired by then.
        if (KeySetCheck.FindFault(next, zone.Name) is { } gap) return Fail(gap, out reply);
        if (next.Slots[0].Start > now)
            return Fail(new KeyReply(KeyReplyKind.BundleTooLate) { Time = next.Slots[0].Start }, out reply);
        if (next.Slots.Count > KeySets.MaxSlots)
            return Fail(new KeyReply(KeyReplyKind.BundleTooLong), out reply);
        reply = new KeyReply(KeyReplyKind.BundleLoaded)
        {
            Time = next.End, Slots = next.Slots.Count(slot => slot.End > now),
        };
        return true;
    }

    /// <summary>
    /// The slots of the loaded bundle until the first of the new one, and those. A slot that began after the request
    /// was made is served by now: the new one that is due then follows it at once.
    /// </summary>
    private static KeySets After(OfflineZone zone, KeySets bundle, DateTimeOffset now)
    {
        IReadOnlyList<KeySlot> loaded = zone.Loaded?.Slots ?? [];
        KeySlot? due = bundle.Slots.LastOrDefault(slot => slot.Start <= now);
        KeySlot? served = loaded.FirstOrDefault(slot => slot.Start == zone.Keys.Slot && slot.End > now);
        if (served is null || due is null || due.Start > served.Start || bundle.Slots.Any(served.IsSame))
        {
            KeySlot[] before = [.. loaded.Where(slot => slot.Start < bundle.Slots[0].Start && slot.End > now)];
            return before.Length == 0 ? bundle : bundle with { Slots = [.. before, .. bundle.Slots], Request = null };
        }
        KeySlot[] later = [.. bundle.Slots.Where(slot => slot.Start > now)];
        DateTimeOffset at = served.Start + TimeSpan.FromSeconds(1);
        if (Second(now) is var second && second > at) at = second;
        // One that begins by then takes its place.
        KeySlot[] moved = later.Length > 0 && later[0].Start <= at ? [] : [due with { Start = at }];
        return bundle with { Slots = [served, .. moved, .. later], Request = null };
    }

    private static KeySetFault? FindFault(IKeyStore store, OfflineZone zone, KeySets bundle, DateTimeOffset now)
    {
        if (KeySetCheck.FindFault(bundle, zone.Name) is { } fault) return fault;
        if (bundle.End <= now) return new KeySetFault(KeySetFaultKind.Expired) { End = bundle.End };
        HashSet<KeyId> seen = [];
        foreach (KeySlot slot in bundle.Slots)
        {
            if (zone.Keys.SeenDs is { Count: > 0 } ds && !slot.Ksks.Any(key => ds.Contains(KeySlot.IdOf(key))))
                return new KeySetFault(KeySetFaultKind.NoParentKey, slot.Start) { Parent = ds };
            foreach (Dnskey key in slot.Zsks)
                if (seen.Add(KeySlot.IdOf(key)) && !IsHere(store, zone.Name, key))
                    return new KeySetFault(KeySetFaultKind.NoPrivateKey, slot.Start) { Key = key };
        }
        return null;
    }

    /// <summary>Adds the ZSKs published when the request begins; returns all keys whose tags are taken.</summary>
    private static ZoneKeys AddKnown(KeySetPlan plan, IKeyStore store, OfflineZone zone, KeySlot? last,
        DateTimeOffset start, bool replacesZsk)
    {
        ZoneKeys taken = zone.Keys;
        // If all are replaced, those of later slots count as stored ones.
        foreach (KeySlot slot in (zone.Loaded?.Slots ?? []).Where(slot => !replacesZsk || slot.Start <= start))
            foreach (Dnskey key in slot.Keys)
                if (taken.Find(KeySlot.IdOf(key)) is null)
                    taken = taken.With(new KeyRecord(KeySlot.IdOf(key), key.IsSep ? KeyRole.Ksk : KeyRole.Zsk, start));
        if (last is not null)
        {
            foreach (Dnskey key in last.Zsks) plan.Add(key, SinceOf(zone, key, plan.Lead));
            return taken;
        }
        foreach (KeyRecord key in zone.Keys.Keys)
            if (key is { Role: KeyRole.Zsk, IsPublished: true, IsRetiring: false })
                plan.Add(PublicOf(store, zone.Name, key.Id), key.Activated ?? start);
        return taken;
    }

    private static DateTimeOffset SinceOf(OfflineZone zone, Dnskey key, TimeSpan lead)
    {
        if (zone.Keys.Find(KeySlot.IdOf(key)) is { Activated: { } activated }) return activated;
        return zone.Loaded!.Slots.First(slot => slot.Keys.Contains(key)).Start + lead;
    }

    private static List<(Dnskey, DateTimeOffset)> KnownOf(OfflineZone zone, DateTimeOffset now)
    {
        List<(Dnskey, DateTimeOffset)> known = [];
        foreach (KeySlot slot in zone.Loaded?.Slots ?? [])
            foreach (Dnskey key in slot.Ksks)
                if (!known.Exists(one => one.Item1.Equals(key)))
                    known.Add((key,
                        Second(zone.Keys.Find(KeySlot.IdOf(key))?.Published ?? (slot.Start > now ? slot.Start : now))));
        return known;
    }

    private static Dnskey PublicOf(IKeyStore store, DomainName zone, KeyId id)
    {
        using SigningKey key = store.Open(zone, id);
        return key.Public;
    }

    private static bool IsHere(IKeyStore store, DomainName zone, Dnskey key)
    {
        try
        {
            return PublicOf(store, zone, KeySlot.IdOf(key)).Equals(key);
        }
        catch (IOException)
        {
            return false;
        }
    }

    private static DateTimeOffset Second(DateTimeOffset time) =>
        DateTimeOffset.FromUnixTimeSeconds(time.ToUnixTimeSeconds());

    private static bool Fail(KeySetFault fault, out KeyReply reply) =>
        Fail(new KeyReply(KeyReplyKind.BundleFaulty) { Fault = fault }, out reply);

    private static bool Fail(KeyReply why, out KeyReply reply)
    {
        reply = why;
        return false;
    }
}

/// <summary>The state of a zone with an offline KSK.</summary>
/// <param name="Loaded">The loaded bundle; null = none.</param>
public sealed record OfflineZone(
    DomainName Name, DnssecPolicy Policy, ZoneKeys Keys, KeySets? Loaded, TimeSpan DnskeyTtl, TimeSpan LongestTtl);
