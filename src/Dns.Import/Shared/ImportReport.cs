namespace Dns.Import.Shared;

/// <summary>The diagnostics of an import as lines: by severity, grouped by cause, with the locations below.</summary>
internal static class ImportReport
{
    /// <summary>Locations listed for one cause: every missing zone matters, a setting in every zone does not.</summary>
    private const int MaxLocations = 10, MaxBlockingLocations = 1000;

    /// <summary>The lines, without control characters: a file that is no configuration may contain any.</summary>
    public static IEnumerable<string> Lines(ImportDiagnostics diagnostics)
    {
        foreach (var severity in diagnostics.Entries.GroupBy(entry => entry.Severity).OrderBy(group => group.Key))
        {
            yield return ImportDiagnostic.Word(severity.Key) + ":";
            int most = severity.Key == ImportSeverity.Blocks ? MaxBlockingLocations : MaxLocations;
            foreach (var cause in severity.GroupBy(entry => entry.Cause))
            {
                yield return Printable("  " + cause.Key);
                foreach (ImportDiagnostic entry in cause.Take(most)) yield return Printable("    " + entry.Location);
                if (cause.Count() > most) yield return $"    and {cause.Count() - most:N0} more";
            }
        }
        if (diagnostics.Dropped > 0) yield return $"{diagnostics.Dropped:N0} more diagnostics are left out";
    }

    /// <summary>How many diagnostics there are of each severity.</summary>
    public static string Summary(ImportDiagnostics diagnostics)
    {
        int Count(ImportSeverity severity) => diagnostics.Entries.Count(entry => entry.Severity == severity);
        return string.Create(CultureInfo.InvariantCulture, $"{Count(ImportSeverity.Blocks)} block the move, ")
            + string.Create(CultureInfo.InvariantCulture, $"{Count(ImportSeverity.Changes)} change behaviour, ")
            + string.Create(CultureInfo.InvariantCulture, $"{Count(ImportSeverity.Cosmetic)} cosmetic");
    }

    /// <summary>
    /// A text on one line: a terminal obeys control characters, and a line separator ends a comment of JSON, so that
    /// the rest would be settings.
    /// </summary>
    public static string Printable(string text)
    {
        StringBuilder printable = new(text.Length);
        foreach (char c in text)
            printable.Append(char.GetUnicodeCategory(c) is UnicodeCategory.Control or UnicodeCategory.Format
                or UnicodeCategory.LineSeparator or UnicodeCategory.ParagraphSeparator
                or UnicodeCategory.Surrogate ? '?' : c);
        return printable.ToString();
    }
}
