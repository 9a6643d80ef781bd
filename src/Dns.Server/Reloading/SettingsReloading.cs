using Dns.Providers;
using Microsoft.Extensions.Logging;

namespace Dns.Server;

/// <summary>What a reload of the settings did, or would do.</summary>
/// <param name="Problems">What is wrong with the settings; then nothing else was done.</param>
/// <param name="Notes">
/// A line for each setting that differs and has to wait for the next start, and for what is doubtful about zone files.
/// </param>
/// <param name="Zones">What became of the zones; null with problems.</param>
internal sealed record SettingsReloadResult(
    IReadOnlyList<string> Problems, IReadOnlyList<string> Notes, ZoneUpdateResult? Zones)
{
    /// <summary>Of a trial: what is wrong with the files that would be read; else null.</summary>
    public BrokenZones? Broken { get; init; }

    /// <summary>Settings that differ from those before, and are in force now.</summary>
    public IReadOnlyList<string> Changed { get; init; } = [];
}

/// <summary>
/// Reads the settings again and lets those take effect that can while the server runs. Settings with anything wrong in
/// them change nothing at all.
/// </summary>
internal sealed class SettingsReloading
{
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
    private Dictionary<string, string?> _taken;

    public SettingsReloading(
        SettingsArguments arguments, Settings settings, ZoneSources sources, ZoneReloading zones, LiveSettings live,
        LogLevels levels, MasterFileProvider provider, ServiceReports reports, ILogger<SettingsReloading> logger)
    {
        (_arguments, _sources, _zones, _live, _levels) = (arguments, sources, zones, live, levels);
        (_provider, _reports, _logger) = (provider, reports, logger);
        _started = _taken = SettingsDifference.Flatten(settings.Configuration);
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
        Dictionary<string, string?> now = SettingsDifference.Flatten(settings.Configuration);
        string[] changed = [.. SettingsDifference.Find(_taken, now, areLive: true).Where(key => !notes.Any(note => IsAbout(note, key)))];
        if (!isTrial)
        {
            foreach (string note in notes) _logger.SettingWaits(note);
            files!.WriteTo(_logger);
            Apply(settings);
            _taken = now;
            foreach (string setting in changed) _logger.SettingChanged(setting);
        }
        ZoneUpdate update = new() { ReadsFailed = true, IsTrial = isTrial };
        ZoneUpdateResult zones = _zones.Update(files!.Files, update, cancellation);
        if (!isTrial) _logger.SettingsTakenOver();
        return new SettingsReloadResult([], [.. notes, .. files.Empty, .. files.Odd, .. files.Changed], zones)
        {
            Changed = changed,
            Broken = isTrial ? _zones.Try(files.Files, zones, cancellation) : null,
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
        Dictionary<string, string?> now = SettingsDifference.Flatten(settings.Configuration);
        IEnumerable<string> waiting = SettingsDifference.Find(_started, now, areLive: false);
        notes.AddRange(waiting.Select(key => $"{key} has changed: that takes effect at the next start"));
        return notes;
    }

    private static bool IsAbout(string note, string key) => note.StartsWith(key + " ", StringComparison.Ordinal);
}
