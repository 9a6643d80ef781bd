namespace Dns.Management.Control.Replies;

/// <summary>An upstream as <c>dnsd stats</c> shows it: its round trip and its counters.</summary>
public sealed record UpstreamLine(
    string Address, string State, double RoundTripMs, long Sent, long Answered, long TimedOut, long Mismatched);

/// <summary>Counters below a title.</summary>
public sealed record TitledCounts(string Title, IReadOnlyList<NamedCount> Counts);

/// <summary>Output of <c>dnsd stats</c>: counters since the start, named as in metrics. A stable interface.</summary>
public sealed record Statistics(
    IReadOnlyList<NamedCount> Kinds, IReadOnlyList<NamedCount> Codes, IReadOnlyList<NamedCount> Types,
    IReadOnlyList<NamedCount> Transport, IReadOnlyList<NamedCount> Defence, IReadOnlyList<NamedCount> Forwarding,
    IReadOnlyList<NamedCount> Cache, IReadOnlyList<UpstreamLine> Upstreams)
{
    public static Statistics Of(ServerStatus status) => new(
        [.. CounterGroups.Kinds(status.Answers), new("deferred", status.Answers.Of(AnswerKind.Later))],
        [.. CounterGroups.Rcodes(status.Answers.Answers)],
        [.. CounterGroups.Types(status.Answers).OrderByDescending(type => type.Count)],
        TransportOf(status),
        [
            .. RowsOf(status, CountGroup.Defence),
            new("bad headers of proxies", status.BadProxyDatagrams + status.Tcp.BadProxyHeaders),
        ],
        RowsOf(status, CountGroup.Forwarding), RowsOf(status, CountGroup.Cache),
        [.. (status.Forwarding?.Upstreams ?? []).Select(upstream => new UpstreamLine(
            upstream.Address.ToString(), StatusText.Of(upstream.State), Math.Round(upstream.RoundTripMs, 1),
            upstream.Sent, upstream.Answered, upstream.TimedOut, upstream.Mismatched))])
    {
        Others = [.. from one in status.Counts
                     where one.Title is not (CountGroup.Defence or CountGroup.Forwarding or CountGroup.Cache)
                     group one by one.Title into titled
                     select new TitledCounts(titled.Key, [.. titled.SelectMany(counts => counts.Named)])],
    };

    /// <summary>Counters of further features.</summary>
    public IReadOnlyList<TitledCounts> Others { get; init; } = [];

    public void Write(TextWriter text)
    {
        Write(text, "queries by kind of answer", Kinds);
        Write(text, "answers by RCODE", Codes);
        Write(text, "queries by type", Types);
        Write(text, "transport", Transport);
        Write(text, "defence", Defence);
        Write(text, "forwarding", Forwarding);
        Write(text, "cache", Cache);
        foreach (TitledCounts other in Others) Write(text, other.Title, other.Counts);
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
            .. new CountGroup("", "TCP connections", CounterGroups.TcpConnections(tcp)).Named,
            .. new CountGroup("", "TCP closed:", CounterGroups.TcpClosed(tcp)).Named,
            new("TCP received", tcp.Received), new("TCP sent", tcp.Sent),
        ];
    }

    private static NamedCount[] RowsOf(ServerStatus status, string title) =>
        [.. status.Counts.Where(group => group.Title == title).SelectMany(group => group.Named)];

    private static void Write(TextWriter text, string title, IReadOnlyList<NamedCount> counts)
    {
        if (counts.Count == 0) return;
        TextTable table = new(false, true);
        foreach (NamedCount count in counts) table.Add("  " + count.ToText(), $"{count.Count:N0}");
        text.WriteLine(title);
        table.Write(text);
    }
}
