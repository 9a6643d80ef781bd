namespace Dns.Import;

/// <summary>Untranslated statements of another server, and what that means. A key without a row is unknown.</summary>
internal sealed class ImportTable
{
    private readonly Dictionary<string, (ImportSeverity Severity, ImportLimit Limit, string Text)> _rows =
        new(StringComparer.Ordinal);

    /// <summary>Rows: severity, reason, meaning, keys separated by blanks. An empty text is no diagnostic.</summary>
    public ImportTable(params (ImportSeverity Severity, ImportLimit Limit, string Text, string Keys)[] rows)
    {
        foreach (var (severity, limit, text, keys) in rows)
            foreach (string key in keys.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries))
                _rows.Add(key, (severity, limit, text));
    }

    public void Report(ImportDiagnostics diagnostics, ConfigStatement statement, string subject)
    {
        if (!_rows.TryGetValue(statement.Key, out var row))
            row = (ImportSeverity.Changes, ImportLimit.OfImporter, "not known, not translated");
        if (row.Text.Length == 0) return;
        diagnostics.Add(new ImportDiagnostic(
            row.Severity, row.Limit, statement.File, statement.Line, subject, $"{statement.Key}: {row.Text}"));
    }
}
