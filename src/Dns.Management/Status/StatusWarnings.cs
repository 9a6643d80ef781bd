namespace Dns.Management.Status;

/// <summary>A warning for the operator.</summary>
/// <param name="IsError">Whether clients get wrong answers or none, or the program has a bug.</param>
/// <param name="Text">The warning, in one line.</param>
/// <param name="Details">The affected objects; a line each.</param>
public sealed record StatusWarning(bool IsError, string Text, IReadOnlyList<string> Details)
{
    private const int MostDetails = 5;

    public string Severity => IsError ? "error" : "warning";

    /// <summary>A warning about zones, the first ones named.</summary>
    /// <param name="text">What is the matter, after the number of zones.</param>
    /// <param name="zones">A line for each.</param>
    public static StatusWarning OfZones(bool isError, int count, string text, IEnumerable<string> zones) => new(
        isError, $"{Counted.Of(count, "zone")} {text}",
        [.. zones.Order(StringComparer.Ordinal).Take(MostDetails), .. More(count)]);

    /// <summary>A line for those that are not named; none if all are.</summary>
    public static IEnumerable<string> More(int count) =>
        count > MostDetails ? [$"and {count - MostDetails:N0} more"] : [];
}

/// <summary>Collects the warnings; errors first.</summary>
public sealed class StatusWarnings(ServerSources sources, Liveness liveness, IFeatureStatus features)
{
    private const int MostDetails = 5;

    /// <summary>Reads them; losses before the last <paramref name="hour"/> are not reported.</summary>
    public IReadOnlyList<StatusWarning> Read(ZoneTotals totals, HistoryFigures hour)
    {
        List<StatusWarning> warnings = [];
        if (liveness.Problem is { } problem) warnings.Add(new(true, problem, []));
        AddZones(warnings, totals);
        warnings.AddRange(features.FindWarnings());
        AddLosses(warnings, hour);
        foreach (FileFault fault in sources.LogFaults)
            warnings.Add(new(false, $"file of the log not opened at the start: {fault}", []));
        if (sources.ReloadRefusal() is { Count: > 0 } refusal)
            warnings.Add(new(false,
                $"settings not reloaded, those from before are in force, and a start would fail: {refusal[0]}",
                [.. refusal.Take(MostDetails), .. StatusWarning.More(refusal.Count)]));
        string[] faults =
            [.. (sources.Exceptions?.Counts ?? []).Where(one => one.Count > 0)
                .Select(one => $"{one.Loop}: {one.Count:N0}")];
        if (faults.Length > 0)
            warnings
                .Add(new(true, "unexpected exceptions since the start; event D190 of the log has the cause", faults));
        return [.. warnings.OrderByDescending(warning => warning.IsError)];
    }

    private void AddZones(List<StatusWarning> warnings, ZoneTotals totals)
    {
        if (totals.Failed > 0)
            warnings.Add(new(true, $"{Counted.Of(totals.Failed, "zone")} broken: queries get SERVFAIL",
                NamesOf(totals.Failed, zone => zone.State == ZoneState.Failed)));
        if (totals.Expired > 0)
            warnings.Add(new(true, $"{Counted.Of(totals.Expired, "zone")} expired: queries get SERVFAIL",
                NamesOf(totals.Expired, zone => zone.State == ZoneState.Expired)));
        if (totals.Stale > 0)
            warnings.Add(new(true,
                $"{Counted.Of(totals.Stale, "zone")} served from old data: the latest has errors, is not transferred or cannot be signed",
                NamesOf(totals.Stale, zone => zone.State == ZoneState.Stale)));
        DateTimeOffset now = sources.Zones.Now;
        if (totals.SignaturesExpired > 0)
            warnings.Add(
                new(true,
                    $"{Counted.Of(totals.SignaturesExpired, "zone")} with expired signatures: validators reject " +
                        $"the answers",
                NamesOf(totals.SignaturesExpired, zone => SignatureFault.Of(zone, now) is { IsExpired: true })));
        if (totals.SignaturesFaulty > 0)
            warnings.Add(new(false,
                $"{Counted.Of(totals.SignaturesFaulty, "zone")} signed, with faults for validating " +
                    $"resolvers",
                NamesOf(totals.SignaturesFaulty, zone => SignatureFault.Of(zone, now) is { IsExpired: false })));
        IReadOnlyList<ZoneConflict> conflicts = sources.Zones.Conflicts;
        if (conflicts.Count > 0)
            warnings.Add(
                new(false, $"{Counted.Of(conflicts.Count, "zone")} of another source not served: the name is taken",
                [.. conflicts.Take(MostDetails).Select(conflict => conflict.ToString()),
                    .. StatusWarning.More(conflicts.Count)]));
        string[] missing = [.. sources.ZoneDirectories().Where(path => !Directory.Exists(path))];
        if (missing.Length > 0)
            warnings.Add(new(false, "zone directories missing: their zones are served as they were last read",
                [.. missing.Take(MostDetails), .. StatusWarning.More(missing.Length)]));
        if (totals.Loading > 0) warnings.Add(new(false, $"{Counted.Of(totals.Loading, "zone")} still loading", []));
    }

    private List<string> NamesOf(int count, Func<ZoneSlot, bool> isMeant)
    {
        ZonePage first = ZonePage.Of(sources.Zones.Zones.Where(isMeant), MostDetails, sources.Zones.Now);
        return [.. first.Zones.Select(zone => $"{zone.Name} {zone.Failure ?? zone.SignatureFault}".TrimEnd()),
            .. StatusWarning.More(count)];
    }

    private void AddLosses(List<StatusWarning> warnings, HistoryFigures hour)
    {
        if (hour.KernelDrops > 0)
            warnings.Add(new(true, $"{Counted.Of(hour.KernelDrops, "datagram")} dropped by the kernel in the last hour "
                + $"({sources.ReadUdp().KernelDrops:N0} since the start): a receive buffer was full", []));
        if (hour.LostRecords > 0)
            warnings.Add(new(false,
                $"{Counted.Of(hour.LostRecords, "record")} of answers lost in the last hour; "
                    + "event D705 of the log has the reason",
            [
                .. sources.Recorders.Where(one => one.Recorder.Lost > 0)
                    .Select(one => $"{one.Name}: {one.Recorder.Lost:N0} since the start"),
            ]));
    }
}
