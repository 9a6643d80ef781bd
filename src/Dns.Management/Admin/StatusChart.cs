namespace Dns.Management.Admin;

/// <summary>One line of a chart.</summary>
/// <param name="Read">The value of a step; null = none, and the line has a gap.</param>
public sealed record ChartLine(string Style, string Name, Func<HistoryFigures, double?> Read);

/// <summary>
/// Draws the steps of a history as SVG without script. The picture is stretched to the available width; labels of the
/// axes are text beside it, equidistant.
/// </summary>
public sealed class StatusChart
{
    private const double Width = 1000, Height = 100;

    private readonly StatusPageModel _status;
    private readonly ChartLine[] _lines;
    private readonly ChartScale _scale;

    private StatusChart(StatusPageModel status, ChartLine[] lines, bool isLogarithmic)
    {
        (_status, _lines) = (status, lines);
        List<double> values =
            [.. lines.SelectMany(line => status.Steps.Select(step => line.Read(step.Figures))).OfType<double>()];
        _scale = isLogarithmic ? ChartScale.Logarithmic(values) : ChartScale.Linear(values);
    }

    /// <summary>
    /// Writes a chart, whose title has the unit. On a linear scale the area below the first line is filled.
    /// </summary>
    public static void Write(
        HtmlWriter html, StatusPageModel status, string title, bool isLogarithmic, Func<double, string> format,
        params ChartLine[] lines) =>
        new StatusChart(status, lines, isLogarithmic).Write(html, title, format);

    private void Write(HtmlWriter html, string title, Func<double, string> format)
    {
        html.Add($"""<section><h2>{title}</h2><p class="legend">""");
        foreach (ChartLine line in _lines) html.Add($"""<span class="{line.Style}">{line.Name}</span> """);
        html.Add($"""</p><div class="chart"><div class="values">""");
        foreach (double mark in _scale.Marks.Reverse()) html.Add($"<span>{format(mark)}</span>");
        html.Add($"""</div><svg viewBox="0 0 1000 100" preserveAspectRatio="none" role="img" aria-label="{title}">""");
        html.Add($"""<path class="grid" d="{Grid()}"/>""");
        if (!_scale.IsLogarithmic)
            html.Add($"""<path class="area {_lines[0].Style}" d="{PathOf(_lines[0], isArea: true)}"/>""");
        foreach (ChartLine line in _lines)
            html.Add($"""<path class="line {line.Style}" d="{PathOf(line, isArea: false)}"/>""");
        html.Add($"""</svg><div class="times">""");
        TimeSpan length = _status.RangeLength;
        for (int i = Parts; i > 0; i--) html.Add($"<span>−{TimeOf(length * i / Parts)}</span>");
        html.Add($"<span>now</span></div></div></section>");
    }

    private string Grid()
    {
        StringBuilder path = new();
        for (int i = 0; i < _scale.Marks.Count; i++)
            path.Append(CultureInfo.InvariantCulture,
                $"M0 {Height - Height * i / (_scale.Marks.Count - 1):0.#}H{Width:0}");
        for (int i = 0; i <= Parts; i++)
            path.Append(CultureInfo.InvariantCulture, $"M{Width * i / Parts:0.#} 0V{Height:0}");
        return path.ToString();
    }

    private string PathOf(ChartLine line, bool isArea)
    {
        StringBuilder path = new();
        double? end = null;
        foreach ((double ago, HistoryFigures figures) in _status.Steps)
        {
            if (line.Read(figures) is not { } value)
            {
                Close(path, isArea, ref end);
                continue;
            }
            double y = Height - Height * _scale.PartOf(value);
            // A value applies to the whole step: the first one of a run is drawn from its start.
            double start = X(ago + figures.Seconds);
            if (end is null)
                path.Append(CultureInfo.InvariantCulture,
                    $"M{start:0.#} {(isArea ? Height : y):0.#}L{start:0.#} {y:0.#}");
            path.Append(CultureInfo.InvariantCulture, $"L{X(ago):0.#} {y:0.#}");
            end = X(ago);
        }
        Close(path, isArea, ref end);
        return path.ToString();
    }

    private static void Close(StringBuilder path, bool isArea, ref double? end)
    {
        if (isArea && end is { } x) path.Append(CultureInfo.InvariantCulture, $"L{x:0.#} {Height:0}Z");
        end = null;
    }

    private static string TimeOf(TimeSpan time) => time == TimeSpan.FromMinutes(1) ? "1 min" : StatusText.Ago(time);

    /// <summary>Divisions of the time axis, at round times.</summary>
    private int Parts => _status.Range switch { HistoryRange.FiveMinutes => 5, HistoryRange.Hour => 6, _ => 4 };

    private double X(double ago) => Width * (1 - Math.Clamp(ago / _status.RangeLength.TotalSeconds, 0, 1));
}
