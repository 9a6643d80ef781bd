using Serilog.Events;

namespace Dns.Management.Admin;

/// <content>The tables and the two forms.</content>
public sealed partial class StatusHtml
{
    private void WriteLookup(ExplainedLookup? lookup)
    {
        (string? name, string? type, string? client) = query.Lookup;
        html.Add($"""<section id="why"><h2>Lookup: why is an answer what it is?</h2><form action="./#why">""");
        WriteHiddenRange();
        html.Add($"""<label>name <input name="name" value="{name}" placeholder="www.example.com" """);
        html.Add($"""maxlength="{WhyQuery.MaxArgument}" required></label> """);
        html.Add($"""<label>type <input name="type" value="{type ?? "A"}" size="8" maxlength="20"></label> """);
        html.Add(
            $"""<label>client <input name="client" value="{client}" placeholder="127.0.0.1" size="14" maxlength="60"></label> """);
        html.Add($"""<button>Explain</button></form>""");
        if (lookup?.Error is { } error) html.Add($"""<p class="bad">{error}</p>""");
        if (lookup?.Explanation is { } explanation) WriteExplanation(explanation);
        html.Add($"</section>");
    }

    private void WriteHiddenRange() =>
        html.Add($"""<input type="hidden" name="range" value="{StatusQuery.TextOf(query.Range)}">""");

    private void WriteExplanation(Explanation explanation)
    {
        html.Add($"<p><strong>{explanation.Question}</strong>, queried by {explanation.Client}</p>");
        if (explanation.Hint is { } hint) html.Add($"<p>{hint}</p>");
        html.Add($"<ol>");
        foreach (ExplanationStep step in explanation.Steps)
        {
            html.Add($"<li><b>{step.Name}</b><br>from {step.Source}<br>{step.Rule}");
            foreach (string detail in step.Details) html.Add($"<small>{detail}</small>");
            html.Add($"</li>");
        }
        html.Add($"</ol><p>{explanation.Outcome}</p>");
        if (explanation.Message.Count > 0) html.Add($"<pre>{string.Join('\n', explanation.Message)}</pre>");
    }

    private void WriteZones()
    {
        html.Add($"""<section id="zones"><div class="bar"><h2>Zones</h2><form action="./#zones" data-search>""");
        WriteHiddenRange();
        html.Add(
            $"""<label>name contains <input type="search" name="zones" value="{query.Zones}" maxlength="255"></label> """);
        html.Add($"""<button>Search</button></form></div><div id="zonelist" data-live>""");
        ZoneTotals totals = status.Server.Zones;
        html.Add(
            $"""<p class="soft">{Counted.Of(totals.Serving, "zone")} serving, {Counted.Of(totals.Records, "record")}, """);
        html.Add($"{TextTable.Size(totals.MemoryBytes)} · {totals.Failed} broken · {totals.Stale} with old data · ");
        html.Add($"{totals.Loading} loading · {totals.Signed} signed</p>");
        WriteHead(3, "zone", "role", "state", "serial", "records", "loaded", "next refresh");
        foreach (ZoneStatus zone in status.Zones.Zones)
        {
            html.Add($"<tr><td>{zone.Name}</td><td class=\"word\">{zone.Role}</td>");
            WriteState(StateOf(zone));
            WriteNumber("serial", zone.Serial?.ToString());
            WriteNumber("records", zone.Serial is null ? "" : StatusText.Number(zone.Records));
            WriteNumber("loaded", zone.LoadedAt is { } at ? StatusText.Ago(status.Server.Now - at) + " ago" : "");
            WriteNumber("refresh", NextRefreshOf(zone));
            html.Add($"</tr>");
        }
        WriteEnd(
            status.Zones.Matches == 0 ? query.Zones.Length > 0 ? "no zone has this in its name" : "no zones" : null);
        WritePages(status.Zones);
        html.Add($"</div></section>");
    }

    private string NextRefreshOf(ZoneStatus zone) => zone switch
    {
        { Role: not "secondary" } => "",
        { NextRefresh: { } next } when next > status.Server.Now => "in " + StatusText.Ago(next - status.Server.Now),
        _ => "now",
    };

    private void WritePages(ZonePage page)
    {
        if (page.Last == 1) return;
        int first = (page.Number - 1) * page.Size + 1;
        html.Add($"""<nav class="pages">""");
        if (page.Number > 1)
            html.Add($"""<a href="{(query with { Page = page.Number - 1 }).ToAddress()}#zones">previous</a> """);
        html.Add($"<span>{first} to {first + page.Zones.Count - 1} of {page.Matches}</span> ");
        if (page.Number < page.Last)
            html.Add($"""<a href="{(query with { Page = page.Number + 1 }).ToAddress()}#zones">next</a>""");
        html.Add($"</nav>");
    }

    private static (string Style, string State) StateOf(ZoneStatus zone) => zone switch
    {
        { Phase: ZoneState.Stale, Failure: { } failure } => ("bad", "old data: " + failure),
        { Phase: ZoneState.Expired, Failure: { } failure } => ("bad", "expired: " + failure),
        { Failure: { } failure } => ("bad", "broken: " + failure),
        { Phase: ZoneState.Loading } => ("warn", "loading"),
        { SignatureFault: { } fault } => ("warn", "serving, signed: " + fault),
        { IsSigned: true } => ("good", "serving, signed"),
        _ => ("good", "serving"),
    };

    private void WriteUpstreams(IReadOnlyList<UpstreamStatus> upstreams)
    {
        html.Add($"""<section id="upstreams" class="wide"><h2>Upstreams</h2>""");
        WriteHead(3, "upstream", "state", "zones", "round trip", "sent", "answered", "timed out");
        foreach (UpstreamStatus one in upstreams.OrderBy(one => one.State == UpstreamState.Up))
        {
            html.Add($"<tr><td>{one.Address.ToString()}</td>");
            WriteState(one.State == UpstreamState.Up ? "good" : "bad",
                one.State == UpstreamState.Down ? StatusText.Down(one) : StatusText.Of(one.State));
            html.Add($"""<td data-name="zones">{string.Join(' ', one.Zones)}</td>""");
            WriteNumber("round trip",
                one.RoundTripMs > 0 ? StatusText.Seconds(one.RoundTripMs / 1000) : StatusText.None);
            WriteNumber("sent", StatusText.Number(one.Sent));
            WriteNumber("answered", StatusText.Number(one.Answered));
            WriteNumber("timed out", StatusText.Number(one.TimedOut));
            html.Add($"</tr>");
        }
        WriteEnd(upstreams.Count == 0 ? "none" : null);
        html.Add($"</section>");
    }

    private void WriteCache(ForwardingStatus forwarding)
    {
        html.Add($"""<section id="cache" class="wide"><h2>Cache, since start</h2><dl class="tiles small">""");
        WriteTile("entries", StatusText.Number(forwarding.Cache.Entries));
        WriteTile("memory", TextTable.Size(forwarding.Cache.Bytes));
        WriteTile("hits", StatusText.Number(forwarding.Cache.Hits));
        WriteTile("misses", StatusText.Number(forwarding.Cache.Misses));
        WriteTile("stale", StatusText.Number(forwarding.Cache.Stale));
        WriteTile("evicted", StatusText.Number(forwarding.Cache.Evicted));
        WriteTile("queries in flight", StatusText.Number(forwarding.InFlight));
        html.Add($"</dl></section>");
    }

    private void WriteCounts(string title, string id, IReadOnlyList<NamedCount> counts)
    {
        double total = Math.Max(1, counts.Sum(one => one.Count));
        html.Add($"""<section id="{id}"><h2>{title}</h2><table><tbody>""");
        foreach (NamedCount one in counts.Take(MostCounts))
        {
            html.Add($"""<tr><td>{one.Name}</td><td class="n">{StatusText.Number(one.Count)}</td>""");
            html.Add($"""<td class="n">{StatusText.Percent(one.Count / total)}</td></tr>""");
        }
        WriteEnd(counts.Count == 0 ? "none" : null);
        html.Add($"</section>");
    }

    private void WriteTop(string title, string id, IReadOnlyList<TopEntry> entries)
    {
        html.Add($"""<section id="{id}"><h2>{title}</h2><table><tbody>""");
        foreach (TopEntry entry in entries)
            html.Add($"""<tr><td>{entry.Text}</td><td class="n">{StatusText.Percent(entry.Share)}</td></tr>""");
        WriteEnd(entries.Count == 0 ? "no samples yet" : null);
        html.Add($"</section>");
    }

    private void WriteLog()
    {
        html.Add($"""<section id="log" data-live><h2>Last warnings and errors of the log, times in UTC</h2>""");
        html.Add($"""<table class="cards"><tbody>""");
        foreach (LogLine line in status.Log)
        {
            html.Add($"""<tr><td class="time">{line.At.UtcDateTime.ToString("yyyy-MM-dd HH:mm:ss")}</td>""");
            WriteState(line.Level == LogEventLevel.Warning ? "warn" : "bad", line.Level.ToString().ToLowerInvariant());
            html.Add($"""<td>{line.Event}</td><td class="text">{line.Text}</td></tr>""");
        }
        WriteEnd(status.Log.Count == 0 ? "none" : null);
        html.Add($"</section>");
    }

    /// <summary>Starts a table whose columns from one on are numbers.</summary>
    private void WriteHead(int firstNumber, params ReadOnlySpan<string> names)
    {
        html.Add($"""<table class="cards"><thead><tr>""");
        for (int i = 0; i < names.Length; i++)
            html.Add($"""<th class="{(i < firstNumber ? "" : "n")}">{names[i]}</th>""");
        html.Add($"</tr></thead><tbody>");
    }

    private void WriteState((string Style, string Text) state) => WriteState(state.Style, state.Text);

    private void WriteState(string style, string text) => html.Add($"""<td class="{style}">{text}</td>""");

    /// <summary>Writes a number with its label for narrow screens.</summary>
    private void WriteNumber(string name, string? number) =>
        html.Add($"""<td class="n" data-name="{name}">{number}</td>""");

    /// <summary>Ends a table; <paramref name="none"/> is the text of an empty one, null if it has rows.</summary>
    private void WriteEnd(string? none)
    {
        if (none is not null) html.Add($"""<tr><td class="soft" colspan="5">{none}</td></tr>""");
        html.Add($"</tbody></table>");
    }
}
