using System.Buffers;

namespace Dns.Management.Control.Replies;

/// <summary>Whether every zone has been loaded or has failed.</summary>
public sealed record Readiness(bool IsReady);

/// <summary>Answers <c>dnsd status</c>, <c>dnsd stats</c> and <c>dnsd ready</c>.</summary>
public sealed class StatusReplies(StatusReader status, HealthReport health)
{
    public ControlReply Status(ControlCall call)
    {
        ServerStatus now = status.Read();
        return call.Reply(StatusSummary.Of(now), ControlJson.Default.StatusSummary, text => Write(now, text));
    }

    public ControlReply Statistics(ControlCall call)
    {
        Statistics statistics = Replies.Statistics.Of(status.Read());
        return call.Reply(statistics, ControlJson.Default.Statistics, statistics.Write);
    }

    /// <summary>Answers <c>dnsd ready</c>, like <c>/health/ready</c> of the admin port.</summary>
    public ControlReply Ready(ControlCall call)
    {
        ArrayBufferWriter<byte> text = new();
        bool isReady = health.IsReady;
        health.Write(text);
        string said = Encoding.UTF8.GetString(text.WrittenSpan);
        return call.Reply(new Readiness(isReady), ControlJson.Default.Readiness,
            output => output.Write(said)) with { IsBad = !isReady };
    }

    private static void Write(ServerStatus status, TextWriter text)
    {
        TextTable table = new(false, false);
        ZoneTotals zones = status.Zones;
        string outdated = zones.Stale == 0 ? "" : $", {zones.Stale:N0} with old data";
        string broken = zones.Broken == 0 ? "" : $", {zones.Broken:N0} broken";
        string loading = zones.Loading == 0 ? "" : $", {zones.Loading:N0} not loaded yet";
        table.Add("version", status.Version);
        table.Add("process", $"{status.ProcessId}, for {TextTable.Duration(status.Uptime)}");
        table.Add("settings", status.SettingsFile ?? "none");
        table.Add("listening", $"{string.Join(", ", status.Listening)} ({StatusText.Of(status.UdpListener)})");
        table.Add("zones", $"{zones.Serving:N0} served{outdated}{broken}{loading}");
        table.Add("records", $"{zones.Records:N0} in {TextTable.Size(zones.MemoryBytes)}");
        table.Add("memory", TextTable.Size(status.ResidentBytes));
        table.Add("log level", status.LogLevel);
        if (status.Forwarding is { Upstreams: var upstreams, Cache: var cache })
        {
            int down = upstreams.Count(upstream => upstream.State != UpstreamState.Up);
            table.Add("upstreams", $"{upstreams.Count}{(down == 0 ? "" : $", {down} down")}");
            table.Add("cache", $"{cache.Entries:N0} answers in {TextTable.Size(cache.Bytes)}");
        }
        foreach (StatusWarning warning in status.Warnings) table.Add(warning.Severity, warning.Text);
        table.Write(text);
    }
}
