using Dns.Protocol;

namespace Dns.Zones;

/// <summary>A finding of another part about a zone that was read from a file: it knows names and records but no lines.</summary>
/// <param name="Severity">Whether the zone is good in spite of it.</param>
/// <param name="Owner">The name it is about.</param>
/// <param name="Type">The type it is about; 0 = the name as a whole.</param>
/// <param name="Rdata">The RDATA of the record that is at fault; empty = the type as a whole.</param>
/// <param name="Message">What was found and what was expected; one line.</param>
public sealed record RecordDiagnostic(Severity Severity, DomainName Owner, RRType Type, byte[] Rdata, string Message)
{
    /// <summary>Gives each finding file, line and column by reading the file once more, in the order of the lines.</summary>
    /// <param name="findings">The findings; up to 1000 of each severity are listed.</param>
    /// <param name="apex">The zone.</param>
    /// <param name="file">Its file. Where it cannot be read again, the findings are about the file as a whole.</param>
    public static IReadOnlyList<ZoneDiagnostic> Locate(IEnumerable<RecordDiagnostic> findings, DomainName apex, string file)
    {
        NodeDiagnostics kept = new();
        foreach (RecordDiagnostic finding in findings) kept.Add(finding);
        DiagnosticLog log = new();
        DiagnosticLocator.Locate(kept, apex, file, new FileLocation(file, 0, 0), log);
        return log.ToList();
    }
}
