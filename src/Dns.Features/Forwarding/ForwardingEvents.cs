using Microsoft.Extensions.Logging;

namespace Dns.Features.Forwarding;

/// <summary>Events 401 to 499: the forwarder and its cache.</summary>
public static partial class ForwardingEvents
{
    /// <summary>Names in this zone are forwarded to these upstreams, in the order of the settings.</summary>
    [LoggerMessage(401, LogLevel.Information, "Forwarding {Zone} to {Upstreams} ({Policy})")]
    public static partial void Forwarding(this ILogger logger, DomainName zone, string upstreams, string policy);

    /// <summary>The limit of open files is low: raise it (<c>LimitNOFILE</c>), or configure fewer upstreams.</summary>
    [LoggerMessage(402, LogLevel.Warning,
        "Each upstream has {Sockets} sockets instead of {Wished}, so that forged replies need fewer guesses: the "
            + "process may open {Files} files")]
    public static partial void FewSockets(this ILogger logger, int sockets, int wished, ulong? files);

    /// <summary>
    /// The system had no socket for the upstream: the limit of open files is reached, no memory is left, or no port is
    /// free. That does not count against the upstream.
    /// </summary>
    [LoggerMessage(403, LogLevel.Warning,
        "No further socket for {Upstream}: {Reason}; the open ones are used (logged once for each upstream, then counted)")]
    public static partial void NoFurtherSocket(this ILogger logger, IPEndPoint upstream, string reason);

    /// <summary>Forwarding is configured but no client may use it: list the networks of its clients.</summary>
    [LoggerMessage(404, LogLevel.Warning,
        "Dns:Recursion:AllowFrom is empty: forwarded names are REFUSED for all clients")]
    public static partial void NoClientAllowed(this ILogger logger);

    /// <summary>The cache was loaded from its file.</summary>
    [LoggerMessage(405, LogLevel.Information, "Cache: {Entries} loaded from {File}")]
    public static partial void CacheLoaded(this ILogger logger, string entries, string file);

    /// <summary>The file is damaged, of another version, or cannot be read; the cache begins empty.</summary>
    [LoggerMessage(406, LogLevel.Warning, "Cache: {File} is not used: {Fault}")]
    public static partial void CacheNotUsed(this ILogger logger, string file, string? fault);

    /// <summary>The cache was saved for the next start.</summary>
    [LoggerMessage(407, LogLevel.Information, "Cache: {Entries} saved to {File}")]
    public static partial void CacheKept(this ILogger logger, string entries, string file);

    /// <summary>
    /// The file cannot be written. The previous file is unchanged; the next start uses it, or begins empty.
    /// </summary>
    [LoggerMessage(408, LogLevel.Warning, "Cache: not saved to {File}: {Fault}")]
    public static partial void CacheNotKept(this ILogger logger, string file, string fault);

    /// <summary>
    /// Checked at the start: the cache would be lost at the stop. Configure a file in a directory that the server may
    /// write to.
    /// </summary>
    [LoggerMessage(409, LogLevel.Warning, "Cache: cannot be saved to {File}: {Fault}")]
    public static partial void CacheCannotBeKept(this ILogger logger, string file, string fault);

    /// <summary>
    /// The upstream has sent nothing for 2 seconds, not even to probes, or for 2 seconds nothing could be sent to it:
    /// there is no route, no address to send from, or a local firewall. It is queried after the other upstreams of its
    /// zones.
    /// </summary>
    [LoggerMessage(410, LogLevel.Warning, "Upstream {Upstream} of {Zones} is down: {Reason}")]
    public static partial void UpstreamDown(this ILogger logger, PeerAddress upstream, string zones, string reason);

    /// <summary>The upstream is up again.</summary>
    [LoggerMessage(411, LogLevel.Information, "Upstream {Upstream} of {Zones} answers again, after {Seconds} s")]
    public static partial void UpstreamBack(this ILogger logger, PeerAddress upstream, string zones, double seconds);

    /// <summary>
    /// A query came back to this server, or the upstream is an address of <c>Dns:Listen</c>: configure the intended
    /// server.
    /// </summary>
    [LoggerMessage(412, LogLevel.Warning, "Upstream {Upstream} of {Zones} is this server and is not queried")]
    public static partial void UpstreamIsSelf(this ILogger logger, PeerAddress upstream, string zones);

    /// <summary>No upstream of these zones answers: clients get stale answers or SERVFAIL at once.</summary>
    [LoggerMessage(413, LogLevel.Error, "All upstreams of {Zone} are down: clients get stale answers or SERVFAIL")]
    public static partial void AllUpstreamsDown(this ILogger logger, DomainName zone);

    /// <summary>Many zones are forwarded: only the first ones have a line (D401) each.</summary>
    [LoggerMessage(414, LogLevel.Information, "Forwarding {Zones:N0} more: see the settings")]
    public static partial void ForwardingMore(this ILogger logger, int zones);
}
