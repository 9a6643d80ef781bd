using System.Text.Json;

namespace Dns.Import.Shared;

/// <summary>Which statement each line of the written settings was made of.</summary>
internal sealed class ImportedLocations(Utf8JsonWriter json, MemoryStream stream)
{
    private static readonly Comparer<(int Line, ConfigStatement Statement)> ByLine =
        Comparer<(int Line, ConfigStatement Statement)>.Create((one, other) => one.Line.CompareTo(other.Line));

    private readonly List<(int Line, ConfigStatement Statement)> _marks = [];
    private int _ends, _counted;

    /// <summary>Marks the element that is written next, which begins on a line of its own.</summary>
    public void Mark(ConfigStatement statement)
    {
        json.Flush();
        _ends += stream.GetBuffer().AsSpan(_counted..(int)stream.Length).Count((byte)'\n');
        _counted = (int)stream.Length;
        _marks.Add((_ends + 2, statement));
    }

    /// <summary>The statement of the last element that begins at or before a line; null = none does.</summary>
    public ConfigStatement? StatementAt(int line)
    {
        int found = _marks.BinarySearch((line, null!), ByLine);
        int last = found < 0 ? ~found - 1 : found;
        return last < 0 ? null : _marks[last].Statement;
    }
}
