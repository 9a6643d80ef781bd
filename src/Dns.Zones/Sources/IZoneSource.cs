using Dns.Protocol;

namespace Dns.Zones;

/// <summary>
/// Something that zones come from: files, a database, another server. It claims names in a <see cref="ZoneRegistry"/>, each with a
/// <see cref="ZoneSlot"/>, and publishes versions into its slots, whether or not it is the one that is served. Its methods are thread-safe.
/// </summary>
public interface IZoneSource
{
    /// <summary>
    /// Claims the zones that are known, and brings their data. The claims stand when the call returns; the task ends when each
    /// zone has data or a reason why it has none. Called once.
    /// </summary>
    /// <param name="registry">Receives the claims.</param>
    /// <param name="observer">Told about each zone that is loaded.</param>
    /// <param name="cancellation">Ends the loading; zones without data yet stay so.</param>
    /// <returns>What was loaded.</returns>
    Task<ZoneLoadSummary> StartAsync(ZoneRegistry registry, IZoneLoadObserver observer, CancellationToken cancellation);

    /// <summary>Brings the data of some zones again, whether or not it has changed. No other zone waits for it.</summary>
    /// <param name="zones">The zones; those that are not of this source are left out.</param>
    /// <param name="observer">Told about each zone that is loaded.</param>
    /// <param name="cancellation">Ends the loading; the other zones keep their data.</param>
    /// <returns>What was loaded.</returns>
    Task<ZoneLoadSummary> ReloadAsync(
        IReadOnlyCollection<DomainName> zones, IZoneLoadObserver observer, CancellationToken cancellation);

    /// <summary>Ends what runs in the background. What is published is served on.</summary>
    /// <param name="cancellation">Ends the wait for it.</param>
    Task StopAsync(CancellationToken cancellation);

    /// <summary>Where one of its zones comes from.</summary>
    ZoneOrigin OriginOf(ZoneSlot slot);
}
