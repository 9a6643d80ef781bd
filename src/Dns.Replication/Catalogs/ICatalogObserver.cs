using Dns.Protocol;

namespace Dns.Replication;

/// <summary>Told what becomes of catalogs. Called by several threads; must not throw.</summary>
public interface ICatalogObserver
{
    /// <summary>A catalog that is made here has a new version.</summary>
    void OnMade(DomainName catalog, uint serial, int members);

    /// <summary>A version of a catalog that is made here could not be kept: after a restart its serial may be lower.</summary>
    void OnNotKept(DomainName catalog, string reason);

    /// <summary>A version of a consumed catalog is broken; what the one before listed stays.</summary>
    void OnBroken(DomainName catalog, string problem);

    /// <summary>The members of consumed catalogs have changed.</summary>
    void OnMembers(DomainName catalog, int added, int removed, int reset);

    /// <summary>A member is not served from a catalog, since something else has the zone.</summary>
    void OnConflict(DomainName catalog, DomainName zone, string reason);

    /// <summary>Something was thrown that nothing expected, which is a fault of this program.</summary>
    void OnFault(DomainName catalog, Exception error);
}
