namespace Dns.Import.Shared;

/// <summary>
/// Finds <c>$INCLUDE</c> that another server reads from its directory: here a name is relative to its own file.
/// </summary>
internal static class ImportedIncludes
{
    private const string Directive = "$INCLUDE";

    /// <param name="directory">The directory of the other server.</param>
    /// <param name="files">A zone file, and the files that it includes.</param>
    public static void Report(
        ImportDiagnostics diagnostics, string subject, string directory, IEnumerable<string> files)
    {
        // A pipe has no length.
        foreach (string file in files.Select(Path.GetFullPath)
            .Where(file => new FileInfo(file) is { Exists: true, Length: > 0 }))
        {
            try
            {
                Report(diagnostics, subject, directory, file);
            }
            catch (Exception error) when (error is IOException or UnauthorizedAccessException)
            {
                // The zone has errors then, which are reported.
            }
        }
    }

    private static void Report(ImportDiagnostics diagnostics, string subject, string directory, string file)
    {
        foreach (var (index, line) in File.ReadLines(file).Index())
            if (NameOf(line) is { } name && Path.GetFullPath(name, directory) is var there && File.Exists(there) &&
                there != Path.GetFullPath(name, Path.GetDirectoryName(file)!))
                diagnostics.Block(new ConfigStatement(file, index + 1, [], null), $"{subject}: {there}",
                    "$INCLUDE: it is read there; here a relative name is looked for beside its file: write the whole path",
                    ImportLimit.None);
    }

    private static string? NameOf(string line)
    {
        if (!line.StartsWith(Directive, StringComparison.OrdinalIgnoreCase)) return null;
        string rest = line[Directive.Length..].TrimStart();
        return rest.Split(rest.StartsWith('"') ? ['"'] : [' ', '\t', ';'], StringSplitOptions.RemoveEmptyEntries)
            .FirstOrDefault() is { } name && !name.Contains('\0') ? name : null;
    }
}
