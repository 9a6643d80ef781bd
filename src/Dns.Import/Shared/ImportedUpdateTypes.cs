namespace Dns.Import.Shared;

/// <summary>The types of records of a rule of updates, in the form of settings. Case does not count.</summary>
internal static class ImportedUpdateTypes
{
    private const string Everything = "ANY";

    /// <summary>
    /// Reads types; null = all of them. One that settings do not have is left out, and blocks the move.
    /// </summary>
    /// <returns>False where none is left: the rule permits nothing.</returns>
    public static bool TryRead(ImportDiagnostics diagnostics, ConfigStatement at, string subject,
        IEnumerable<string> words, out string[]? types)
    {
        string[] upper = [.. words.Select(word => word.ToUpperInvariant())];
        types = null;
        if (upper.Contains(Everything)) return true;
        foreach (string type in upper.Where(type => !IsKnown(type)))
            diagnostics.Block(at, subject, type.EndsWith(')')
                ? $"{at.Key}: {type}: a limit on the number of records: the type is left out"
                : $"{at.Key}: {type} is not a type of records, it is left out");
        types = [.. upper.Where(IsKnown)];
        return types.Length > 0;
    }

    private static bool IsKnown(string type) => RRTypeText.TryParse(Encoding.UTF8.GetBytes(type), out _);
}
