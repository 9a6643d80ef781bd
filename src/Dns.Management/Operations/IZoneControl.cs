namespace Dns.Management.Operations;

/// <summary>Changes zones and settings of the running server, whose composition implements it. Thread-safe.</summary>
public interface IZoneControl
{
    /// <summary>The settings file; null = none.</summary>
    string? SettingsFile { get; }

    /// <summary>Whether the first loading of all zones is complete.</summary>
    bool IsLoaded { get; }

    Task Loaded { get; }

    /// <summary>The file of a served zone; null if it has none.</summary>
    string? FileOf(DomainName zone);

    /// <summary>The zones that have or include a file, also by a symlink. Looks at the files of all zones.</summary>
    IReadOnlyList<DomainName> FindUsers(string file);

    /// <summary>Reads a zone file without serving it: a line for each error, up to a limit; empty if valid.</summary>
    IReadOnlyList<string> FindErrors(DomainName zone, string file, CancellationToken cancellation);

    /// <summary>Reloads some zones of any source.</summary>
    Task<ZoneLoadSummary> ReloadAsync(IReadOnlyCollection<DomainName> zones, CancellationToken cancellation);

    /// <summary>Adds a zone with a file, persistently. With errors in the file nothing changes.</summary>
    /// <returns>A line for each error; empty if the zone is served.</returns>
    /// <exception cref="OperationException">The settings have another file for the zone.</exception>
    /// <exception cref="IOException">It cannot be saved; nothing has changed.</exception>
    IReadOnlyList<string> Add(DomainName zone, string file, CancellationToken cancellation);

    /// <summary>Removes a zone with a file, persistently.</summary>
    /// <returns>How long that lasts; null if no zone of this name has a file.</returns>
    /// <exception cref="IOException">It cannot be saved; nothing has changed.</exception>
    ZoneRemoval? Remove(DomainName zone);

    /// <summary>Reads the settings and all changed zones again; a trial only reports the effects.</summary>
    /// <exception cref="OperationException">The settings have errors; nothing has changed.</exception>
    ReloadReport Reload(bool isTrial, CancellationToken cancellation);
}

/// <summary>A removed zone.</summary>
/// <param name="Lasting">How long that lasts, as text.</param>
/// <param name="SettingsFile">Its file in the settings, with which it can be added again; null = none.</param>
public sealed record ZoneRemoval(string Lasting, string? SettingsFile)
{
    /// <summary>Whether the zone is served from another source, such as a primary.</summary>
    public bool IsStillServed { get; init; }
}
