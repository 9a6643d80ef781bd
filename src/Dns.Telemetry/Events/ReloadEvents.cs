using Microsoft.Extensions.Logging;

namespace Dns.Telemetry.Events;

/// <summary>Events 301 to 399: settings that are read again, and the watch over zone files.</summary>
public static partial class ReloadEvents
{
    /// <summary>A reload has begun, by SIGHUP or <c>dnsd reload</c>.</summary>
    [LoggerMessage(301, LogLevel.Information, "Reading the settings and changed zones again")]
    public static partial void ReloadBegins(this ILogger logger);

    /// <summary>The new settings are in force, except those that earlier lines name.</summary>
    [LoggerMessage(302, LogLevel.Information, "The new settings are applied")]
    public static partial void SettingsTakenOver(this ILogger logger);

    /// <summary>An error in the settings, with its location.</summary>
    [LoggerMessage(303, LogLevel.Error, "{Problem}")]
    public static partial void SettingWrong(this ILogger logger, string problem);

    /// <summary>Settings with an error change nothing: correct what earlier lines name, then reload.</summary>
    [LoggerMessage(304, LogLevel.Error, "The new settings are not applied: nothing has changed")]
    public static partial void SettingsNotTakenOver(this ILogger logger);

    /// <summary>A changed setting that takes effect at the next start.</summary>
    [LoggerMessage(305, LogLevel.Warning, "{Note}")]
    public static partial void SettingWaits(this ILogger logger, string note);

    /// <summary>A defect of the server: please report it.</summary>
    [LoggerMessage(306, LogLevel.Error, "The reload failed: nothing has changed")]
    public static partial void ReloadFailed(this ILogger logger, Exception error);

    /// <summary>
    /// The kernel queue of file changes has overflowed; all zone files are checked, so that no change is lost.
    /// </summary>
    [LoggerMessage(307, LogLevel.Warning, "Events of changed zone files were lost: checking all files")]
    public static partial void TooManyChanges(this ILogger logger);

    /// <summary>A zone directory was removed or cannot be read; its zones are still served.</summary>
    [LoggerMessage(308, LogLevel.Error, "{Directory} cannot be watched ({Problem}): retrying")]
    public static partial void DirectoryNotWatched(this ILogger logger, string directory, string problem);

    /// <summary>Changes of zone files are found by polling, a few seconds late.</summary>
    [LoggerMessage(309, LogLevel.Warning, "Zone files are polled every {Seconds} s: {Why}")]
    public static partial void Polling(this ILogger logger, double seconds, string why);

    /// <summary>A setting has changed. Its value is not logged, as it may be secret.</summary>
    [LoggerMessage(310, LogLevel.Information, "{Setting} has changed and is applied")]
    public static partial void SettingChanged(this ILogger logger, string setting);

    /// <summary>
    /// A valid setting that may be a mistake, at a start or a reload; <c>dnsd check</c> prints it, too.
    /// </summary>
    [LoggerMessage(311, LogLevel.Warning, "{Location}: {Message}")]
    public static partial void SettingWarned(this ILogger logger, SettingLocation location, string message);

    /// <summary>The directory of D308 is back; its files are compared with the served zones.</summary>
    [LoggerMessage(312, LogLevel.Information, "{Directory} is watched again")]
    public static partial void DirectoryWatchedAgain(this ILogger logger, string directory);

    /// <summary>Logs the warnings of the settings.</summary>
    public static void LogWarnings(this ILogger logger, IEnumerable<SettingWarning> warnings)
    {
        foreach (SettingWarning warning in warnings)
            if (!warning.IsNote) logger.SettingWarned(warning.Location, warning.Message);
    }
}
