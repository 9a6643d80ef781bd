namespace Dns.Dnssec.Policies;

/// <summary>Operator requests for the keys of a zone. A refusal is a message and leaves the state.</summary>
public static class KeyRequests
{
    private const string InBundles = "the KSK is offline, and keys come in bundles: "
        + "\"dnsd keys request --new-zsk\" for another ZSK, or \"--from now\" when its machine has another KSK, "
        + "then \"sign-request\" and \"load-bundle\"";

    private const string Leaving = "the zone is becoming unsigned: expected a zone with a policy";

    private const string AlgorithmInBundles = "the KSK is offline, and bundles have keys of one algorithm: "
        + "import the KSK (\"dnsd keys import\"), use a policy without OfflineKsk, roll the algorithm over, "
        + "and then move the new KSK away again";

    /// <summary>Requests a rollover before the lifetimes end.</summary>
    /// <param name="ksk">Whether the KSK or CSK is replaced.</param>
    /// <param name="zsk">Whether the ZSK is replaced. Neither = each key of the zone.</param>
    /// <param name="words">The result, or the reason for a refusal.</param>
    public static bool TryRollOver(ZoneKeys keys, bool ksk, bool zsk, out ZoneKeys next, out string words)
    {
        next = keys;
        KeyRecord[] current = [.. keys.Keys.Where(key => key is { IsRetiring: false, IsRemoved: false })];
        bool hasZsk = current.Any(key => key.Role == KeyRole.Zsk), hasSep = current.Any(key => key.Role.SignsKeys());
        if (keys.IsLeaving) return Fail(Leaving, out words);
        if (keys.Slot is not null) return Fail(InBundles, out words);
        if (current.Length == 0) return Fail("the zone has no key yet: the first signing creates one", out words);
        if (zsk && !hasZsk) return Fail("the zone has no ZSK: it has a CSK, use --ksk", out words);
        if (ksk && !hasSep) return Fail("the zone has no KSK on this machine", out words);
        if (!ksk && !zsk) (ksk, zsk) = (hasSep, hasZsk);
        next = keys with { WantsKsk = keys.WantsKsk || ksk, WantsZsk = keys.WantsZsk || zsk };
        KeyRecord[] chosen =
            [.. current.Where(key => ksk && key.Role.SignsKeys() || zsk && key.Role == KeyRole.Zsk)];
        // A rollover waits for the one before it of its role only.
        words = string.Join("; ", chosen.GroupBy(key => keys.RetiringWith(key.Role), key => key.Id)
            .OrderBy(group => group.Key.Count).Select(group => Describe(KeyIds.Of(group), group.Key)));
        return true;
    }

    private static string Describe(KeyIds ids, KeyIds before) =>
        (ids.Count == 1 ? $"key {ids.Tags()} rolls over" : $"keys {ids.Tags()} roll over")
            + (before.Count > 0 ? $" when {before.Are()} out of use" : "");

    /// <summary>Requests keys of an algorithm, until the policy's algorithm changes.</summary>
    public static bool TryRollOver(
        ZoneKeys keys, DnssecPolicy policy, DnssecAlgorithm algorithm, out ZoneKeys next, out string words)
    {
        next = keys;
        if (keys.IsLeaving) return Fail(Leaving, out words);
        if (keys.Slot is not null) return Fail(AlgorithmInBundles, out words);
        string name = DnssecAlgorithms.NameOf(algorithm);
        if (!DnssecAlgorithms.IsSupported(algorithm, toSign: true))
            return Fail($"this machine does not sign with {name}", out words);
        if ((keys.WantedAlgorithm ?? policy.Algorithm) == algorithm)
            return Fail($"the zone has {name} already, or is rolling over to it", out words);
        next = keys with { WantedAlgorithm = algorithm, PolicyAlgorithm = policy.Algorithm };
        words = $"the keys roll over to {name}; policy {policy.Name} says {DnssecAlgorithms.NameOf(policy.Algorithm)}: "
            + "change the policy, too: keys made after a loss of the state follow it";
        return true;
    }

    /// <summary>Confirms that the parent has exactly the DS records that CDS requests.</summary>
    /// <param name="policy">The policy; null = the zone is becoming unsigned.</param>
    /// <param name="tag">The tag of a key whose DS record is there; null = any requested one.</param>
    /// <param name="words">The result, or the reason for a refusal.</param>
    public static bool TrySubmit(
        ZoneKeys keys, DnssecPolicy? policy, ushort? tag, DateTimeOffset now, out ZoneKeys next, out string words)
    {
        next = keys;
        if (keys.WantedDs.Count == 0 && !keys.IsLeaving)
            return Fail(
                "no DS record is requested yet: caches may still have the zone without signatures", out words);
        if (tag is { } given && !keys.WantedDs.Any(id => id.Tag == given))
            return Fail(
                $"the requested DS record is of key {keys.WantedDs.Tags()}, not of key {given}",
                out words);
        next = KeyRollover.Submit(keys, policy, now);
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
