namespace Dns.Zones.Sources;

/// <summary>
/// A source of zones: files, a database, another server. It claims names in a <see cref="ZoneRegistry"/>, each with a
/// <see cref="ZoneSlot"/>, and publishes versions into its slots, whether they are served or not. Its methods are
/// thread-safe.
/// </summary>
public interface IZoneSource
{
    /// <summary>
    /// Claims the known zones, and loads them. The claims exist when the call returns; the task ends when each zone has
    /// data or an error. Called once.
    /// </summary>
    /// <param name="registry">Receives the claims.</param>
    /// <param name="observer">Receives an event for each loaded zone.</param>
    /// <param name="cancellation">Cancels loading; zones without data stay so.</param>
    Task<ZoneLoadSummary> StartAsync(ZoneRegistry registry, IZoneLoadObserver observer, CancellationToken cancellation);

    /// <summary>Reloads some zones, changed or not. No other zone waits for it.</summary>
    /// <param name="zones">The zones; those of other sources are ignored.</param>
    /// <param name="cancellation">Cancels loading; the other zones keep their data.</param>
    Task<ZoneLoadSummary> ReloadAsync(
        IReadOnlyCollection<DomainName> zones, IZoneLoadObserver observer, CancellationToken cancellation);

    /// <summary>Stops background work. Published versions are still served.</summary>
    /// <param name="cancellation">Cancels the wait.</param>
    Task StopAsync(CancellationToken cancellation);

    /// <summary>The back end of changes of its zones; null = they are changed elsewhere only.</summary>
    IZoneWriter? Writer => null;

    /// <summary>The origin of one of its zones.</summary>
    ZoneOrigin OriginOf(ZoneSlot slot);
}
