namespace Dns.Zones.Sources;

/// <summary>
/// Changes of zones stored beside their files. A source passes each version that it reads to the overlay, which
/// publishes it: with the changes, or not at all if they apply to another version of the file.
/// </summary>
public interface IZoneOverlay
{
    /// <summary>Whether a zone may have changes: then <see cref="Publish"/> is called instead of the slot's.</summary>
    bool Covers(ZoneSlot slot);

    /// <summary>Publishes a version that was read, or sets the failure in the slot.</summary>
    /// <param name="read">The result of reading, without errors.</param>
    /// <returns>The result with the version that is now served; with an error if none is.</returns>
    ZoneLoadResult Publish(ZoneSlot slot, ZoneLoadResult read, string path, DateTimeOffset now);

    /// <summary>Why <see cref="Publish"/> would keep the served version; null if it would not.</summary>
    string? FindConflict(DomainName zone, Zone read, string path);

    /// <summary>Forgets what was read of a zone that was not added, unless another one of its name is served.</summary>
    void Abandon(DomainName zone);
}
