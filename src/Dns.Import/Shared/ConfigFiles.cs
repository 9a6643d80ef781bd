namespace Dns.Import.Shared;

/// <summary>A word of a configuration, and where it stands.</summary>
/// <param name="Text">The word without quotes.</param>
/// <param name="Line">Line from 1.</param>
/// <param name="IsQuoted">Whether it stood in quotes, so that its characters mean nothing.</param>
internal readonly record struct ConfigWord(string Text, int Line, bool IsQuoted);

/// <summary>
/// The files of another server's configuration. Bounded in depth, number and size, so that files that include one
/// another come to an end.
/// </summary>
internal sealed class ConfigFiles(ImportDiagnostics diagnostics)
{
    /// <summary>How deep files may be included within one another.</summary>
    public const int MaxDepth = 16;

    public const int MaxFiles = 1000;

    public const long MaxBytes = 64 << 20;

    private const int PartLength = 1 << 16;

    private long _bytes;
    private int _files;

    /// <summary>Reads a file; null, with a diagnostic, when it cannot be read.</summary>
    public string? Read(string file, string from, int line)
    {
        try
        {
            if (++_files <= MaxFiles)
            {
                using FileStream stream = new(RegularFile.OpenToRead(file), FileAccess.Read);
                using StreamReader reader = new(stream);
                StringBuilder text = new();
                char[] part = new char[PartLength];
                // Its length may be wrong: a file of /proc has none.
                for (int count; _bytes + stream.Position <= MaxBytes && (count = reader.Read(part)) > 0;)
                    text.Append(part, 0, count);
                if ((_bytes += stream.Position) <= MaxBytes) return text.ToString();
            }
            return Fail($"more than {MaxFiles} files or {MaxBytes >> 20} MB");
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            string why = Directory.Exists(file) ? "it is a directory"
                : error is FileNotFoundException or DirectoryNotFoundException ? "there is no such file"
                : error.Message.ReplaceLineEndings(" ");
            return Fail(why);
        }

        string? Fail(string why)
        {
            // The file of the command is included by none: without it there is nothing to import.
            if (line == 0) diagnostics.Broken(file, 0, "nothing was imported: " + why);
            else diagnostics.Unread(from, line, $"cannot read {file}: {why}");
            return null;
        }
    }

    /// <summary>The files that an include names: one, or all that match <c>*</c> in its last part, in order.</summary>
    /// <param name="from">The file that it stands in; relative names are relative to its directory.</param>
    /// <param name="depth">How deep that file itself was included.</param>
    public IReadOnlyList<string> Included(string pattern, string from, int line, int depth)
    {
        if (depth >= MaxDepth)
        {
            diagnostics.Unread(from, line, $"{pattern} is not included: files may be included {MaxDepth} deep");
            return [];
        }
        string path = Path.GetFullPath(pattern, Path.GetDirectoryName(Path.GetFullPath(from))!);
        string directory = Path.GetDirectoryName(path)!, name = Path.GetFileName(path);
        try
        {
            if (Directory.Exists(path)) return [.. Directory.GetFiles(path, "*.conf").Order(StringComparer.Ordinal)];
            if (!name.Contains('*')) return [path];
            return Directory.Exists(directory)
                ? [.. Directory.GetFiles(directory, name).Order(StringComparer.Ordinal)] : [];
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            diagnostics.Unread(from, line, $"cannot read {directory}: {error.Message.ReplaceLineEndings(" ")}");
            return [];
        }
    }
}
