namespace Dns.Zones.Checks;

/// <summary>Checks of a zone without a file: diagnostics have no lines, a bounded number of each severity.</summary>
public sealed class ZoneReview
{
    private ZoneReview(List<string> errors, List<string> warnings) => (Errors, Warnings) = (errors, warnings);

    /// <summary>Errors, for which the zone cannot be served.</summary>
    public IReadOnlyList<string> Errors { get; }

    /// <summary>Warnings.</summary>
    public IReadOnlyList<string> Warnings { get; }

    /// <summary>Checks a zone from a primary; data below a DNAME, which other servers serve, is a warning.</summary>
    public static ZoneReview Of(Zone zone, IReadOnlyList<ZoneBuildDiagnostic> notes, ZoneLimits limits)
    {
        List<string> errors = [], warnings = [];
        string apex = NameText.ToText(zone.Apex);
        if (!zone.ApexNode.TryFind(RRType.SOA, out RRset soa) || soa.Count != 1)
            errors.Add($"found no SOA at {apex}, expected one");
        if (!zone.ApexNode.TryFind(RRType.NS, out _))
            warnings.Add($"found no NS at the apex {apex}, expected at least one");
        if (zone.ApexNode.TryFind(RRType.DS, out _))
            errors.Add($"found a DS at the apex {apex}, expected it in the parent zone");
        NodeDiagnostics found = ZoneChecks.Find(zone, notes, limits, isComplete: true, belowDname: Severity.Warning);
        foreach (NodeDiagnostic diagnostic in found.Kept)
            (diagnostic.Severity == Severity.Error ? errors : warnings).Add(diagnostic.Message);
        return new ZoneReview(errors, warnings);
    }
}
