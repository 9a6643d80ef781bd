namespace Dns.Import.Shared;

/// <summary>Untranslated statements of another server, and what that means. A key without a row is unknown.</summary>
internal sealed class ImportTable
{
    private readonly Dictionary<string, (ImportSeverity Severity, ImportLimit Limit, string Text, string? Default)>
        _rows = new(StringComparer.Ordinal);

    /// <summary>
    /// Rows: severity, reason, meaning, keys separated by blanks. An empty text is no diagnostic, nor is one of a key
    /// with its default, if that is written as <c>KEY=DEFAULT</c>.
    /// </summary>
    public ImportTable(params (ImportSeverity Severity, ImportLimit Limit, string Text, string Keys)[] rows)
    {
        foreach (var (severity, limit, text, keys) in rows)
            foreach (string key in keys.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries))
                _rows.Add(key.Split('=')[0], (severity, limit, text, key.Contains('=') ? key.Split('=')[1] : null));
    }

    public bool Has(string key) => _rows.ContainsKey(key);

    /// <summary>Whether the row of a key has a default: other values change something, <c>no</c> and 0 too.</summary>
    public bool HasDefault(string key) => _rows.TryGetValue(key, out var row) && row.Default is not null;

    public void Report(ImportDiagnostics diagnostics, ConfigStatement statement, string subject)
    {
        if (!_rows.TryGetValue(statement.Key, out var row))
            row = (ImportSeverity.Changes, ImportLimit.OfImporter, "not known, not translated", null);
        if (row.Text.Length == 0 || row.Default is { } usual && AreSame(statement.Value ?? "", usual)) return;
        diagnostics.Add(new ImportDiagnostic(
            row.Severity, row.Limit, statement.File, statement.Line, subject, $"{statement.Key}: {row.Text}"));
    }

    /// <summary>Whether two values are one flag or one time, however written.</summary>
    private static bool AreSame(string value, string other) => FlagOf(value) == FlagOf(other)
        || TtlText.TryParse(Encoding.UTF8.GetBytes(value), out uint seconds)
            && TtlText.TryParse(Encoding.UTF8.GetBytes(other), out uint others) && seconds == others;

    private static string FlagOf(string value) => value switch
    {
        "true" or "on" or "1" => "yes",
        "false" or "off" or "0" => "no",
        _ => value,
    };
}
