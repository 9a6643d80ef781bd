using Dns.Protocol;
using Dns.Zones;

namespace Dns.Management;

/// <summary>
/// Changes zones and settings of the server that runs. Implemented where the server is put together; operations see no more of it.
/// Thread-safe.
/// </summary>
internal interface IZoneControl
{
    /// <summary>The settings file; null = there is none.</summary>
    string? SettingsFile { get; }

    /// <summary>Whether the first load of all zones has ended.</summary>
    bool IsLoaded { get; }

    /// <summary>Ends with the first load of all zones.</summary>
    Task Loaded { get; }

    /// <summary>The path of the file that a zone is served from; null if it comes from none.</summary>
    string? FileOf(DomainName zone);

    /// <summary>Reads a zone file without serving it.</summary>
    /// <returns>A line for each error, up to a number; none if it could be served.</returns>
    IReadOnlyList<string> FindErrors(DomainName zone, string file, CancellationToken cancellation);

    /// <summary>Brings the data of some zones again, whatever source they are of.</summary>
    Task<ZoneLoadSummary> ReloadAsync(IReadOnlyCollection<DomainName> zones, CancellationToken cancellation);

    /// <summary>Serves a zone from a file, after restarts too. With errors in the file everything stays as it is.</summary>
    /// <returns>A line for each error; none if the zone is served.</returns>
    /// <exception cref="OperationException">The settings have another file for the zone.</exception>
    /// <exception cref="IOException">It cannot be kept; nothing has changed.</exception>
    IReadOnlyList<string> Add(DomainName zone, string file, CancellationToken cancellation);

    /// <summary>Serves a zone of a file no more, after restarts neither.</summary>
    /// <returns>How long that lasts; null if no zone of this name comes from a file.</returns>
    /// <exception cref="IOException">It cannot be kept; nothing has changed.</exception>
    ZoneRemoval? Remove(DomainName zone);

    /// <summary>Reads the settings and all changed zones again.</summary>
    /// <param name="isTrial">Whether nothing is changed, and the result says what would be.</param>
    /// <param name="cancellation">Ends the reading of zones early.</param>
    /// <exception cref="OperationException">The settings have errors; nothing has changed.</exception>
    ReloadReport Reload(bool isTrial, CancellationToken cancellation);
}

/// <summary>A zone that is served no more.</summary>
/// <param name="Lasting">How long that lasts, in words.</param>
/// <param name="SettingsFile">The file that the settings have for it, with which it can be added again; null = they have none.</param>
internal sealed record ZoneRemoval(string Lasting, string? SettingsFile);
