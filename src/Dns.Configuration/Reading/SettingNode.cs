namespace Dns.Configuration.Reading;

/// <summary>What a setting's value looks like. From the environment or command line, text can be any scalar.</summary>
public enum SettingKind : byte
{
    /// <summary>null.</summary>
    Null,

    /// <summary>true or false.</summary>
    Flag,

    /// <summary>A number.</summary>
    Number,

    /// <summary>Text in quotes.</summary>
    Text,

    /// <summary>Text from outside a file, where everything is text.</summary>
    Untyped,

    /// <summary>A JSON array.</summary>
    List,

    /// <summary>A JSON object.</summary>
    Section,
}

/// <summary>Where a setting was written: a location in a file, a variable, or the command line.</summary>
/// <param name="Source">The file, or words that stand for themselves.</param>
/// <param name="Line">Line from 1; 0 outside files.</param>
/// <param name="Column">Column from 1, in characters.</param>
public readonly record struct SettingLocation(string Source, int Line = 0, int Column = 0)
{
    /// <summary>The location in the form of a compiler.</summary>
    public override string ToString() => Line > 0 ? $"{Source}:{Line}:{Column}" : Source;
}

/// <summary>One problem of the settings: one line of text.</summary>
public readonly record struct SettingDiagnostic(SettingLocation Location, string Message)
{
    /// <summary>The line of a report.</summary>
    public override string ToString() => $"{Location}: error: {Message}";
}

/// <summary>A setting as it was written, with its location: the tree that all sources are merged into.</summary>
public sealed class SettingNode(string name, SettingKind kind, string? value, SettingLocation location)
{
    private static readonly List<SettingNode> NoChildren = [];

    private List<SettingNode> _children = NoChildren;

    /// <summary>The key, or the index in a list.</summary>
    public string Name { get; } = name;

    /// <summary>What it looks like.</summary>
    public SettingKind Kind { get; private set; } = kind;

    /// <summary>The text of a scalar.</summary>
    public string? Value { get; private set; } = value;

    /// <summary>Where it was written last.</summary>
    public SettingLocation Location { get; private set; } = location;

    /// <summary>Whether the file has its key again, with another value that was not used.</summary>
    public bool IsRepeated { get; internal set; }

    /// <summary>Members of a section or elements of a list, in their order.</summary>
    public IReadOnlyList<SettingNode> Children => _children;

    internal void Add(SettingNode child)
    {
        if (ReferenceEquals(_children, NoChildren)) _children = [];
        _children.Add(child);
    }

    /// <summary>Finds a member; keys are the same in every case, as in all .NET configuration.</summary>
    public SettingNode? Find(string name)
    {
        // An element of a list is found by its index: lists of zones can be long.
        if (Kind == SettingKind.List && int.TryParse(name, out int index) && index >= 0 && index < _children.Count)
            return _children[index];
        foreach (SettingNode child in _children)
            if (string.Equals(child.Name, name, StringComparison.OrdinalIgnoreCase)) return child;
        return null;
    }

    /// <summary>
    /// Sets the value at a path such as <c>Dns:Listen:0</c>, replacing it; missing sections and lists on the path
    /// are created. An index after the end of a list appends.
    /// </summary>
    internal void Overlay(ReadOnlySpan<string> path, string value, SettingLocation location)
    {
        SettingNode node = this;
        for (int i = 0; i < path.Length; i++)
        {
            SettingNode? next = node.Find(path[i]);
            if (next is null)
            {
                next = new SettingNode(path[i], SettingKind.Null, null, location);
                if (node.Kind is not (SettingKind.List or SettingKind.Section))
                    node.Become(int.TryParse(path[i], out _) ? SettingKind.List : SettingKind.Section, location);
                node.Add(next);
            }
            node = next;
        }
        node._children = NoChildren;
        node.Kind = SettingKind.Untyped;
        node.Value = value;
        node.Location = location;
    }

    /// <summary>Removes a setting, if it is there, so that what is overlaid next replaces it.</summary>
    internal void Remove(params ReadOnlySpan<string> path)
    {
        SettingNode? node = this;
        for (int i = 0; node is not null && i < path.Length - 1; i++) node = node.Find(path[i]);
        if (node?.Find(path[^1]) is { } found) node._children.Remove(found);
    }

    private void Become(SettingKind kind, SettingLocation location)
    {
        Kind = kind;
        Value = null;
        Location = location;
    }
}
