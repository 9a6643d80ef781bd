namespace Dns.Reloading.Zones;

/// <summary>Carries out changes by operators through the reloaders of zones and settings.</summary>
public sealed class ZoneControl(
    ZoneSourceSet sources, ZoneReloader reloading, ConfiguredZones configured, SettingsReloader settings) : IZoneControl
{
    /// <summary>Maximum errors of a zone that are reported.</summary>
    private const int MaxErrors = 1000;

    public string? SettingsFile => settings.File;

    public bool IsLoaded => reloading.IsLoaded;

    public Task Loaded => reloading.Loaded.Task;

    public string? FileOf(DomainName zone) => sources.ServedFile(zone)?.Path;

    public IReadOnlyList<DomainName> FindUsers(string file) => sources.FindUsers(file);

    public IReadOnlyList<string> FindErrors(DomainName zone, string file, CancellationToken cancellation)
    {
        BrokenZones errors = new() { MaxLines = MaxErrors };
        ZoneFileReading.Read([ZoneFile.At(zone, file)], 1, errors, cancellation, limits: reloading.Limits);
        return errors.Lines;
    }

    public Task<ZoneLoadSummary> ReloadAsync(IReadOnlyCollection<DomainName> zones, CancellationToken cancellation) =>
        reloading.ReloadAsync(zones, cancellation);

    public IReadOnlyList<string> Add(DomainName zone, string file, CancellationToken cancellation) =>
        reloading.Add(ZoneFile.At(zone, file), cancellation).Lines;

    public ZoneRemoval? Remove(DomainName zone) =>
        reloading.Remove(zone) ? new ZoneRemoval(configured.Lasting, configured.RemovedFile(zone)?.Path) : null;

    public ReloadReport Reload(bool isTrial, CancellationToken cancellation)
    {
        SettingsReloadResult result = settings.Reload(isTrial, cancellation);
        return result.Zones is not null ? result.ToReport(isTrial) : throw new OperationException(
            OperationError.Rejected, "the new settings are not applied:\n" + string.Join('\n', result.Problems));
    }
}
