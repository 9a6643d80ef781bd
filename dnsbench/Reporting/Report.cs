namespace Dns.Bench;

/// <summary>Markdown, printed at once and, on request, saved to a file.</summary>
internal sealed class Report
{
    private readonly string _file;

    /// <param name="file">Where to write; empty for nowhere.</param>
    internal Report(string file)
    {
        _file = file;
        if (file.Length == 0) return;
        if (Path.GetDirectoryName(Path.GetFullPath(file)) is { } folder) Directory.CreateDirectory(folder);
        File.WriteAllText(file, "");
    }

    internal void Line(string line)
    {
        Console.WriteLine(line);
        if (_file.Length > 0) File.AppendAllText(_file, line + "\n");
    }
}
