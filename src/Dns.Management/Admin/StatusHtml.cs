namespace Dns.Management.Admin;

/// <summary>Status HTML that needs no script; the page's script refreshes the parts marked <c>data-live</c>.</summary>
public sealed partial class StatusHtml(HtmlWriter html, StatusPageModel status, StatusQuery query)
{
    public const int ZonesOfPage = 25;

    private const int MostCounts = 14;

    /// <summary>Writes the page, warnings first.</summary>
    /// <param name="lookup">The requested lookup; null = none.</param>
    public void Write(ExplainedLookup? lookup)
    {
        WriteHead();
        html.Add($"<main>");
        WriteWarnings();
        WriteFigures();
        WriteCharts();
        if (status.Server.Forwarding is { } forwarding)
        {
            html.Add($"""<div id="forwarding" class="grid" data-live>""");
            WriteUpstreams(forwarding.Upstreams);
            WriteCache(forwarding);
            html.Add($"</div>");
        }
        WriteLookup(lookup);
        WriteZones();
        html.Add($"""<div id="counts" class="grid" data-live>""");
        WriteCounts($"Answers by RCODE, {NameOf(status.Range)}", "rcodes", status.Rcodes);
        WriteCounts("Queries by type, since start", "types", status.Types);
        WriteTop("Top names, recent samples", "names", status.Names);
        WriteTop("Top clients, recent samples", "clients", status.Clients);
        html.Add($"</div>");
        WriteLog();
        html.Add($"</main>");
    }

    private void WriteHead()
    {
        html.Add($"""<header id="head" data-live><h1>dnsd</h1><span id="about">""");
        if (status.Server.Identity is { } identity) html.Add($"{identity} · ");
        html.Add($"version {status.Server.Version} · up {StatusText.Ago(status.Server.Uptime)} · ");
        html.Add($"{string.Join(", ", status.Server.Listening)}</span>");
        html.Add($"""<nav><a href="metrics">metrics</a> <a href="api/status">JSON</a></nav></header>""");
    }

    private void WriteWarnings()
    {
        html.Add($"""<section id="warnings" data-live>""");
        if (status.Server.Warnings.Count == 0)
            html.Add($"""<p class="good">All well: zones, upstreams, sockets and logs.</p>""");
        else html.Add($"<h2>Needs attention</h2><ul>");
        foreach (StatusWarning warning in status.Server.Warnings)
        {
            html.Add(
                $"""<li class="{(warning.IsError ? "bad" : "warn")}"><strong>{warning.Severity}</strong> {warning.Text}""");
            foreach (string detail in warning.Details) html.Add($"<small>{detail}</small>");
            html.Add($"</li>");
        }
        if (status.Server.Warnings.Count > 0) html.Add($"</ul>");
        html.Add($"</section>");
    }

    private void WriteFigures()
    {
        HistoryFigures figures = status.Figures;
        html.Add($"""<section id="figures" data-live><div class="bar"><h2>Figures</h2><nav class="ranges">""");
        foreach (HistoryRange range in Enum.GetValues<HistoryRange>())
            if (range == status.Range) html.Add($"""<b aria-current="true">{NameOf(range)}</b> """);
            else html.Add($"<a href=\"{(query with { Range = range }).ToAddress()}\">{NameOf(range)}</a> ");
        html.Add($"""</nav></div><dl class="tiles">""");
        WriteTile("QPS now", StatusText.Number(status.Latest.QueriesPerSecond));
        WriteTile("QPS, mean", StatusText.Number(figures.QueriesPerSecond));
        WriteTile("median, local", StatusText.Seconds(figures.LocalSeconds(0.5)));
        WriteTile("p99, local", StatusText.Seconds(figures.LocalSeconds(0.99)));
        if (status.Server.Forwarding is not null)
        {
            WriteTile("median, forwarded", StatusText.Seconds(figures.ForwardedSeconds(0.5)));
            WriteTile("p99, forwarded", StatusText.Seconds(figures.ForwardedSeconds(0.99)));
            WriteTile("hit ratio", StatusText.Percent(figures.HitRatio));
            WriteTile("stale answers", StatusText.Number(figures.Stale), figures.Stale > 0 ? "warn" : "");
            WriteTile("evicted", StatusText.Number(figures.Evicted));
        }
        WriteTile("SERVFAIL rate", StatusText.Percent(figures.ServFailRate), figures.ServFailRate >= 0.01 ? "bad" : "");
        WriteTile("NXDOMAIN rate", StatusText.Percent(figures.NameErrorRate));
        WriteTile("kernel drops", StatusText.Number(figures.KernelDrops), figures.KernelDrops > 0 ? "bad" : "");
        WriteTile("CPU, of one core", StatusText.Percent(figures.CpuShare));
        WriteTile("memory", TextTable.Size(status.Server.ResidentBytes));
        WriteTile("TCP connections", StatusText.Number(status.Server.Tcp.Open));
        html.Add($"</dl></section>");
    }

    private void WriteTile(string name, string value, string style = "") =>
        html.Add($"""<div><dt>{name}</dt><dd class="{style}">{value}</dd></div>""");

    private void WriteCharts()
    {
        html.Add($"""<div id="charts" class="grid" data-live>""");
        StatusChart.Write(html, status, "Queries per second", isLogarithmic: false, StatusText.Number,
            new("one", "QPS", static step => step.QueriesPerSecond),
            new("failed", "SERVFAIL", static step => step.ServFailsPerSecond));
        StatusChart.Write(html, status, "Latency of local answers (zones and cache)", isLogarithmic: true, SecondsOf,
            new("one", "median", static step => step.LocalSeconds(0.5)),
            new("two", "p99", static step => step.LocalSeconds(0.99)));
        if (status.Server.Forwarding is not null)
            StatusChart.Write(html, status, "Latency of forwarded answers", isLogarithmic: true, SecondsOf,
                new("one", "median", static step => step.ForwardedSeconds(0.5)),
                new("two", "p99", static step => step.ForwardedSeconds(0.99)));
        html.Add($"</div>");
    }

    private static string SecondsOf(double value) => StatusText.Seconds(value);

    private static string NameOf(HistoryRange range) => range switch
    {
        HistoryRange.FiveMinutes => "5 min",
        HistoryRange.Hour => "1 h",
        _ => "since start",
    };
}
