using System.Globalization;
using System.Security;
using System.Text;

namespace Dns.Bench;

/// <summary>A chart of bars in groups, as SVG that reads well on light and dark pages.</summary>
internal static class BarChart
{
    private const int LabelWidth = 160;
    private const int BarWidth = 560;
    private const int BarHeight = 16;
    private const int GroupGap = 26;
    private const int Margin = 12;

    private static readonly string[] Colours =
        ["#2a78d6", "#e08a1e", "#3c9d57", "#b4489c", "#8a6d3b", "#5f6b7a", "#c0392b", "#16a0a0"];

    /// <summary>Writes the chart; bars of the same series share a colour.</summary>
    internal static void Write(string file, string title,
        IReadOnlyList<(string Group, string Series, double Value)> bars)
    {
        bars = [.. bars.Where(bar => !double.IsNaN(bar.Value))];
        double longest = Math.Max(bars.Select(bar => bar.Value).DefaultIfEmpty(1).Max(), 1);
        List<string> series = [.. bars.Select(bar => bar.Series).Distinct()];
        StringBuilder body = new();
        int y = 40;
        foreach (var group in bars.GroupBy(bar => bar.Group))
        {
            Text(body, Margin, y + 12, group.Key, "font-weight=\"bold\"");
            y += GroupGap - 6;
            foreach ((_, string name, double value) in group.OrderBy(bar => bar.Value))
            {
                double width = value / longest * BarWidth;
                Text(body, Margin + 8, y + 12, name, "");
                body.Append(CultureInfo.InvariantCulture,
                    $"<rect x=\"{LabelWidth}\" y=\"{y}\" width=\"{width:F1}\" height=\"{BarHeight - 3}\" rx=\"2\" ");
                body.Append(CultureInfo.InvariantCulture,
                    $"fill=\"{Colours[series.IndexOf(name) % Colours.Length]}\"/>\n");
                Text(body, LabelWidth + (int)width + 6, y + 11, value.ToString("F2", CultureInfo.InvariantCulture), "");
                y += BarHeight;
            }
            y += GroupGap - BarHeight;
        }
        // The floor: the neighbour itself.
        double one = LabelWidth + 1 / longest * BarWidth;
        body.Append(CultureInfo.InvariantCulture,
            $"<line x1=\"{one:F1}\" y1=\"34\" x2=\"{one:F1}\" y2=\"{y}\" stroke=\"#888\" stroke-dasharray=\"3 3\"/>\n");
        int wide = LabelWidth + BarWidth + 70;
        File.WriteAllText(file, string.Create(CultureInfo.InvariantCulture, $"""
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {y + Margin}" font-family="sans-serif" font-size="12" fill="#777">
            <text x="{Margin}" y="22" font-size="15">{SecurityElement.Escape(title)}</text>
            {body}</svg>

            """));
    }

    private static void Text(StringBuilder body, int x, int y, string text, string attributes) =>
        body.Append(CultureInfo.InvariantCulture,
            $"<text x=\"{x}\" y=\"{y}\" {attributes}>{SecurityElement.Escape(text)}</text>\n");
}
