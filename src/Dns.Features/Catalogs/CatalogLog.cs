using Microsoft.Extensions.Logging;

namespace Dns.Features.Catalogs;

/// <summary>Logs events of catalogs. Conflicts are bounded: their number is a primary's choice.</summary>
public sealed class CatalogLog(ILogger<CatalogLog> logger, TimeProvider clock) : ICatalogObserver
{
    private readonly BoundedLines _conflicts = new(clock, most: 20);

    public void OnMade(DomainName catalog, uint serial, int members) =>
        logger.CatalogMade(catalog, serial, Counted.Of(members, "member"));

    public void OnEmptied(DomainName catalog, int members) =>
        logger.CatalogEmptied(catalog, Counted.Of(members, "member"));

    public void OnNotStored(DomainName catalog, string reason) => logger.CatalogNotKept(catalog, reason);

    public void OnBroken(DomainName catalog, string problem) => logger.CatalogBroken(catalog, problem);

    public void OnMembers(DomainName catalog, int added, int removed, int reset) =>
        logger.CatalogMembersChanged(catalog, added, removed, reset);

    public void OnConflict(DomainName catalog, DomainName zone, string reason)
    {
        if (_conflicts.TryTake(out string more)) logger.CatalogConflict(catalog, zone, reason + more);
    }

    public void OnFault(DomainName catalog, Exception error) => logger.CatalogFault(error, catalog);
}
