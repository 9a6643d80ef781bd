using Dns.Replication;

namespace Dns.Server;

/// <summary>The catalogs of the settings: those that are made here.</summary>
internal sealed class CatalogZones
{
    private const string Folder = "zones";

    /// <summary>Makes the source; its zones are claimed when it is started.</summary>
    /// <param name="options">The settings.</param>
    /// <param name="stateDirectory">Where versions are kept; null = nowhere.</param>
    /// <param name="time">The clock.</param>
    /// <param name="log">Told what happens.</param>
    public CatalogZones(ServerOptions options, string? stateDirectory, TimeProvider time, CatalogLog log)
    {
        IZoneCopies copies = stateDirectory is null
            ? new NoZoneCopies() : new ZoneCopyFolder(Path.Join(stateDirectory, Folder), new DiskFiles(DirectorySync.Flush));
        Producer = new CatalogProducer(copies, log, time);
        Use(options);
    }

    /// <summary>Makes catalogs.</summary>
    public CatalogProducer Producer { get; }

    /// <summary>Has the catalogs of settings from now on.</summary>
    public void Use(ServerOptions options) => Producer.Use(
    [
        .. options.Zones.Where(zone => zone.Catalog == CatalogRole.Producer).Select(zone =>
            new CatalogProducerOptions(zone.Name!) { AllowQuery = zone.AllowQuery, Policy = zone.Policy }),
    ]);

    /// <summary>Looks at what is said of zones that stay: call it when the zones of settings have been taken over.</summary>
    public void OnZonesChanged() => Producer.Refresh();
}
