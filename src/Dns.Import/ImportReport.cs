using System.Globalization;
using System.Text;

namespace Dns.Import;

/// <summary>
/// The diagnostics of an import as lines: by severity, and within one grouped by cause with the locations below it.
/// </summary>
internal static class ImportReport
{
    /// <summary>
    /// Locations listed for one cause; each zone that is missing has to be found, a setting in every zone has not.
    /// </summary>
    private const int MaxLocations = 10, MaxBlockingLocations = 1000;

    /// <summary>
    /// The lines. Of a file that is no configuration anything may be quoted: no control character is left in them.
    /// </summary>
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
