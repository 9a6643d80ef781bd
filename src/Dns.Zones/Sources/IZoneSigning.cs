namespace Dns.Zones.Sources;

/// <summary>
/// Makes signed versions of zones with <see cref="ZonePolicy.Dnssec"/>. A zone once signed is not served unsigned.
/// </summary>
public interface IZoneSigning
{
    /// <summary>
    /// Accepts a version of a source. Eventually calls <see cref="ZoneSlot.PublishSigned"/> with the result for it or
    /// for a later one, or <see cref="ZoneSlot.FailSigning"/> with the reason. Called by the thread of the source, one
    /// at a time for a slot; must not throw. A small change is signed when this returns, so its author sees it.
    /// </summary>
    /// <param name="source">The version, and the previous one; the same one if it must be signed again.</param>
    /// <param name="now">The time; null = unknown.</param>
    void Sign(ZoneSlot slot, in ZoneVersionChange source, DateTimeOffset? now);

    /// <summary>
    /// Whether a zone without a policy is still signed: it was signed before, and its parent or caches may have its DS
    /// records. Called for every version of every zone; must neither throw nor wait.
    /// </summary>
    /// <param name="version">The version of the source; null = it has none.</param>
    bool Keeps(ZoneSlot slot, Zone? version);

    /// <summary>Releases a zone that is not signed any more. Must not throw.</summary>
    void Release(ZoneSlot slot);
}
