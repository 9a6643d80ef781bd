namespace Dns.Import.Shared;

/// <summary>
/// Reads the written settings as <c>dnsd check</c> does. What it refuses blocks the move, at the statement that it was
/// made of.
/// </summary>
internal static class ImportedSettingsCheck
{
    /// <param name="file">The file that was imported.</param>
    /// <param name="folder">That of the settings.</param>
    /// <param name="findConflicts">Finds what is wrong with good settings together.</param>
    public static void Run(ImportedSettings imported, string file, string folder,
        Func<Settings, IEnumerable<SettingDiagnostic>> findConflicts)
    {
        Settings settings = SettingsReader.Read(
            new() { ConfigFile = Path.Combine(folder, SettingsReader.DefaultFile), ConfigText = imported.ToJson() },
            new System.Collections.Hashtable());
        foreach (SettingDiagnostic problem in settings.Problems.Concat(findConflicts(settings)))
            imported.Diagnostics.Block(
                imported.StatementAt(problem.Location.Line) ?? new ConfigStatement(file, 0, [], null), problem.Message,
                "dnsd check refuses a setting that was made of it", ImportLimit.None);
    }
}
