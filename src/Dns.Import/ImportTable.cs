namespace Dns.Import;

/// <summary>
/// Statements of another server that are not translated, and what that means. A key without a row is not known.
/// </summary>
internal sealed class ImportTable
{
    private readonly Dictionary<string, (ImportSeverity Severity, ImportLimit Limit, string Text)> _rows =
        new(StringComparer.Ordinal);

    /// <summary>
    /// Makes a table of rows: severity, reason, what it means, and the keys with blanks between them. An empty text is
    /// no diagnostic.
    /// </summary>
    public ImportTable(params (ImportSeverity Severity, ImportLimit Limit, string Text, string Keys)[] rows)
    {
        foreach (var (severity, limit, text, keys) in rows)
            foreach (string key in keys.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries))
                _rows.Add(key, (severity, limit, text));
    }

    /// <summary>Reports a statement.</summary>
    /// <param name="diagnostics">Receives the diagnostic.</param>
    /// <param name="subject">What it stands in.</param>
    public void Report(ImportDiagnostics diagnostics, ConfigStatement statement, string subject)
    {
        if (!_rows.TryGetValue(statement.Key, out var row))
            row = (ImportSeverity.Changes, ImportLimit.OfImporter, "not known, not translated");
        if (row.Text.Length == 0) return;
        diagnostics.Add(new ImportDiagnostic(
            row.Severity, row.Limit, statement.File, statement.Line, subject, $"{statement.Key}: {row.Text}"));
    }
}
