namespace Dns.Dnssec;

/// <summary>What operators ask of the keys of a zone. What cannot be is said in words, and the state stays.</summary>
public static class KeyRequests
{
    private const string InBundles = "its KSK is kept elsewhere, and its keys come in bundles: make another request";

    /// <summary>Asks for other keys, before their lifetimes end.</summary>
    /// <param name="keys">The state.</param>
    /// <param name="ksk">Whether another KSK or CSK is wanted.</param>
    /// <param name="zsk">Whether another ZSK is wanted. Neither = each key that the zone has.</param>
    /// <param name="next">The state that follows.</param>
    /// <param name="words">What is to come, or why it cannot be.</param>
    /// <returns>Whether it can be.</returns>
    public static bool TryRollOver(ZoneKeys keys, bool ksk, bool zsk, out ZoneKeys next, out string words)
    {
        next = keys;
        KeyRecord[] current = [.. keys.Keys.Where(key => key is { IsRetiring: false, IsRemoved: false })];
        bool hasZsk = current.Any(key => key.Role == KeyRole.Zsk), hasSep = current.Any(key => key.Role.SignsKeys());
        if (keys.Slot is not null) return Fail(InBundles, out words);
        if (current.Length == 0) return Fail("the zone has no key yet: it gets one when it is signed first", out words);
        if (zsk && !hasZsk) return Fail("the zone has no ZSK: its one key signs all, and --ksk is about it", out words);
        if (ksk && !hasSep) return Fail("the zone has no KSK here", out words);
        if (!ksk && !zsk) (ksk, zsk) = (hasSep, hasZsk);
        next = keys with { WantsKsk = keys.WantsKsk || ksk, WantsZsk = keys.WantsZsk || zsk };
        KeyIds ids = KeyIds.Of(current.Where(key => ksk && key.Role.SignsKeys() || zsk && key.Role == KeyRole.Zsk).Select(key => key.Id));
        KeyIds before = KeyIds.Of(keys.Keys.Where(key => key is { IsRetiring: true, IsRemoved: false }).Select(key => key.Id));
        words = $"key {ids.Tags()} rolls over" + (before.Count > 0 ? $" when key {before.Tags()} is out of use" : "");
        return true;
    }

    /// <summary>Asks for keys of an algorithm, until the policy has another one than now.</summary>
    public static bool TryRollOver(
        ZoneKeys keys, DnssecPolicy policy, DnssecAlgorithm algorithm, out ZoneKeys next, out string words)
    {
        next = keys;
        if (keys.Slot is not null) return Fail(InBundles, out words);
        string name = DnssecAlgorithms.NameOf(algorithm);
        if (!DnssecAlgorithms.IsSupported(algorithm, toSign: true)) return Fail($"this machine does not sign with {name}", out words);
        if ((keys.WantedAlgorithm ?? policy.Algorithm) == algorithm)
            return Fail($"the zone has {name} already, or is on its way to it", out words);
        next = keys with { WantedAlgorithm = algorithm, PolicyAlgorithm = policy.Algorithm };
        words = $"the keys roll over to {name}; policy {policy.Name} says {DnssecAlgorithms.NameOf(policy.Algorithm)}: "
            + "let it say the same, for the keys of a state that is lost";
        return true;
    }

    /// <summary>Says that the parent has the DS records that CDS asks for, and no others.</summary>
    /// <param name="keys">The state.</param>
    /// <param name="policy">The policy; null = the zone is on its way to have no signatures.</param>
    /// <param name="tag">The tag of a key whose DS record is there; null = whichever is asked for.</param>
    /// <param name="now">The moment.</param>
    /// <param name="next">The state that follows.</param>
    /// <param name="words">What is known from now on, or why it cannot be.</param>
    public static bool TrySubmit(
        ZoneKeys keys, DnssecPolicy? policy, ushort? tag, DateTimeOffset now, out ZoneKeys next, out string words)
    {
        next = keys;
        if (keys.WantedDs.Count == 0 && !keys.IsLeaving)
            return Fail("the parent is not asked for a DS record yet: caches may have the zone without signatures", out words);
        if (tag is { } given && !keys.WantedDs.Any(id => id.Tag == given))
            return Fail($"the parent is not asked for the DS record of key {given}, but for that of key {keys.WantedDs.Tags()}", out words);
        next = KeyTimeline.Submit(keys, policy, now);
        words = keys.WantedDs.Count == 0 ? "the parent has no DS records of the zone"
            : $"the parent has the DS record of key {keys.WantedDs.Tags()} and no other";
        return true;
    }

    private static bool Fail(string why, out string words)
    {
        words = why;
        return false;
    }
}
