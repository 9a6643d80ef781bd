namespace Dns.Features;

/// <summary>What is known of a kind of feature before it is made, for <c>dnsd check</c> as well.</summary>
public interface IFeature
{
    /// <summary>Makes it. Features that stand above it in the list are there: <see cref="ServerParts.Get"/>.</summary>
    static abstract Feature Create(ServerParts parts);

    /// <summary>Its settings. Reading them must not load what only a server uses.</summary>
    static virtual IEnumerable<Setting> Settings => [];

    /// <summary>Problems of its settings with each other or with the machine, which prevent a start.</summary>
    static virtual IEnumerable<SettingProblem> Check(Settings settings) => [];

    /// <summary>What is permitted and may not be meant, as far as it depends on the files of zones.</summary>
    static virtual IEnumerable<SettingWarning> FindWarnings(ServerOptions options, ZoneExpansion zones) => [];

    /// <summary>Files of the settings that it writes.</summary>
    static virtual IEnumerable<WrittenFile> FindFiles(ServerOptions options) => [];
}

/// <summary>A problem of a setting.</summary>
/// <param name="Key">The setting: <c>Dns:Cache:MaxBytes</c>.</param>
/// <param name="Message">What is wrong, and what is expected.</param>
public readonly record struct SettingProblem(string Key, string Message);
