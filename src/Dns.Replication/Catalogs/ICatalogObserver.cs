namespace Dns.Replication.Catalogs;

/// <summary>Receives events of catalogs. Thread-safe; must not throw.</summary>
public interface ICatalogObserver
{
    /// <summary>A produced catalog has a new version.</summary>
    void OnMade(DomainName catalog, uint serial, int members);

    /// <summary>A produced catalog lists no zone any longer: its consumers remove them.</summary>
    /// <param name="members">Members of the version before.</param>
    void OnEmptied(DomainName catalog, int members);

    /// <summary>A version of a produced catalog could not be stored: after a restart its serial may be lower.</summary>
    void OnNotStored(DomainName catalog, string reason);

    /// <summary>A version of a consumed catalog is broken; the members of the previous one stay.</summary>
    void OnBroken(DomainName catalog, string problem);

    /// <summary>The members of consumed catalogs have changed.</summary>
    void OnMembers(DomainName catalog, int added, int removed, int reset);

    /// <summary>A member is not served because the zone has another source.</summary>
    void OnConflict(DomainName catalog, DomainName zone, string reason);

    /// <summary>An unexpected exception: an internal error.</summary>
    void OnFault(DomainName catalog, Exception error);
}
