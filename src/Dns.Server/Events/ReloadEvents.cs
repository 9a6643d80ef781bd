using Microsoft.Extensions.Logging;

namespace Dns.Server;

/// <summary>Events 301 to 399: settings that are read again, and the watch over zone files.</summary>
internal static partial class ReloadEvents
{
    /// <summary>SIGHUP or <c>dnsd reload</c>.</summary>
    [LoggerMessage(301, LogLevel.Information, "Reading the settings and changed zones again")]
    public static partial void ReloadBegins(this ILogger logger);

    /// <summary>The new settings are in force, but for those that a line before names.</summary>
    [LoggerMessage(302, LogLevel.Information, "The settings are taken over")]
    public static partial void SettingsTakenOver(this ILogger logger);

    /// <summary>What is wrong in the settings, and where.</summary>
    [LoggerMessage(303, LogLevel.Error, "{Problem}")]
    public static partial void SettingWrong(this ILogger logger, string problem);

    /// <summary>Settings with anything wrong in them change nothing at all: mend what the lines before name, then reload.</summary>
    [LoggerMessage(304, LogLevel.Error, "The settings are not taken over: everything goes on as before")]
    public static partial void SettingsNotTakenOver(this ILogger logger);

    /// <summary>A changed setting that the running server cannot take over.</summary>
    [LoggerMessage(305, LogLevel.Warning, "{Note}")]
    public static partial void SettingWaits(this ILogger logger, string note);

    /// <summary>A fault of the server: please report it.</summary>
    [LoggerMessage(306, LogLevel.Error, "The reload failed: everything goes on as before")]
    public static partial void ReloadFailed(this ILogger logger, Exception error);

    /// <summary>A flood of changes; nothing is missed.</summary>
    [LoggerMessage(307, LogLevel.Warning, "More zone files have changed than the system could tell: looking at all of them")]
    public static partial void TooManyChanges(this ILogger logger);

    /// <summary>A directory with zone files is gone or may not be read; its zones are served on.</summary>
    [LoggerMessage(308, LogLevel.Error, "{Directory} cannot be watched ({Problem}): trying again until it can")]
    public static partial void DirectoryNotWatched(this ILogger logger, string directory, string problem);

    /// <summary>Changes are found by looking, a few seconds late.</summary>
    [LoggerMessage(309, LogLevel.Warning, "Zone files are looked at every {Seconds} s: {Why}")]
    public static partial void Polling(this ILogger logger, double seconds, string why);

    /// <summary>A live setting differs from before. Its value is not said: it may be a secret.</summary>
    [LoggerMessage(310, LogLevel.Information, "{Setting} has changed: that is in force")]
    public static partial void SettingChanged(this ILogger logger, string setting);

    /// <summary>A setting is permitted and may not be meant, at a start or a reload; <c>dnsd check</c> shows it, too.</summary>
    [LoggerMessage(311, LogLevel.Warning, "{Place}: {Message}")]
    public static partial void SettingDoubtful(this ILogger logger, SettingPlace place, string message);

    /// <summary>Logs what of the settings is worth a warning.</summary>
    public static void SettingsDoubtful(this ILogger logger, Settings settings)
    {
        foreach (SettingDoubt doubt in settings.Doubts)
            if (!doubt.IsNote) logger.SettingDoubtful(doubt.Place, doubt.Message);
    }
}
