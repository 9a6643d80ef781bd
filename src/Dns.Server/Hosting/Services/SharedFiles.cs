namespace Dns.Server.Hosting.Services;

/// <summary>The files that a server and its successor both use during a takeover.</summary>
internal sealed class SharedFiles(
    FeatureSet features, SettingsReloader settings, ZoneReloader zones, Handover handover)
{
    /// <summary>Before a successor starts reading.</summary>
    public void Save() => features.ForEach(static feature => feature.OnSuccessor());

    /// <summary>The successor answers: this server leaves the files to it.</summary>
    public void HandOver() => features.ForEach(static feature => feature.HandOver());

    /// <summary>The server before has ended: follows its changes since the zones were read here.</summary>
    public async Task CatchUpAsync(CancellationToken cancellation)
    {
        handover.Complete();
        DomainName[] written = [.. features.All.SelectMany(feature => feature.CatchUp())];
        if (written.Length > 0) await zones.ReloadAsync(written, cancellation).ConfigureAwait(false);
    }

    /// <summary>The same for what commands and the settings say.</summary>
    public void CatchUpSettings(CancellationToken cancellation) => settings.CatchUp(cancellation);
}
