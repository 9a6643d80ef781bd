namespace Dns.Dnssec;

/// <summary>
/// When keys of a zone are published, sign and go: a pure function of policy, state, what is served and seen, and the moment. Without a
/// clock, without files; for any thread.
/// </summary>
/// <remarks>
/// <para>ZSKs roll over by pre-publication (RFC 6781 §4.1.1.1), KSKs and CSKs by two keys that both sign the DNSKEY RRset until the DS
/// RRset was exchanged (§4.1.2), algorithms by the conservative way (§4.1.4): signatures, then keys, then DS, and back in that order.
/// None of that is written down as a sequence. A step is taken as soon as every combination of versions of DS, DNSKEY and signatures
/// that caches may hold after it validates as it did before it; the waits of RFC 7583 follow.</para>
/// <para>Times are those of a wall clock, which may be set: who holds the state says by how much it jumped, and times that lie ahead count
/// as this moment. What is waited for is then waited for again, never less.</para>
/// </remarks>
public static class KeyTimeline
{
    /// <summary>The most keys that a zone has at once; a policy that changes again waits until there are fewer.</summary>
    public const int MaxKeys = 16;

    /// <summary>How long a key that is out of use is kept.</summary>
    public static readonly TimeSpan KeptWhenRemoved = TimeSpan.FromDays(90);

    /// <summary>Takes the steps that are possible at a moment.</summary>
    /// <param name="policy">
    /// The policy; null = the zone is not to be signed any more, which waits until its DS RRset is gone, by the times of the last policy.
    /// </param>
    /// <param name="keys">The state.</param>
    /// <param name="facts">What is served and seen.</param>
    /// <param name="now">The moment by the wall clock.</param>
    /// <param name="jump">By how much that clock was set since the last step: later is positive.</param>
    /// <returns>The state that follows. Where keys are needed, the caller makes them and takes the step again.</returns>
    public static KeyStep Step(DnssecPolicy? policy, ZoneKeys keys, ZoneFacts facts, DateTimeOffset now, TimeSpan jump = default) =>
        new KeyStepper(policy, keys, facts, now, jump).Take();

    /// <summary>What the zone is to be signed with, by the state alone.</summary>
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

    /// <summary>An operator says that the parent has the DS RRset that is wanted, and no other.</summary>
    /// <param name="keys">The state.</param>
    /// <param name="policy">The policy.</param>
    /// <param name="now">The moment.</param>
    public static ZoneKeys Submit(ZoneKeys keys, DnssecPolicy? policy, DateTimeOffset now) =>
        DsObservation.Apply(keys, policy ?? keys.Policy ?? DnssecPolicy.Default, new ParentDs(keys.WantedDs, null), now);
}
