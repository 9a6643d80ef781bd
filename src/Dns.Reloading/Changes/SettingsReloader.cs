using Microsoft.Extensions.Logging;

namespace Dns.Reloading.Changes;

/// <summary>The result of a reload of the settings, or of a trial.</summary>
/// <param name="Problems">Errors of the settings; then nothing else was done.</param>
/// <param name="Notes">A line for each changed setting that needs a restart, and each warning about zone files.</param>
/// <param name="Zones">The result for zones; null with problems.</param>
public sealed record SettingsReloadResult(
    IReadOnlyList<string> Problems, IReadOnlyList<string> Notes, ZoneUpdateResult? Zones)
{
    /// <summary>For a trial: errors of the files that would be read; else null.</summary>
    public BrokenZones? Broken { get; init; }

    /// <summary>A line for each zone whose file was not taken, up to a limit.</summary>
    public IReadOnlyList<string> NotTaken { get; init; } = [];

    public SecondaryChanges Secondaries { get; init; } = SecondaryChanges.None;

    /// <summary>Changed settings that were applied.</summary>
    public IReadOnlyList<string> Changed { get; init; } = [];

    /// <summary>Maximum listed names of each kind; the text has the counts.</summary>
    private const int MaxNames = 1000;

    /// <summary>The results for zones of files and of primaries. Not with problems.</summary>
    public ReloadReport ToReport(bool isTrial) => new(
        isTrial, Names([.. Zones!.Added, .. Secondaries.Added]), Names([.. Zones.Removed, .. Secondaries.Removed]),
        Names(Zones.Changed), Zones.Summary.Loaded + Zones.Summary.Failed,
        Broken?.Count ?? Zones.Summary.NotTaken, Notes)
    {
        Errors = Broken?.Lines ?? NotTaken,
        Settings = Changed,
        OtherPrimaries = Names(Secondaries.Moved),
    };

    private static IReadOnlyList<string> Names(IReadOnlyList<DomainName> zones) =>
        [.. zones.Take(MaxNames).Select(zone => zone.ToString())];
}

/// <summary>Rereads the settings and applies those that can change at runtime; with any error, none.</summary>
public sealed class SettingsReloader
{
    /// <summary>Maximum lines about zones whose files were not taken; the log has all.</summary>
    private const int MaxNotTaken = 20;

    private readonly SettingsArguments _arguments;
    private readonly ConfiguredZones _sources;
    private readonly ZoneReloader _zones;
    private readonly ILiveSettings _live;
    private readonly LogLevels _levels;
    private readonly ZoneStatusReader _status;
    private readonly IReloadObserver _observer;
    private readonly ILogger<SettingsReloader> _logger;
    private readonly Dictionary<string, string?> _started;
    private Dictionary<string, string?> _taken;
    private IReadOnlyList<TsigKey> _keys;

    public SettingsReloader(
        SettingsArguments arguments, Settings settings, ConfiguredZones sources, ZoneReloader zones, ILiveSettings live,
        LogLevels levels, ZoneStatusReader status, IReloadObserver observer, ILogger<SettingsReloader> logger)
    {
        (_arguments, _sources, _zones, _live, _levels) = (arguments, sources, zones, live, levels);
        (_status, _observer, _logger) = (status, observer, logger);
        _started = _taken = SettingsDifference.Flatten(settings.Configuration);
        _keys = settings.Options.TsigKeys;
        File = settings.File is null ? null : Path.GetFullPath(settings.File);
    }

    /// <summary>The settings file; null = none.</summary>
    public string? File { get; }

    /// <summary>The errors with which the last reload was refused, other than a trial; none if it was not.</summary>
    public IReadOnlyList<string> Refusal { get; private set; } = [];

    /// <summary>Rereads the settings; a trial changes nothing.</summary>
    public SettingsReloadResult Reload(bool isTrial, CancellationToken cancellation)
    {
        if (!isTrial)
        {
            _logger.ReloadBegins();
            _observer.OnReloading();
        }
        try
        {
            Reading reading;
            lock (_zones.ScanLock) reading = Begin(isTrial, cancellation);
            return reading.Zones is null ? reading.Result : Finish(reading, reading.Zones, isTrial, cancellation);
        }
        finally
        {
            if (!isTrial) _observer.OnServing(_status.ReadTotals());
        }
    }

    /// <summary>
    /// Follows what another process, which this one replaces and which has ended, was given since the settings were
    /// read here: zones added and removed by command, and edited settings.
    /// </summary>
    public void CatchUp(CancellationToken cancellation)
    {
        if (_sources.CatchUp() || IsEdited()) Reload(isTrial: false, cancellation);
    }

    private bool IsEdited()
    {
        Settings settings = SettingsReader.Read(_arguments, Environment.GetEnvironmentVariables());
        return settings.Problems.Count == 0
            && (FindChanges(settings, _taken, areLive: true).Any() || FindChangedSecrets(settings.Options).Length > 0);
    }

    /// <summary>An accepted reload, with the zones still to be read.</summary>
    private readonly record struct Reading(SettingsReloadResult Result, ZoneExpansion? Files,
        Task<ZoneUpdateResult>? Zones);

    private Reading Begin(bool isTrial, CancellationToken cancellation)
    {
        Settings settings = SettingsReader.Read(_arguments, Environment.GetEnvironmentVariables());
        ZoneExpansion? files = settings.Problems.Count > 0 ? null : _sources.Expand(settings.Options.Zones);
        string[] problems =
        [
            .. settings.Problems.Concat(files?.Problems ?? []).Select(problem => problem.ToString()),
        ];
        if (!isTrial) Refusal = problems;
        if (problems.Length > 0)
        {
            if (!isTrial) LogErrors(problems);
            return new Reading(new SettingsReloadResult(problems, [], null), null, null);
        }
        List<string> notes = FindRestartRequired(settings);
        Dictionary<string, string?> now = SettingsDifference.Flatten(settings.Configuration);
        string[] changed =
        [
            .. FindChanges(settings, _taken, areLive: true).Union(FindChangedSecrets(settings.Options))
                .Where(key => !notes.Any(note => IsAbout(note, key))),
        ];
        SettingWarning[] warnings = [.. settings.Warnings, .. _live.FindWarnings(settings.Options, files!)];
        SecondaryChanges secondaries = _live.FindSecondaries(settings.Options);
        if (!isTrial)
        {
            foreach (string note in notes) _logger.SettingWaits(note);
            files!.WriteTo(_logger);
            Apply(settings);
            (_taken, _keys) = (now, settings.Options.TsigKeys);
            _logger.LogWarnings(warnings);
            foreach (string setting in changed) _logger.SettingChanged(setting);
        }
        ZoneUpdate update = new() { ReadsFailed = true, IsTrial = isTrial };
        notes.AddRange(warnings.Select(warning => warning.ToString()));
        SettingsReloadResult result =
            new([], [.. notes, .. files!.Notes], null) { Changed = changed, Secondaries = secondaries };
        Task<ZoneUpdateResult> updated = _zones.UpdateAsync(files, update, cancellation);
        if (!isTrial) _live.OnZonesChanged();
        return new Reading(result, files, updated);
    }

    private SettingsReloadResult Finish(Reading reading, Task<ZoneUpdateResult> updated, bool isTrial,
        CancellationToken cancellation)
    {
        ZoneUpdateResult zones = updated.GetAwaiter().GetResult();
        if (!isTrial)
        {
            _live.OnZonesRead();
            _logger.SettingsTakenOver();
        }
        return reading.Result with
        {
            Zones = zones,
            Broken = isTrial ? _zones.Try(reading.Files!.Files, zones, cancellation) : null,
            NotTaken = zones.Summary.NotTaken > 0 ? DescribeFailures([.. zones.Added, .. zones.Changed]) : [],
        };
    }

    private string[] DescribeFailures(IEnumerable<DomainName> zones) =>
        [.. zones.Select(_status.Find).Where(slot => slot?.SourceFailure is not null).Take(MaxNotTaken)
            .Select(slot => $"zone {slot!.Name}: {slot.SourceFailure}")];

    private void LogErrors(string[] problems)
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

    /// <summary>The keys, if the secret in a file changed under the same path.</summary>
    private string[] FindChangedSecrets(ServerOptions options)
    {
        bool isSame = _keys.Count == options.TsigKeys.Count &&
            _keys.Zip(options.TsigKeys).All(pair => pair.First.IsSame(pair.Second));
        return isSame ? [] : ["Dns:TsigKeys"];
    }

    /// <summary>Settings that differ from those of the start, and need a restart.</summary>
    private List<string> FindRestartRequired(Settings settings)
    {
        List<string> notes = [.. _live.FindRestartRequired(settings.Options)];
        foreach (string key in FindChanges(settings, _started, areLive: false))
            notes.Add($"{key} has changed: that takes effect at the next start");
        return notes;
    }

    private static IEnumerable<string> FindChanges(
        Settings now, Dictionary<string, string?> before, bool areLive) => SettingsDifference.Find(
            now.Declared, before, SettingsDifference.Flatten(now.Configuration), areLive);

    private static bool IsAbout(string note, string key) => note.StartsWith(key + " ", StringComparison.Ordinal);
}
