namespace Dns.Dnssec.Policies;

/// <summary>
/// When keys of a zone are published, sign and are removed: a pure function of policy, state, served and observed
/// versions, and time. Without clock and files; thread-safe.
/// </summary>
/// <remarks>
/// <para>ZSKs roll over by pre-publication (RFC 6781 §4.1.1.1), KSKs and CSKs by two keys that both sign the DNSKEY
/// RRset until the DS RRset was replaced (§4.1.2), algorithms conservatively (§4.1.4): signatures, then keys, then DS,
/// and back in reverse order. None of that is coded as a sequence. A step is taken as soon as every combination of
/// versions of DS, DNSKEY and signatures that caches may then hold still validates; the waits of RFC 7583
/// follow.</para>
/// <para>Times are those of a wall clock, which may be set: the caller passes the size of a jump, and future times
/// count as now. A wait is then repeated, never shortened.</para>
/// </remarks>
public static class KeyRollover
{
    /// <summary>The maximum number of keys of a zone; further policy changes wait until there are fewer.</summary>
    public const int MaxKeys = 16;

    /// <summary>How long an unused key is kept.</summary>
    public static readonly TimeSpan KeptWhenRemoved = TimeSpan.FromDays(90);

    /// <summary>Takes all possible steps.</summary>
    /// <param name="policy">
    /// The policy; null = the zone becomes unsigned, after its DS RRset is gone, by the times of the last policy.
    /// </param>
    /// <param name="jump">By how much that clock was set since the last step; later is positive.</param>
    /// <returns>The next state. If keys are needed, the caller generates them and repeats the step.</returns>
    public static KeyStep Step(DnssecPolicy? policy, ZoneKeys keys, ZoneFacts facts, DateTimeOffset now,
        TimeSpan jump = default) =>
        new KeyRolloverStepper(policy, keys, facts, now, jump).Take();

    /// <summary>The plan of the zone, by the state alone.</summary>
    public static KeyPlan PlanOf(ZoneKeys keys)
    {
        bool isSynchronized = keys.SeenDs is { } seen && seen.Equals(keys.WantedDs);
        return new KeyPlan
        {
            Published = keys.Published,
            KeySigners = keys.KeySigners,
            ZoneSigners = keys.ZoneSigners,
            Cds = isSynchronized ? KeyIds.None : keys.WantedDs,
            Slot = keys.Slot,
            // With an offline KSK it cannot be signed here.
            IsCdsDelete = keys.IsLeaving && keys.Slot is null
                && !isSynchronized && keys.WantedDs.Count == 0 && keys.Published.Count > 0 && keys.MayHaveDs,
        };
    }

    /// <summary>An operator confirms that the parent has exactly the wanted DS RRset.</summary>
    public static ZoneKeys Submit(ZoneKeys keys, DnssecPolicy? policy, DateTimeOffset now) =>
        DsObservation.Apply(keys, policy ?? keys.Policy ?? DnssecPolicy.Default,
            new ParentDs(keys.WantedDs, null), now);
}
