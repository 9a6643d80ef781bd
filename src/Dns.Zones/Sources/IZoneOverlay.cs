namespace Dns.Zones;

/// <summary>
/// Changes of zones that are kept beside their files. A source of files hands over what it has read of such a zone, and the overlay
/// publishes it: with the changes, or not at all where they were made to another version of the file.
/// </summary>
public interface IZoneOverlay
{
    /// <summary>Whether there are changes of a zone, or may be: then <see cref="Publish"/> is called instead of that of the slot.</summary>
    bool Covers(ZoneSlot slot);

    /// <summary>Publishes what was read of a zone, or says in the slot why it is not.</summary>
    /// <param name="slot">The zone.</param>
    /// <param name="read">What was read, without errors.</param>
    /// <param name="place">The path of the file.</param>
    /// <param name="now">The time.</param>
    /// <returns>The same with what is served now; with an error where nothing is.</returns>
    ZoneLoadResult Publish(ZoneSlot slot, ZoneLoadResult read, string place, DateTimeOffset now);
}
