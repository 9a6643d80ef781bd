namespace Dns.Reloading;

/// <summary>Receives the progress of reloads, for the service manager. Thread-safe; does not throw.</summary>
public interface IReloadObserver
{
    /// <summary>A reload of the settings starts; <see cref="OnServing"/> follows, whatever its result.</summary>
    void OnReloading();

    /// <summary>All zones have been read.</summary>
    void OnServing(ZoneTotals zones);

    /// <summary>Zones were added, removed or changed.</summary>
    void OnChanged(ZoneStatusReader zones);
}
