using Microsoft.Extensions.Logging;

namespace Dns.Telemetry.Log;

/// <summary>Logs events of catalogs.</summary>
internal sealed class CatalogLog(ILogger<CatalogLog> logger) : ICatalogObserver
{
    public void OnMade(DomainName catalog, uint serial, int members) =>
        logger.CatalogMade(catalog, serial, Counted.Of(members, "member"));

    public void OnNotStored(DomainName catalog, string reason) => logger.CatalogNotKept(catalog, reason);

    public void OnBroken(DomainName catalog, string problem) => logger.CatalogBroken(catalog, problem);

    public void OnMembers(DomainName catalog, int added, int removed, int reset) =>
        logger.CatalogMembersChanged(catalog, added, removed, reset);

    public void OnConflict(DomainName catalog, DomainName zone, string reason) =>
        logger.CatalogConflict(catalog, zone, reason);

    public void OnFault(DomainName catalog, Exception error) => logger.CatalogFault(error, catalog);
}
