namespace Dns.Server;

/// <summary>What an import could not translate, each with its place: bounded, since a configuration can be wrong throughout.</summary>
internal sealed class ImportNotes
{
    private const int MaxNotes = 10_000;
    private readonly List<string> _lines = [];

    /// <summary>The notes, in the order of the files.</summary>
    public IReadOnlyList<string> Lines => _lines;

    /// <summary>Whether the configuration could not be understood at all.</summary>
    public bool IsBroken { get; private set; }

    /// <summary>Adds a note.</summary>
    public void Add(string file, int line, string text)
    {
        if (_lines.Count < MaxNotes) _lines.Add(line > 0 ? $"{file}:{line}: {text}" : $"{file}: {text}");
        else if (_lines.Count == MaxNotes) _lines.Add("more is left out");
    }

    /// <summary>Adds a note about a statement.</summary>
    public void Add(ConfigStatement statement, string text) => Add(statement.File, statement.Line, text);

    /// <summary>Adds that a statement has no counterpart here.</summary>
    public void NotTranslated(ConfigStatement statement, string within = "") =>
        Add(statement, $"{(within.Length > 0 ? within + ": " : "")}{statement.Key} is not translated");

    /// <summary>Adds an error of the configuration's own.</summary>
    public void Broken(string file, int line, string text)
    {
        IsBroken = true;
        Add(file, line, text);
    }
}
