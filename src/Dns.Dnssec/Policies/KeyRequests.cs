namespace Dns.Dnssec.Policies;

/// <summary>Operator requests for the keys of a zone. A refusal leaves the state.</summary>
public static class KeyRequests
{
    /// <summary>Requests a rollover before the lifetimes end.</summary>
    /// <param name="ksk">Whether the KSK or CSK is replaced.</param>
    /// <param name="zsk">Whether the ZSK is replaced. Neither = each key of the zone.</param>
    /// <param name="reply">The result, or the reason for a refusal.</param>
    public static bool TryRollOver(ZoneKeys keys, bool ksk, bool zsk, out ZoneKeys next, out KeyReply reply)
    {
        next = keys;
        KeyRecord[] current = [.. keys.Keys.Where(key => key is { IsRetiring: false, IsRemoved: false })];
        bool hasZsk = current.Any(key => key.Role == KeyRole.Zsk), hasSep = current.Any(key => key.Role.SignsKeys());
        if (keys.IsLeaving) return Fail(KeyReplyKind.Leaving, out reply);
        if (keys.Slot is not null) return Fail(KeyReplyKind.KeysInBundles, out reply);
        if (current.Length == 0) return Fail(KeyReplyKind.NoKey, out reply);
        if (zsk && !hasZsk) return Fail(KeyReplyKind.NoZsk, out reply);
        if (ksk && !hasSep) return Fail(KeyReplyKind.NoKsk, out reply);
        if (!ksk && !zsk) (ksk, zsk) = (hasSep, hasZsk);
        next = keys with { WantsKsk = keys.WantsKsk || ksk, WantsZsk = keys.WantsZsk || zsk };
        KeyRecord[] chosen =
            [.. current.Where(key => ksk && key.Role.SignsKeys() || zsk && key.Role == KeyRole.Zsk)];
        // A rollover waits for the one before it of its role only.
        reply = new KeyReply(KeyReplyKind.RollsOver)
        {
            Rollovers =
            [
                .. chosen.GroupBy(key => keys.RetiringWith(key.Role), key => key.Id)
                    .OrderBy(group => group.Key.Count).Select(group => (KeyIds.Of(group), group.Key)),
            ],
        };
        return true;
    }

    /// <summary>Requests keys of an algorithm, until the policy's algorithm changes.</summary>
    public static bool TryRollOver(
        ZoneKeys keys, DnssecPolicy policy, DnssecAlgorithm algorithm, out ZoneKeys next, out KeyReply reply)
    {
        next = keys;
        if (keys.IsLeaving) return Fail(KeyReplyKind.Leaving, out reply);
        if (keys.Slot is not null) return Fail(KeyReplyKind.AlgorithmInBundles, out reply);
        reply = new KeyReply(KeyReplyKind.AlgorithmUnsupported) { Algorithm = algorithm };
        if (!DnssecAlgorithms.IsSupported(algorithm, toSign: true)) return false;
        reply = reply with { Kind = KeyReplyKind.AlgorithmUnchanged };
        if ((keys.WantedAlgorithm ?? policy.Algorithm) == algorithm) return false;
        next = keys with { WantedAlgorithm = algorithm, PolicyAlgorithm = policy.Algorithm };
        reply = reply with { Kind = KeyReplyKind.AlgorithmRollsOver, Policy = policy };
        return true;
    }

    /// <summary>Confirms that the parent has exactly the DS records that CDS requests.</summary>
    /// <param name="policy">The policy; null = the zone is becoming unsigned.</param>
    /// <param name="tag">The tag of a key whose DS record is there; null = any requested one.</param>
    /// <param name="reply">The result, or the reason for a refusal.</param>
    public static bool TrySubmit(
        ZoneKeys keys, DnssecPolicy? policy, ushort? tag, DateTimeOffset now, out ZoneKeys next, out KeyReply reply)
    {
        next = keys;
        if (keys.WantedDs.Count == 0 && !keys.IsLeaving) return Fail(KeyReplyKind.NoDsRequested, out reply);
        reply = new KeyReply(KeyReplyKind.OtherDsRequested) { Keys = keys.WantedDs, Tag = tag ?? 0 };
        if (tag is { } given && !keys.WantedDs.Any(id => id.Tag == given)) return false;
        next = KeyRollover.Submit(keys, policy, now);
        reply = reply with
        {
            Kind = keys.WantedDs.Count == 0 ? KeyReplyKind.NoDsConfirmed : KeyReplyKind.DsConfirmed,
        };
        return true;
    }

    private static bool Fail(KeyReplyKind why, out KeyReply reply)
    {
        reply = new KeyReply(why);
        return false;
    }
}
