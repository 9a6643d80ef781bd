namespace Dns.Management.Control.Replies;

internal sealed record UpstreamLine(
    string Address, string State, double RoundTripMs, long Sent, long Answered, long TimedOut, long Mismatched);

/// <summary>Output of <c>dnsd stats</c>: counters since the start, named as in metrics. A stable interface.</summary>
internal sealed record Statistics(
    IReadOnlyList<NamedCount> Kinds, IReadOnlyList<NamedCount> Codes, IReadOnlyList<NamedCount> Types,
    IReadOnlyList<NamedCount> Transport, IReadOnlyList<NamedCount> Defence, IReadOnlyList<NamedCount> Forwarding,
    IReadOnlyList<NamedCount> Cache, IReadOnlyList<UpstreamLine> Upstreams)
{
    public static Statistics Of(ServerStatus status) => new(
        [.. CounterGroups.Kinds(status.Answers), new("deferred", status.Answers.Of(AnswerKind.Later))],
        [.. CounterGroups.Rcodes(status.Answers.Answers)],
        [.. CounterGroups.Types(status.Answers).OrderByDescending(type => type.Count)],
        TransportOf(status), DefenceOf(status),
        status.Forwarding is { } forwarding ? ForwardingOf(forwarding) : [],
        status.Forwarding is { Cache: var cache } ? CacheOf(cache) : [],
        [.. (status.Forwarding?.Upstreams ?? []).Select(upstream => new UpstreamLine(
            upstream.Address.ToString(), StatusText.Of(upstream.State), Math.Round(upstream.RoundTripMs, 1),
            upstream.Sent, upstream.Answered, upstream.TimedOut, upstream.Mismatched))]);

    public void Write(TextWriter text)
    {
        Write(text, "queries by kind of answer", Kinds);
        Write(text, "answers by RCODE", Codes);
        Write(text, "queries by type", Types);
        Write(text, "transport", Transport);
        Write(text, "defence", Defence);
        Write(text, "forwarding", Forwarding);
        Write(text, "cache", Cache);
        if (Upstreams.Count == 0) return;
        TextTable table = new(false, false, true, true, true, true, true);
        table.Add("UPSTREAM", "STATE", "ROUND TRIP", "SENT", "ANSWERED", "TIMED OUT", "MISMATCHED");
        foreach (UpstreamLine upstream in Upstreams)
            table.Add(upstream.Address, upstream.State, $"{upstream.RoundTripMs:0.0} ms", $"{upstream.Sent:N0}",
                $"{upstream.Answered:N0}", $"{upstream.TimedOut:N0}", $"{upstream.Mismatched:N0}");
        table.Write(text);
    }

    private static NamedCount[] TransportOf(ServerStatus status)
    {
        (UdpCounters udp, TcpCounters tcp) = (status.Udp, status.Tcp);
        return
        [
            new("UDP received", udp.Received), new("UDP sent", udp.Sent), new("UDP unanswered", udp.Unanswered),
            new("UDP kernel drops", udp.KernelDrops), new("UDP send errors", udp.SendErrors),
            new("TCP connections open", tcp.Open),
            .. Prefixed("TCP connections", CounterGroups.TcpConnections(tcp)),
            .. Prefixed("TCP closed:", CounterGroups.TcpClosed(tcp)),
            new("TCP received", tcp.Received), new("TCP sent", tcp.Sent),
        ];
    }

    private static NamedCount[] DefenceOf(ServerStatus status) =>
    [
        .. Prefixed("cookies:", CounterGroups.Cookies(status.Answers)),
        .. Prefixed("rate limit:", CounterGroups.RateLimit(status.RateLimit)),
        new("bad headers of proxies", status.BadProxyDatagrams + status.Tcp.BadProxyHeaders),
    ];

    private static NamedCount[] ForwardingOf(ForwardingStatus forwarding)
    {
        ForwarderCounters counters = forwarding.Counters;
        return
        [
            .. CounterGroups.Forwarding(counters), new("in flight", forwarding.InFlight),
            new("waiting", forwarding.Waiting),
            new("sent", counters.Sent), new("mismatched", counters.Mismatched),
            new("TCP fallbacks", counters.StreamFallbacks),
        ];
    }

    private static NamedCount[] CacheOf(CacheCounters cache) =>
    [
        new("entries", cache.Entries), new("bytes", cache.Bytes), .. CounterGroups.CacheLookups(cache),
        new("stored", cache.Stored), .. CounterGroups.CacheRemoved(cache),
    ];

    private static IEnumerable<NamedCount> Prefixed(string prefix, IEnumerable<NamedCount> group) =>
        group.Select(one => new NamedCount($"{prefix} {one.Name}", one.Count));

    private static void Write(TextWriter text, string title, IReadOnlyList<NamedCount> counts)
    {
        if (counts.Count == 0) return;
        TextTable table = new(false, true);
        foreach (NamedCount count in counts) table.Add("  " + count.ToText(), $"{count.Count:N0}");
        text.WriteLine(title);
        table.Write(text);
    }
}
