namespace Dns.Server.Hosting.Services;

/// <summary>The files that a server and its successor both use during a takeover.</summary>
internal sealed class SharedFiles(
    Secondaries secondaries, CatalogZones catalogs, SigningSetup signing, SettingsReloader settings,
    ZoneReloader zones, CacheFile? cache = null, DynamicZones? updates = null,
    Handover? handover = null)
{
    /// <summary>Before a successor starts reading.</summary>
    public void Save() => cache?.Save();

    /// <summary>The successor answers: this server leaves the files to it.</summary>
    public void HandOver() => signing.HandOver();

    /// <summary>The server before has ended: follows its changes since the zones were read here.</summary>
    public async Task CatchUpAsync(CancellationToken cancellation)
    {
        handover?.Complete();
        IReadOnlyList<DomainName> written = updates?.CatchUp() ?? [];
        secondaries.Source.CatchUp();
        catalogs.CatchUp();
        if (written.Count > 0) await zones.ReloadAsync(written, cancellation).ConfigureAwait(false);
    }

    /// <summary>The same for what commands and the settings say.</summary>
    public void CatchUpSettings(CancellationToken cancellation) => settings.CatchUp(cancellation);
}
