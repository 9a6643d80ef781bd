namespace Dns.Import.Shared;

/// <summary>Reads sections of keys with values, as NSD, Unbound and Knot DNS have them.</summary>
internal abstract class SectionConfReader(ConfigFiles files, ImportDiagnostics diagnostics)
    : ConfigReader(files, diagnostics)
{
    private readonly List<ConfigStatement> _sections = [];

    // Of the last section; null = none is open.
    private List<ConfigStatement>? _members;

    public IReadOnlyList<ConfigStatement> Read(string file)
    {
        ReadFile(file, file, 0);
        return _sections;
    }

    protected void Begin(string section, int line) =>
        _sections.Add(new ConfigStatement(File, line, [section], _members = []));

    /// <summary>Ends the section: what follows has to begin one.</summary>
    protected void End() => _members = null;

    /// <param name="words">The key and its values.</param>
    /// <param name="isList">Whether values of an earlier statement of the key stay.</param>
    protected void Add(int line, IReadOnlyList<string> words, bool isList = false)
    {
        int before = isList ? _members?.FindIndex(member => member.Key == words[0]) ?? -1 : -1;
        if (_members is null) Broken(line, $"{words[0]} is in no section");
        else if (before < 0) _members.Add(new ConfigStatement(File, line, words, null));
        else _members[before] = _members[before] with { Words = [.. _members[before].Words, .. words.Skip(1)] };
    }
}
