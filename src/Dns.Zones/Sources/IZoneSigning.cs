namespace Dns.Zones;

/// <summary>
/// Makes signed versions of what sources publish: a zone whose <see cref="ZonePolicy.Dnssec"/> names a policy is never served
/// unsigned.
/// </summary>
public interface IZoneSigning
{
    /// <summary>
    /// Takes a version of a source. Sooner or later <see cref="ZoneSlot.PublishSigned"/> gets what is made of it, or of a later one, or
    /// <see cref="ZoneSlot.FailSigning"/> the reason why not. Called by the thread of the source, one at a time for a slot; must not
    /// throw. A small change is signed when this returns: who has asked for it sees it then.
    /// </summary>
    /// <param name="slot">The zone.</param>
    /// <param name="source">The version, and the one from before; the same one again where it is to be taken anew.</param>
    /// <param name="now">The time; null = not known.</param>
    void Sign(ZoneSlot slot, in ZoneVersionChange source, DateTimeOffset? now);

    /// <summary>
    /// Whether a zone without a policy is signed all the same: it was signed before, and its parent or caches may have its DS records.
    /// Asked for every version of every zone; must neither throw nor wait.
    /// </summary>
    bool Keeps(ZoneSlot slot);

    /// <summary>Lets go of a zone that is not signed any more. Must not throw.</summary>
    void Release(ZoneSlot slot);
}
