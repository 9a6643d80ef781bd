namespace Dns.Zones;

/// <summary>One finding about a master file.</summary>
/// <param name="Severity">Whether the zone can be served in spite of it.</param>
/// <param name="File">The file as it was named on the command line, in the settings or by <c>$INCLUDE</c>.</param>
/// <param name="Line">The line, from 1; 0 where the file could not be read at all.</param>
/// <param name="Column">The column in octets, from 1; 0 where the finding is about the whole line or zone.</param>
/// <param name="Message">What was found and what was expected; one line.</param>
public sealed record ZoneDiagnostic(Severity Severity, string File, int Line, int Column, string Message)
{
    /// <summary>
    /// <c>FILE:LINE:COLUMN: error: MESSAGE</c>, or <c>warning</c> in its place; without line or column where there is none.
    /// </summary>
    public override string ToString() =>
        $"{File}{(Line > 0 ? $":{Line}" : "")}{(Column > 0 ? $":{Column}" : "")}: "
        + $"{(Severity == Severity.Error ? "error" : "warning")}: {Message}";
}
