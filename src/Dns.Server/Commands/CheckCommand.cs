using System.CommandLine;

namespace Dns.Server.Commands;

/// <summary><c>dnsd check</c>: checks settings and all zones without serving them.</summary>
internal static class CheckCommand
{
    public static Command Create(IReadOnlyList<string> overrides)
    {
        Command command = new("check", "Checks the settings and every zone.");
        SettingsOptions settings = new(overrides);
        settings.AddTo(command);
        Option<bool> elsewhere = new("--other-machine")
        {
            Description = "The settings are for another machine: a state directory that this one lacks is a warning.",
        };
        command.Add(elsewhere);
        command.SetAction(result => Check(settings.Read(result), result.GetValue(elsewhere),
            result.InvocationConfiguration.Output, result.InvocationConfiguration.Error));
        return command;
    }

    private static int Check(SettingsArguments arguments, bool isElsewhere, TextWriter output, TextWriter errors)
    {
        System.Collections.IDictionary environment = Environment.GetEnvironmentVariables();
        Settings settings = SettingsReader.Read(arguments, environment);
        output.WriteLine($"settings: {settings.Source}");
        ConfiguredZones sources = ConfiguredZones.Of(arguments, settings, environment, TimeProvider.System);
        string? state = sources.Load(out _);
        ZoneExpansion zones = sources.Expand(settings.Options.Zones);
        SettingDiagnostic[] lacking =
        [
            .. StartDiagnostics.FindMissingState(settings),
            .. StartDiagnostics.FindUnusableState(settings, sources.StateDirectory),
        ];
        SettingDiagnostic[] found =
        [
            .. settings.Problems, .. StartDiagnostics.Find(settings), .. isElsewhere ? [] : lacking, .. zones.Problems,
            .. FileClashes.Find(settings, zones, sources.StateFile),
        ];
        foreach (SettingDiagnostic problem in found) errors.WriteLine(problem);
        foreach (SettingDiagnostic lack in isElsewhere ? lacking : [])
            errors.WriteLine(new SettingWarning(lack.Location, false, lack.Message));
        foreach (SettingWarning warning in settings.Warnings
            .Concat(ServerFeatures.All.FindWarnings(settings.Options, zones)))
            errors.WriteLine(warning);
        foreach (string line in zones.Unnamed) errors.WriteLine("dnsd: error: " + line);
        foreach (string line in zones.Empty.Concat(zones.NameWarnings)) errors.WriteLine(line);
        foreach (string line in zones.Conflicts) errors.WriteLine("dnsd: warning: " + line);
        ZoneCheckOutput checks = new(errors, now: TimeProvider.System.GetUtcNow());
        foreach (string line in zones.Changed.Concat(zones.Overruled))
            errors.WriteLine($"{sources.StateFile}: warning: {line}");
        // A user without access to the state directory can check the rest.
        bool isHidden = state == KeptZonesFile.PermissionDenied;
        if (isHidden)
            errors.WriteLine(
                $"{sources.StateFile}: warning: permission denied: zones that commands have added are not checked");
        else if (state is not null) errors.WriteLine($"{sources.StateFile}: error: {state}");
        WriteOfState(settings.Options, zones, sources.StateDirectory, errors);
        string? log = LogTrial.Find(settings, out string? untried);
        if (untried is not null) errors.WriteLine($"{settings.File ?? "command line"}: warning: {untried}");
        if (log is not null) errors.WriteLine(log);
        else if (found.Length == 0)
            foreach (string line in StartDiagnostics.FindWarnings(settings.Options, zones))
                errors.WriteLine($"{settings.File ?? "command line"}: warning: {line}");
        ZoneFileReading.Read(zones.Files, settings.Options.WorkerCount, checks, CancellationToken.None,
            limits: settings.Options.ZoneLimits);
        int problems = found.Length + zones.Unnamed.Count
            + (log is null ? 0 : 1) + (state is null || isHidden ? 0 : 1);
        checks.WriteZones(zones.Files, output);
        foreach (ZoneOptions zone in settings.Options.Zones) WriteWithoutFile(zone, output);
        output.WriteLine($"settings: {Counted.Of(problems, "problem")}");
        output.WriteLine($"zones: {checks.Good:N0} good with {Counted.Of(checks.Records, "record")} and "
            + $"{Counted.Of(checks.Warnings, "warning")}, {checks.Bad:N0} bad");
        return problems == 0 && checks.Bad == 0 ? ExitCode.Good : ExitCode.Bad;
    }

    /// <summary>Warns of a state directory that cannot be written to, and of keys that cannot be used.</summary>
    private static void WriteOfState(
        ServerOptions options, ZoneExpansion zones, string? directory, TextWriter errors)
    {
        if (StateTrial.Find(options, directory) is { } reason) errors.WriteLine($"{directory}: warning: {reason}");
        foreach (string line in StoredKeyCheck.Find(options, zones, directory, TimeProvider.System))
            errors.WriteLine($"{directory}: warning: {line}");
    }

    /// <summary>Reports the source of a zone without a file.</summary>
    private static void WriteWithoutFile(ZoneOptions zone, TextWriter output)
    {
        if (zone.Role == ZoneRole.Secondary)
            output.WriteLine($"zone {zone.Name}: secondary of {string.Join(", ", zone.Primaries)}");
        else if (zone.Path is null) output.WriteLine($"zone {zone.Name}: a catalog that is made here");
    }
}
