using Microsoft.Extensions.Logging;

namespace Dns.Features.Catalogs;

/// <summary>Events 1101 to 1199: catalog zones.</summary>
public static partial class CatalogEvents
{
    /// <summary>A catalog that is produced here lists other zones than before, or other groups of them.</summary>
    [LoggerMessage(1101, LogLevel.Information, "Catalog {Catalog} is served: serial {Serial}, {Members}")]
    public static partial void CatalogMade(this ILogger logger, DomainName catalog, uint serial, string members);

    /// <summary>
    /// After a restart the serial and ids of a produced catalog may be others, and the members of a consumed one may
    /// go to another catalog: make room in <c>Dns:StateDirectory</c>.
    /// </summary>
    [LoggerMessage(1102, LogLevel.Error, "Catalog {Catalog} is not saved: {Why}")]
    public static partial void CatalogNotKept(this ILogger logger, DomainName catalog, string why);

    /// <summary>
    /// A version of a catalog is broken (RFC 9432 §5.1): its members stay as they are until it is corrected.
    /// </summary>
    [LoggerMessage(1103, LogLevel.Error, "Catalog {Catalog} is not used: {Why}")]
    public static partial void CatalogBroken(this ILogger logger, DomainName catalog, string why);

    /// <summary>The zones that a catalog lists have changed. A zone with another id is transferred again.</summary>
    [LoggerMessage(1104, LogLevel.Information, "Catalog {Catalog}: {Added} added, {Removed} removed, {Reset} reset")]
    public static partial void CatalogMembersChanged(this ILogger logger, DomainName catalog, int added,
        int removed, int reset);

    /// <summary>
    /// A zone that a catalog lists already comes from the settings or another catalog, and stays there. At most 20
    /// lines in ten seconds; the next one says how many were left out.
    /// </summary>
    [LoggerMessage(1105, LogLevel.Warning, "Catalog {Catalog}: zone {Zone} is not taken from it: {Why}")]
    public static partial void CatalogConflict(this ILogger logger, DomainName catalog, DomainName zone, string why);

    /// <summary>A defect of the server: please report it.</summary>
    [LoggerMessage(1106, LogLevel.Error, "Catalog {Catalog} failed")]
    public static partial void CatalogFault(this ILogger logger, Exception error, DomainName catalog);

    /// <summary>
    /// The secondaries remove all zones of the catalog. If its zones were not to be removed, look for a directory that
    /// is empty, such as a mount point: the zones return with their files, and are transferred again.
    /// </summary>
    [LoggerMessage(1107, LogLevel.Warning, "Catalog {Catalog} lists no zones any longer: {Members} removed")]
    public static partial void CatalogEmptied(this ILogger logger, DomainName catalog, string members);
}
