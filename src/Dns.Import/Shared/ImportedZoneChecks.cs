namespace Dns.Import.Shared;

/// <summary>Reads files of imported zones: what is not loaded, or lacks its proofs, blocks the move.</summary>
internal sealed class ImportedZoneChecks : IZoneLoadObserver
{
    private readonly Lock _lock = new();
    private readonly Dictionary<DomainName, (bool IsSigned, string? Error, IReadOnlyList<string> Includes)> _outcomes =
        [];

    /// <summary>Reads every file that is there, and reports in the order of the zones.</summary>
    public static void Run(ImportedSettings settings, string folder)
    {
        ImportedZoneChecks checks = new();
        int Limit(string path, int otherwise) => settings.Values.GetValueOrDefault(path) as int? ?? otherwise;
        ZoneLimits limits = new(
            Limit("MaxRecordsPerType", ZoneLimits.Default.RecordsPerType),
            Limit("MaxTypesPerName", ZoneLimits.Default.TypesPerName));
        List<ZoneFile> files =
        [
            .. settings.Zones.Where(zone => zone.File is not null)
                .Select(zone => (zone.Name, Path: Path.GetFullPath(zone.File!, folder)))
                .Where(zone => File.Exists(zone.Path)).Select(zone => ZoneFile.At(zone.Name, zone.Path)),
        ];
        if (files.Count > 0)
            ZoneFileReading.Read(files, Environment.ProcessorCount, checks, CancellationToken.None, limits: limits);
        foreach (ImportedZone zone in settings.Zones.Where(zone => zone.File is not null))
            checks.Report(settings, zone, folder);
    }

    private void Report(ImportedSettings settings, ImportedZone zone, string folder)
    {
        ImportDiagnostics diagnostics = settings.Diagnostics;
        string subject = $"zone {zone.Text}";
        if (!_outcomes.TryGetValue(zone.Name, out var outcome))
            diagnostics.Change(zone.Statement, subject, "its file is not found here, and not checked",
                ImportLimit.OfImporter);
        else if (outcome.Error is { } error)
            diagnostics.Block(zone.Statement, $"{subject}: {error}", "its file has errors; dnsd zone check lists them",
                ImportLimit.None);
        else if (outcome.IsSigned)
            diagnostics.Block(zone.Statement, subject,
                "it is signed and has no NSEC or NSEC3 records for negative answers and referrals, validating " +
                    "resolvers reject them");
        if (settings.IncludeFolder is { } directory && outcome.Includes is { Count: > 0 } includes)
            ImportedIncludes.Report(diagnostics, subject, directory,
                includes.Prepend(Path.GetFullPath(zone.File!, folder)));
    }

    public void OnProgress(DomainName zone, string origin, long records)
    {
    }

    public void OnRead(DomainName zone, string origin, ZoneLoadResult result, Zone? before)
    {
        string? error = result.Zone is not null ? null
            : result.Diagnostics.FirstOrDefault(found => found.Severity == Severity.Error)?.ToString() ?? "not read";
        lock (_lock) _outcomes[zone] = (result.Zone is { IsSigned: true, Denial: null }, error, result.Includes);
    }

    public void OnCrash(DomainName zone, string origin, Exception error)
    {
        lock (_lock) _outcomes[zone] = (false, error.Message.ReplaceLineEndings(" "), []);
    }
}
