namespace Dns.Transport.Outgoing;

/// <summary>Loops of connections to other servers that survive exceptions, by their labels in metrics.</summary>
public static class OutgoingLoops
{
    /// <summary>Sending the first upstream query for a question.</summary>
    public const string UpstreamQuery = "upstream_query";

    /// <summary>Receiving datagrams from upstreams.</summary>
    public const string UpstreamDatagram = "upstream_datagram";

    /// <summary>Receiving and sending on a stream to an upstream.</summary>
    public const string UpstreamStream = "upstream_stream";

    /// <summary>The timers of upstream queries.</summary>
    public const string UpstreamTimer = "upstream_timer";

    /// <summary>Completing a query that waits for an upstream's answer.</summary>
    public const string DeferredReply = "deferred_reply";

    /// <summary>All of them.</summary>
    public static IReadOnlyList<string> All { get; } =
        [UpstreamQuery, UpstreamDatagram, UpstreamStream, UpstreamTimer, DeferredReply];
}
