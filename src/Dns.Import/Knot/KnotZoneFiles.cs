namespace Dns.Import.Knot;

/// <summary>Where the file of a primary zone of Knot DNS may lack changes, or is used otherwise than here.</summary>
internal static class KnotZoneFiles
{
    /// <param name="find">The statements of the zone and its template.</param>
    /// <param name="hasUpdates">Whether the zone is updated.</param>
    /// <returns>Whether the statement was reported.</returns>
    public static bool TryReport(ImportDiagnostics diagnostics, ConfigStatement statement, string subject,
        ImportedReplication replication, Func<string, ConfigStatement?> find, bool hasUpdates)
    {
        if (replication.Primaries is not null) return false;
        string value = statement.Value ?? "", key = statement.Key;
        // Knot DNS drops changes that are not of the file when it reads that.
        bool isSource = !hasUpdates
            && find("zonefile-load")?.Value?.StartsWith("difference", StringComparison.Ordinal) == true;
        if (key == "zonefile-sync" && value.StartsWith('-') && !isSource)
            diagnostics.Block(statement, subject,
                $"{key}: changes may be in the journal only: \"knotc -f zone-flush ZONE\" writes them into the file",
                ImportLimit.None);
        else if (key == "zonefile-sync" && !value.StartsWith('-') && value is not ("" or "0"))
            diagnostics.Change(statement, subject,
                $"{key}: the file may be older than the zone: \"knotc zone-flush ZONE\" writes it", ImportLimit.None);
        else if (key == "zonefile-load" && value == "none")
            diagnostics.Change(statement, subject, $"{key}: the file is read here", ImportLimit.None);
        else if (key == "zonefile-load" && value == "difference-no-serial")
            diagnostics.Change(statement, subject,
                $"{key}: the serial of the file is served: it has to be above the one that Knot DNS has given",
                ImportLimit.None);
        else return false;
        return true;
    }
}
