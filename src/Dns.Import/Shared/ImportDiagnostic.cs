namespace Dns.Import.Shared;

/// <summary>Something that an import did not translate as it was.</summary>
/// <param name="Limit">Whether the server or the importer is the reason.</param>
/// <param name="Line">Line from 1; 0 = the whole file.</param>
/// <param name="Subject">What it is about, such as <c>zone example.com</c>; may be empty.</param>
/// <param name="Text">What it is: the same text for the same cause, by which the report groups them.</param>
internal sealed record ImportDiagnostic(
    ImportSeverity Severity, ImportLimit Limit, string File, int Line, string Subject, string Text)
{
    public static string Word(ImportSeverity severity) => severity switch
    {
        ImportSeverity.Blocks => "blocks the move",
        ImportSeverity.Changes => "changes behaviour",
        _ => "cosmetic",
    };

    public string Cause => Limit switch
    {
        ImportLimit.OfServer => Text + " (the server cannot)",
        ImportLimit.OfImporter => Text + " (the importer cannot)",
        _ => Text,
    };

    public string Location => (Line > 0 ? $"{File}:{Line}" : File) + (Subject.Length > 0 ? ": " + Subject : "");

    public override string ToString() => $"{Location}: {Word(Severity)}: {Cause}";
}
