using System.Buffers;
using System.Diagnostics;
using System.Net;
using System.Text;
using Dns.Forwarding;
using Dns.Providers;
using Dns.Transport;
using Dns.Zones;

namespace Dns.Server;

/// <summary>What a server is and does, at a glance.</summary>
internal sealed record ServerStatus(
    string Version, int ProcessId, double UptimeSeconds, string? SettingsFile, IReadOnlyList<string> Listening, string UdpListener,
    string LogLevel, bool IsLoaded, int ZonesServed, int ZonesBroken, long Records, long ZoneBytes, long ResidentBytes,
    int Upstreams, int UpstreamsDown, long CacheEntries, long CacheBytes)
{
    /// <summary>Of the zones served, those whose file has errors: what was there before is served.</summary>
    public int ZonesOutdated { get; init; }

    /// <summary>Of the zones served, those with DNSSEC records, to whose negative answers no proofs are added.</summary>
    public int ZonesSigned { get; init; }

    /// <summary>What is to be known about upstreams that are not asked.</summary>
    public IReadOnlyList<string> UpstreamWarnings { get; init; } = [];
}

/// <summary>Whether every zone that can be loaded has been.</summary>
internal sealed record Readiness(bool IsReady);

/// <summary><c>dnsd status</c>.</summary>
internal sealed class StatusVerb(
    ListenerSet listeners, MasterFileProvider provider, ZoneReloading zones, LogLevels levels, SettingsReloading settings,
    HealthReport health, TimeProvider clock, Forwarder? forwarder = null)
{
    private readonly long _started = clock.GetTimestamp();

    /// <summary>Answers the verb.</summary>
    public ControlReply Status(ControlCall call)
    {
        ZoneLoadSummary served = provider.Served;
        IReadOnlyList<UpstreamStatus> upstreams = forwarder?.Upstreams ?? [];
        CacheCounters cache = forwarder?.Cache.Counters ?? default;
        using Process self = Process.GetCurrentProcess();
        ServerStatus status = new(
            ProgramVersion.Full, Environment.ProcessId, Math.Round(clock.GetElapsedTime(_started).TotalSeconds, 1), settings.File,
            [.. listeners.EndPoints.Select(endPoint => endPoint.ToString())], listeners.UdpListener.ToString().ToLowerInvariant(),
            levels.Least.ToString(), zones.IsLoaded, served.Loaded, served.Failed, served.Records, served.MemoryBytes,
            self.WorkingSet64, upstreams.Count, upstreams.Count(upstream => upstream.State != UpstreamState.Up), cache.Entries,
            cache.Bytes)
        {
            ZonesOutdated = provider.Zones.Count(zone => zone is { Data: not null, Failure: not null }),
            UpstreamWarnings = [.. Dns.Server.UpstreamWarnings.Of(upstreams)],
            ZonesSigned = provider.Zones.Count(zone => zone is { Data.IsSigned: true }),
        };
        return call.Reply(status, ControlJson.Default.ServerStatus, text => Write(status, text));
    }

    /// <summary>Answers <c>dnsd ready</c>: what <c>/health/ready</c> of the admin port says.</summary>
    public ControlReply Ready(ControlCall call)
    {
        ArrayBufferWriter<byte> text = new();
        bool isReady = health.IsReady;
        health.Write(text);
        string said = Encoding.UTF8.GetString(text.WrittenSpan);
        return call.Reply(new Readiness(isReady), ControlJson.Default.Readiness, output => output.Write(said)) with { IsBad = !isReady };
    }

    private static void Write(ServerStatus status, TextWriter text)
    {
        TextTable table = new(false, false);
        string broken = status.ZonesBroken == 0 ? "" : status.IsLoaded
            ? $", {status.ZonesBroken:N0} broken" : $", {status.ZonesBroken:N0} not loaded yet";
        string outdated = status.ZonesOutdated == 0 ? "" : $", {status.ZonesOutdated:N0} with old data";
        table.Add("version", status.Version);
        table.Add("process", $"{status.ProcessId}, for {TextTable.Duration(TimeSpan.FromSeconds(status.UptimeSeconds))}");
        table.Add("settings", status.SettingsFile ?? "none");
        table.Add("listening", $"{string.Join(", ", status.Listening)} ({status.UdpListener})");
        table.Add("zones", $"{status.ZonesServed:N0} served{outdated}{broken}");
        if (status.ZonesSigned > 0)
            table.Add("warning", $"{Counted.Of(status.ZonesSigned, "zone")} signed: {ZoneReports.SignedWarning}");
        table.Add("records", $"{status.Records:N0} in {TextTable.Size(status.ZoneBytes)}");
        table.Add("memory", TextTable.Size(status.ResidentBytes));
        table.Add("log level", status.LogLevel);
        foreach (string warning in status.UpstreamWarnings) table.Add("warning", warning);
        if (status.Upstreams > 0)
        {
            string down = status.UpstreamsDown == 0 ? "" : $", {status.UpstreamsDown} down";
            table.Add("upstreams", $"{status.Upstreams}{down}");
            table.Add("cache", $"{status.CacheEntries:N0} answers in {TextTable.Size(status.CacheBytes)}");
        }
        table.Write(text);
    }
}
