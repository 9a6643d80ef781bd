namespace Dns.Management.Control.Replies;

/// <summary>A warning, with <c>error</c> or <c>warning</c> as its severity.</summary>
public sealed record WarningLine(string Severity, string Text, IReadOnlyList<string> Details);

/// <summary>The output of <c>dnsd status --json</c>: its properties are a stable interface.</summary>
public sealed record StatusSummary(
    string Version, int ProcessId, double UptimeSeconds, string? SettingsFile, IReadOnlyList<string> Listening,
    string UdpListener,
    string LogLevel, bool IsLoaded, int ZonesServed, int ZonesBroken, long Records, long ZoneBytes, long ResidentBytes,
    int Upstreams, int UpstreamsDown, long CacheEntries, long CacheBytes)
{
    /// <summary>Served zones whose file has errors, so that a previous version is served.</summary>
    public int ZonesOutdated { get; init; }

    /// <summary>Served zones with DNSSEC records.</summary>
    public int ZonesSigned { get; init; }

    /// <summary>Warnings about upstreams that are not used.</summary>
    public IReadOnlyList<string> UpstreamWarnings { get; init; } = [];

    /// <summary>The views in their order, the default one last.</summary>
    public IReadOnlyList<ViewStatus> Views { get; init; } = [];

    /// <summary>All warnings, errors first.</summary>
    public IReadOnlyList<WarningLine> Warnings { get; init; } = [];

    public static StatusSummary Of(ServerStatus status)
    {
        IReadOnlyList<UpstreamStatus> upstreams = status.Forwarding?.Upstreams ?? [];
        return new StatusSummary(
            status.Version, status.ProcessId, Math.Round(status.Uptime.TotalSeconds, 1), status.SettingsFile,
            status.Listening, StatusText.Of(status.UdpListener), status.LogLevel, status.IsLoaded, status.Zones.Serving,
            status.Zones.Broken + status.Zones.Loading, status.Zones.Records, status.Zones.MemoryBytes,
            status.ResidentBytes,
            upstreams.Count, upstreams.Count(upstream => upstream.State != UpstreamState.Up),
            status.Forwarding?.Cache.Entries ?? 0, status.Forwarding?.Cache.Bytes ?? 0)
        {
            ZonesOutdated = status.Zones.Stale,
            ZonesSigned = status.Zones.Signed,
            Views = status.Views,
            UpstreamWarnings = [.. Status.UpstreamWarnings.Of(upstreams)],
            Warnings = [.. status.Warnings.Select(one => new WarningLine(one.Severity, one.Text, one.Details))],
        };
    }
}
