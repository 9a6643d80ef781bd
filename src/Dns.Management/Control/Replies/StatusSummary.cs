using Dns.Forwarding;

namespace Dns.Management;

/// <summary>A warning, with <c>error</c> or <c>warning</c> for its severity.</summary>
internal sealed record WarningLine(string Severity, string Text, IReadOnlyList<string> Details);

/// <summary>What <c>dnsd status --json</c> shows of the state of the server: its properties are a contract.</summary>
internal sealed record StatusSummary(
    string Version, int ProcessId, double UptimeSeconds, string? SettingsFile, IReadOnlyList<string> Listening, string UdpListener,
    string LogLevel, bool IsLoaded, int ZonesServed, int ZonesBroken, long Records, long ZoneBytes, long ResidentBytes,
    int Upstreams, int UpstreamsDown, long CacheEntries, long CacheBytes)
{
    /// <summary>Of the zones served, those whose file has errors: what was there before is served.</summary>
    public int ZonesOutdated { get; init; }

    /// <summary>Of the zones served, those with DNSSEC records, to whose negative answers no proofs are added.</summary>
    public int ZonesSigned { get; init; }

    /// <summary>The warnings about upstreams that are not asked.</summary>
    public IReadOnlyList<string> UpstreamWarnings { get; init; } = [];

    /// <summary>What an operator has to look at, errors first.</summary>
    public IReadOnlyList<WarningLine> Warnings { get; init; } = [];

    /// <summary>That of a state.</summary>
    public static StatusSummary Of(ServerStatus status)
    {
        IReadOnlyList<UpstreamStatus> upstreams = status.Forwarding?.Upstreams ?? [];
        return new StatusSummary(
            status.Version, status.ProcessId, Math.Round(status.Uptime.TotalSeconds, 1), status.SettingsFile, status.Listening,
            StatusText.Of(status.UdpListener), status.LogLevel, status.IsLoaded, status.Zones.Serving,
            status.Zones.Broken + status.Zones.Loading, status.Zones.Records, status.Zones.MemoryBytes, status.ResidentBytes,
            upstreams.Count, upstreams.Count(upstream => upstream.State != UpstreamState.Up), status.Forwarding?.Cache.Entries ?? 0,
            status.Forwarding?.Cache.Bytes ?? 0)
        {
            ZonesOutdated = status.Zones.Stale,
            ZonesSigned = status.Zones.Signed,
            UpstreamWarnings = [.. Management.UpstreamWarnings.Of(upstreams)],
            Warnings = [.. status.Warnings.Select(one => new WarningLine(one.Severity, one.Text, one.Details))],
        };
    }
}
