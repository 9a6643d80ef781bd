namespace Dns.Reloading;

/// <summary>
/// The settings that can change at runtime, except zones of files and the log. The server implements it, since only the
/// server knows the parts that the settings are for. Called by one thread at a time.
/// </summary>
public interface ILiveSettings
{
    /// <summary>Changes that are not possible at runtime in this case, a line each.</summary>
    IEnumerable<string> FindRestartRequired(ServerOptions options);

    /// <summary>What is permitted and may not be meant, as far as it depends on the files of zones.</summary>
    IEnumerable<SettingWarning> FindWarnings(ServerOptions options, ZoneExpansion zones);

    /// <summary>The effect on secondary zones.</summary>
    SecondaryChanges FindSecondaries(ServerOptions options);

    /// <summary>Applies settings without errors.</summary>
    void Apply(ServerOptions options);

    /// <summary>Applies the part that depends on zones, after those of the settings were applied.</summary>
    void OnZonesChanged();

    /// <summary>Called after changed zones were read.</summary>
    void OnZonesRead();
}
