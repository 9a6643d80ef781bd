using Dns.Protocol;

namespace Dns.Zones;

/// <summary>Told how the loading of zones goes. Called by several threads at once; must not throw.</summary>
public interface IZoneLoadObserver
{
    /// <summary>A large zone is being read.</summary>
    /// <param name="zone">The zone.</param>
    /// <param name="place">Where from: the path of a file, an address.</param>
    /// <param name="records">How many records have been read so far.</param>
    void OnProgress(DomainName zone, string place, long records);

    /// <summary>
    /// A zone has been read; it is published if it has no errors, and goes on being served as before if it has.
    /// </summary>
    /// <param name="zone">The zone.</param>
    /// <param name="place">Where from: the path of a file, an address.</param>
    /// <param name="result">What was read.</param>
    /// <param name="before">What was served until now; null = nothing.</param>
    void OnRead(DomainName zone, string place, ZoneLoadResult result, Zone? before);

    /// <summary>
    /// The errors of a zone that was served nevertheless are gone, and what was read is what was served all the time.
    /// Told after <see cref="OnRead"/>.
    /// </summary>
    void OnMended(DomainName zone, string place, Zone served)
    {
    }

    /// <summary>Reading ended in an exception, which is a fault of this program. The zone is not published.</summary>
    void OnCrash(DomainName zone, string place, Exception error);
}
