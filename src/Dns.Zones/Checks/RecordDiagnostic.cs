namespace Dns.Zones.Checks;

/// <summary>A diagnostic of another part about a zone that was read from a file, without lines.</summary>
/// <param name="Type">Its type; 0 = the whole name.</param>
/// <param name="Rdata">The RDATA of its record; empty = the whole type.</param>
/// <param name="Message">The actual and the expected state; one line.</param>
public sealed record RecordDiagnostic(Severity Severity, DomainName Owner, RRType Type, byte[] Rdata, string Message)
{
    /// <summary>
    /// Adds file, line and column to each, by reading the file again; in the order of the lines. For commands: messages
    /// in files that not all users may read are shown too.
    /// </summary>
    /// <param name="diagnostics">The diagnostics; up to 1000 of each severity are listed.</param>
    /// <param name="file">Its file. If it cannot be read again, the diagnostics are about the whole file.</param>
    public static IReadOnlyList<ZoneDiagnostic> Locate(IEnumerable<RecordDiagnostic> diagnostics, DomainName apex,
        string file)
    {
        NodeDiagnostics kept = new();
        foreach (RecordDiagnostic diagnostic in diagnostics) kept.Add(diagnostic);
        DiagnosticLog log = new(showsAll: true);
        DiagnosticLocator.Locate(kept, apex, file, new FileLocation(file, 0, 0), log);
        return log.ToList();
    }
}
