using Dns.Zones;

namespace Dns.Providers;

/// <summary>Who is told how the loading of zone files goes. Called by several threads at once; must not throw.</summary>
public interface IZoneLoadObserver
{
    /// <summary>A large file is being read.</summary>
    /// <param name="file">The file.</param>
    /// <param name="records">How many records have been read so far.</param>
    void OnProgress(ZoneFile file, long records);

    /// <summary>
    /// A file has been read; its zone is published if it has no errors, and goes on being served as before if it has.
    /// </summary>
    /// <param name="file">The file.</param>
    /// <param name="result">What was read.</param>
    /// <param name="before">What was served until now; null = nothing.</param>
    void OnRead(ZoneFile file, ZoneLoadResult result, Zone? before);

    /// <summary>
    /// The errors in the file of a zone that was served nevertheless are gone, and what it says is what was served all the
    /// time. Told after <see cref="OnRead"/>.
    /// </summary>
    void OnMended(ZoneFile file, Zone zone)
    {
    }

    /// <summary>Reading ended in an exception, which is a fault of this program. The zone is not published.</summary>
    void OnCrash(ZoneFile file, Exception error);
}
