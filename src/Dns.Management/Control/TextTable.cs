namespace Dns.Management.Control;

/// <summary>Text rows in aligned columns.</summary>
/// <param name="isRight">For each column whether it is right-aligned, for numbers.</param>
public sealed class TextTable(params bool[] isRight)
{
    private readonly List<string[]> _rows = [];

    /// <summary>Adds a row with a cell for each column.</summary>
    public void Add(params string[] cells) => _rows.Add(cells);

    /// <summary>Writes all rows, columns two blanks apart.</summary>
    public void Write(TextWriter output)
    {
        int[] widths = [.. isRight.Select((_, column) => _rows.Count == 0 ? 0 : _rows.Max(row => row[column].Length))];
        foreach (string[] row in _rows)
        {
            string line = string.Join("  ", row.Select((cell, column) =>
                isRight[column] ? cell.PadLeft(widths[column]) : cell.PadRight(widths[column])));
            output.WriteLine(line.TrimEnd());
        }
    }

    public static string Size(long bytes) => bytes switch
    {
        >= 1L << 30 => $"{bytes / (double)(1L << 30):0.0} GiB",
        >= 1L << 20 => $"{bytes / (double)(1L << 20):0.0} MiB",
        >= 1L << 10 => $"{bytes / (double)(1L << 10):0.0} KiB",
        _ => $"{bytes} B",
    };

    /// <summary>A time in its two largest units.</summary>
    public static string Duration(TimeSpan time) => time switch
    {
        { TotalDays: >= 1 } => $"{(int)time.TotalDays}d {time.Hours}h",
        { TotalHours: >= 1 } => $"{(int)time.TotalHours}h {time.Minutes}m",
        { TotalMinutes: >= 1 } => $"{(int)time.TotalMinutes}m {time.Seconds}s",
        _ => $"{time.TotalSeconds:0.0}s",
    };
}
