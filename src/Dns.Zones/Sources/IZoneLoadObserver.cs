namespace Dns.Zones.Sources;

/// <summary>Receives events of zone loading. Called by several threads at once; must not throw.</summary>
public interface IZoneLoadObserver
{
    /// <summary>Progress of a large zone.</summary>
    /// <param name="origin">Its origin: the path of a file, an address.</param>
    /// <param name="records">Records read so far.</param>
    void OnProgress(DomainName zone, string origin, long records);

    /// <summary>A zone was read: published if without errors, else the previous version is still served.</summary>
    /// <param name="before">The version served before; null = none.</param>
    void OnRead(DomainName zone, string origin, ZoneLoadResult result, Zone? before);

    /// <summary>
    /// The errors of a zone that was served nevertheless are fixed, and the read version equals the served one. Called
    /// after <see cref="OnRead"/>.
    /// </summary>
    void OnValidAgain(DomainName zone, string origin, Zone served)
    {
    }

    /// <summary>Reading ended in an exception, a bug. The zone is not published.</summary>
    void OnCrash(DomainName zone, string origin, Exception error);
}
