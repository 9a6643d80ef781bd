using Dns.Providers;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Logging;

namespace Dns.Server;

/// <summary>What a reload of the settings did, or would do.</summary>
/// <param name="Problems">What is wrong with the settings; then nothing else was done.</param>
/// <param name="Notes">
/// A line for each setting that differs and has to wait for the next start, and for each directory without zones.
/// </param>
/// <param name="Zones">What became of the zones; null with problems.</param>
internal sealed record SettingsReloadResult(
    IReadOnlyList<string> Problems, IReadOnlyList<string> Notes, ZoneUpdateResult? Zones)
{
    /// <summary>Of a trial: what is wrong with the files that would be read; else null.</summary>
    public BrokenZones? Broken { get; init; }
}

/// <summary>
/// Reads the settings again and lets those take effect that can while the server runs. Settings with anything wrong in
/// them change nothing at all.
/// </summary>
internal sealed class SettingsReloading
{
    /// <summary>Of the log its level takes effect at once; the settings below it included.</summary>
    private const string LiveLogSetting = "Serilog:MinimumLevel";

    private readonly SettingsArguments _arguments;
    private readonly ZoneSources _sources;
    private readonly ZoneReloading _zones;
    private readonly LiveSettings _live;
    private readonly LogLevels _levels;
    private readonly MasterFileProvider _provider;
    private readonly ServiceReports _reports;
    private readonly ILogger<SettingsReloading> _logger;
    private readonly Lock _reloading = new();
    private readonly Dictionary<string, string?> _started;

    public SettingsReloading(
        SettingsArguments arguments, Settings settings, ZoneSources sources, ZoneReloading zones, LiveSettings live,
        LogLevels levels, MasterFileProvider provider, ServiceReports reports, ILogger<SettingsReloading> logger)
    {
        (_arguments, _sources, _zones, _live, _levels) = (arguments, sources, zones, live, levels);
        (_provider, _reports, _logger) = (provider, reports, logger);
        _started = Flatten(settings.Configuration);
        File = settings.File is null ? null : Path.GetFullPath(settings.File);
    }

    /// <summary>The settings file; null = there is none.</summary>
    public string? File { get; }

    /// <summary>Reads the settings again.</summary>
    /// <param name="isTrial">Whether nothing is changed, only told.</param>
    /// <param name="cancellation">Ends the reading of zones early.</param>
    public SettingsReloadResult Reload(bool isTrial, CancellationToken cancellation)
    {
        lock (_reloading)
        {
            if (isTrial) return ReadAll(isTrial, cancellation);
            _logger.ReloadBegins();
            _reports.OnReloading();
            try
            {
                return ReadAll(isTrial, cancellation);
            }
            finally
            {
                _reports.OnServing(_provider.Served);
            }
        }
    }

    private SettingsReloadResult ReadAll(bool isTrial, CancellationToken cancellation)
    {
        lock (_zones.Listing) return ReadAgain(isTrial, cancellation);
    }

    private SettingsReloadResult ReadAgain(bool isTrial, CancellationToken cancellation)
    {
        Settings settings = SettingsReader.Read(_arguments, Environment.GetEnvironmentVariables());
        ZoneExpansion? files = settings.Problems.Count > 0 ? null : _sources.Expand(settings.Options.Zones);
        string[] problems = [.. settings.Problems.Concat(files?.Problems ?? []).Select(problem => problem.ToString())];
        if (problems.Length > 0)
        {
            if (!isTrial) TellProblems(problems);
            return new SettingsReloadResult(problems, [], null);
        }
        List<string> notes = FindWaiting(settings);
        if (!isTrial)
        {
            foreach (string note in notes) _logger.SettingWaits(note);
            foreach (string line in files!.Unnamed) _logger.ZoneDirectoryProblem(line);
            foreach (string line in files.Empty) _logger.ZoneDirectoryEmpty(line);
            Apply(settings);
        }
        ZoneUpdate update = new() { ReadsFailed = true, IsTrial = isTrial };
        ZoneUpdateResult zones = _zones.Update(files!.Files, update, cancellation);
        if (!isTrial) _logger.SettingsTakenOver();
        return new SettingsReloadResult([], [.. notes, .. files.Empty], zones)
        {
            Broken = isTrial ? ZoneReloading.Try(files.Files, zones, cancellation) : null,
        };
    }

    private void TellProblems(string[] problems)
    {
        foreach (string problem in problems) _logger.SettingWrong(problem);
        _logger.SettingsNotTakenOver();
    }

    private void Apply(Settings settings)
    {
        _live.Apply(settings.Options);
        _levels.Least = LogLevels.LevelOf(settings.Configuration);
        _sources.Use(settings.Options.Zones);
    }

    /// <summary>Settings that differ from those of the start, and cannot change while the server runs.</summary>
    private List<string> FindWaiting(Settings settings)
    {
        List<string> notes = [.. _live.FindWaiting(settings.Options)];
        Dictionary<string, string?> now = Flatten(settings.Configuration);
        HashSet<string> different = new(StringComparer.OrdinalIgnoreCase);
        foreach (string key in _started.Keys.Union(now.Keys, StringComparer.OrdinalIgnoreCase))
        {
            if (string.Equals(_started.GetValueOrDefault(key), now.GetValueOrDefault(key), StringComparison.Ordinal)) continue;
            if (!SettingsTable.IsLive(key) && !IsAtOrBelow(key, LiveLogSetting)) different.Add(WithoutIndexes(key));
        }
        notes.AddRange(different.Order().Select(key => $"{key} has changed: that takes effect at the next start"));
        return notes;
    }

    private static bool IsAtOrBelow(string key, string setting) =>
        key.StartsWith(setting, StringComparison.OrdinalIgnoreCase)
        && (key.Length == setting.Length || key[setting.Length] == ':');

    /// <summary>A list is one setting, whatever changes in it.</summary>
    private static string WithoutIndexes(string key)
    {
        string[] parts = key.Split(':');
        int index = Array.FindIndex(parts, part => int.TryParse(part, out _));
        return index < 0 ? key : string.Join(':', parts[..index]);
    }

    private static Dictionary<string, string?> Flatten(IConfiguration configuration) =>
        configuration.AsEnumerable().Where(pair => pair.Value is not null)
            .ToDictionary(pair => pair.Key, pair => pair.Value, StringComparer.OrdinalIgnoreCase);
}
