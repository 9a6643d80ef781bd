namespace Dns.Zones.MasterFiles;

/// <summary>One diagnostic of a master file.</summary>
/// <param name="File">The file as it was named on the command line, in the settings or by <c>$INCLUDE</c>.</param>
/// <param name="Line">The line, from 1; 0 if the file could not be read at all.</param>
/// <param name="Column">The column in octets, from 1; 0 for the whole line or zone.</param>
/// <param name="Message">The actual and the expected state; one line.</param>
public sealed record ZoneDiagnostic(Severity Severity, string File, int Line, int Column, string Message)
{
    /// <summary><c>FILE:LINE:COLUMN: error: MESSAGE</c>, or <c>warning</c>; line and column if not 0.</summary>
    public override string ToString() =>
        $"{File}{(Line > 0 ? $":{Line}" : "")}{(Column > 0 ? $":{Column}" : "")}: "
        + $"{(Severity == Severity.Error ? "error" : "warning")}: {Message}";
}
