using System.Text.Json;

namespace Dns.Management.Admin;

/// <summary>Writes the server status as JSON: <c>/api/status</c>. A field without a value is null.</summary>
public static class StatusJson
{
    public const int ZonesOfPage = 500;

    public static void Write(Utf8JsonWriter json, StatusPageModel status)
    {
        json.WriteStartObject();
        json.WriteString("version", status.Server.Version);
        json.WriteString("identity", status.Server.Identity);
        json.WriteString("now", status.Server.Now);
        json.WriteNumber("uptimeSeconds", (long)status.Server.Uptime.TotalSeconds);
        WriteArray(json, "listen", status.Server.Listening, static (json, endPoint) => json.WriteStringValue(endPoint));
        WriteArray(json, "warnings", status.Server.Warnings, WriteWarning);
        WriteFigures(json, status);
        WriteHistory(json, status.Steps);
        json.WriteStartObject("queries");
        json.WriteNumber("udp", status.Server.Udp.Received);
        json.WriteNumber("tcp", status.Server.Tcp.Received);
        json.WriteNumber("tcpConnections", status.Server.Tcp.Open);
        json.WriteNumber("kernelDrops", status.Server.Udp.KernelDrops);
        json.WriteNumber("truncated", status.Server.Answers.Truncated);
        json.WriteNumber("octets", status.Server.Answers.Octets);
        json.WriteEndObject();
        WriteCounts(json, "rcodes", status.Rcodes);
        WriteCounts(json, "types", status.Types);
        WriteZones(json, status);
        WriteArray(json, "upstreams", status.Server.Forwarding?.Upstreams ?? [], WriteUpstream);
        WriteCache(json, status.Server.Forwarding);
        WriteArray(json, "names", status.Names, WriteTop);
        WriteArray(json, "clients", status.Clients, WriteTop);
        WriteArray(json, "errors", status.Log, WriteLine);
        json.WriteStartObject("process");
        json.WriteNumber("residentBytes", status.Server.ResidentBytes);
        json.WriteNumber("cpuSeconds", Math.Round(status.Server.Cpu.TotalSeconds, 2));
        json.WriteNumber("threads", status.Server.Threads);
        json.WriteEndObject();
        json.WriteEndObject();
    }

    private static void WriteArray<T>(Utf8JsonWriter json, string name, IReadOnlyList<T> list,
        Action<Utf8JsonWriter, T> write)
    {
        json.WriteStartArray(name);
        foreach (T one in list) write(json, one);
        json.WriteEndArray();
    }

    private static void WriteWarning(Utf8JsonWriter json, StatusWarning warning)
    {
        json.WriteStartObject();
        json.WriteString("severity", warning.Severity);
        json.WriteString("text", warning.Text);
        WriteArray(json, "details", warning.Details, static (json, detail) => json.WriteStringValue(detail));
        json.WriteEndObject();
    }

    private static void WriteFigures(Utf8JsonWriter json, StatusPageModel status)
    {
        HistoryFigures figures = status.Figures;
        json.WriteStartObject("figures");
        json.WriteString("range", StatusQuery.TextOf(status.Range));
        json.WriteNumber("seconds", Math.Round(figures.Seconds, 1));
        Write(json, "queriesPerSecond", figures.QueriesPerSecond);
        Write(json, "servFailRate", figures.ServFailRate);
        Write(json, "nxDomainRate", figures.NameErrorRate);
        WriteMicroseconds(json, figures);
        Write(json, "hitRatio", figures.HitRatio);
        json.WriteNumber("stale", figures.Stale);
        json.WriteNumber("evicted", figures.Evicted);
        Write(json, "cpuPercent", figures.CpuShare * 100);
        json.WriteNumber("kernelDrops", figures.KernelDrops);
        json.WriteNumber("lostRecords", figures.LostRecords);
        json.WriteEndObject();
    }

    private static void WriteHistory(Utf8JsonWriter json, IReadOnlyList<(double Ago, HistoryFigures Figures)> steps) =>
        WriteArray(json, "history", steps, static (json, step) =>
        {
            json.WriteStartObject();
            json.WriteNumber("endedSecondsAgo", Math.Round(step.Ago, 1));
            json.WriteNumber("seconds", Math.Round(step.Figures.Seconds, 1));
            Write(json, "queriesPerSecond", step.Figures.QueriesPerSecond);
            Write(json, "servFailRate", step.Figures.ServFailRate);
            Write(json, "nxDomainRate", step.Figures.NameErrorRate);
            WriteMicroseconds(json, step.Figures);
            json.WriteEndObject();
        });

    private static void WriteMicroseconds(Utf8JsonWriter json, HistoryFigures figures)
    {
        Write(json, "localMedianMicroseconds", figures.LocalSeconds(0.5) * 1e6);
        Write(json, "localP99Microseconds", figures.LocalSeconds(0.99) * 1e6);
        Write(json, "forwardedMedianMicroseconds", figures.ForwardedSeconds(0.5) * 1e6);
        Write(json, "forwardedP99Microseconds", figures.ForwardedSeconds(0.99) * 1e6);
    }

    private static void Write(Utf8JsonWriter json, string name, double? value)
    {
        if (value is { } number) json.WriteNumber(name, Math.Round(number, 5));
        else json.WriteNull(name);
    }

    private static void Write(Utf8JsonWriter json, string name, DateTimeOffset? value)
    {
        if (value is { } time) json.WriteString(name, time);
        else json.WriteNull(name);
    }

    private static void WriteCounts(Utf8JsonWriter json, string name, IReadOnlyList<NamedCount> counts)
    {
        json.WriteStartObject(name);
        foreach (NamedCount one in counts) json.WriteNumber(one.Name, one.Count);
        json.WriteEndObject();
    }

    private static void WriteZones(Utf8JsonWriter json, StatusPageModel status)
    {
        ZoneTotals totals = status.Server.Zones;
        json.WriteStartObject("zones");
        json.WriteNumber("serving", totals.Serving);
        json.WriteNumber("loading", totals.Loading);
        json.WriteNumber("failed", totals.Failed);
        json.WriteNumber("expired", totals.Expired);
        json.WriteNumber("stale", totals.Stale);
        json.WriteNumber("signed", totals.Signed);
        json.WriteNumber("records", totals.Records);
        json.WriteNumber("bytes", totals.MemoryBytes);
        json.WriteNumber("matches", status.Zones.Matches);
        json.WriteNumber("page", status.Zones.Number);
        json.WriteNumber("pages", status.Zones.Last);
        WriteArray(json, "list", status.Zones.Zones, WriteZone);
        json.WriteEndObject();
    }

    private static void WriteZone(Utf8JsonWriter json, ZoneStatus zone)
    {
        json.WriteStartObject();
        json.WriteString("name", zone.Name);
        json.WriteString("role", zone.Role);
        json.WriteString("state", NameOf(zone.Phase));
        Write(json, "nextRefresh", zone.NextRefresh);
        Write(json, "expires", zone.Expires);
        json.WriteString("lastError", zone.LastError);
        if (zone.Serial is { } serial) json.WriteNumber("serial", serial);
        else json.WriteNull("serial");
        json.WriteNumber("records", zone.Records);
        json.WriteBoolean("signed", zone.IsSigned);
        Write(json, "loadedAt", zone.LoadedAt);
        json.WriteString("failure", zone.Failure);
        json.WriteEndObject();
    }

    // Stale data is served too; its failure distinguishes it.
    private static string NameOf(ZoneState state) => state switch
    {
        ZoneState.Loading => "loading",
        ZoneState.Failed => "failed",
        ZoneState.Expired => "expired",
        _ => "serving",
    };

    private static void WriteUpstream(Utf8JsonWriter json, UpstreamStatus upstream)
    {
        json.WriteStartObject();
        json.WriteString("address", upstream.Address.ToString());
        json.WriteString("zones", string.Join(' ', upstream.Zones));
        json.WriteString("state", StatusText.Of(upstream.State));
        bool isDown = upstream.State == UpstreamState.Down;
        Write(json, "downSeconds", isDown ? upstream.DownFor.TotalSeconds : null);
        json.WriteString("reason", isDown ? upstream.Reason : null);
        json.WriteNumber("roundTripMs", Math.Round(upstream.RoundTripMs, 2));
        json.WriteNumber("sent", upstream.Sent);
        json.WriteNumber("answered", upstream.Answered);
        json.WriteNumber("timedOut", upstream.TimedOut);
        json.WriteEndObject();
    }

    private static void WriteCache(Utf8JsonWriter json, ForwardingStatus? forwarding)
    {
        if (forwarding is null)
        {
            json.WriteNull("cache");
            return;
        }
        json.WriteStartObject("cache");
        json.WriteNumber("entries", forwarding.Cache.Entries);
        json.WriteNumber("bytes", forwarding.Cache.Bytes);
        json.WriteNumber("hits", forwarding.Cache.Hits);
        json.WriteNumber("misses", forwarding.Cache.Misses);
        json.WriteNumber("stale", forwarding.Cache.Stale);
        json.WriteNumber("evicted", forwarding.Cache.Evicted);
        json.WriteNumber("inFlight", forwarding.InFlight);
        json.WriteEndObject();
    }

    private static void WriteTop(Utf8JsonWriter json, TopEntry entry)
    {
        json.WriteStartObject();
        json.WriteString("text", entry.Text);
        json.WriteNumber("share", Math.Round(entry.Share, 4));
        json.WriteEndObject();
    }

    private static void WriteLine(Utf8JsonWriter json, LogLine line)
    {
        json.WriteStartObject();
        json.WriteString("at", line.At);
        json.WriteString("level", line.Level.ToString().ToLowerInvariant());
        json.WriteString("event", line.Event);
        json.WriteString("text", line.Text);
        json.WriteEndObject();
    }
}
