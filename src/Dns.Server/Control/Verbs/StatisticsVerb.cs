using Dns.Answering;
using Dns.Forwarding;
using Dns.Protocol;
using Dns.Transport;

namespace Dns.Server;

/// <summary>A number with a name.</summary>
internal sealed record NamedCount(string Name, long Count);

/// <summary>An upstream and how it does.</summary>
internal sealed record UpstreamLine(
    string Address, string State, double RoundTripMs, long Sent, long Answered, long TimedOut, long Mismatched);

/// <summary>What was counted since the start.</summary>
internal sealed record Statistics(
    IReadOnlyList<NamedCount> Kinds, IReadOnlyList<NamedCount> Codes, IReadOnlyList<NamedCount> Types,
    IReadOnlyList<NamedCount> Transport, IReadOnlyList<NamedCount> Defence, IReadOnlyList<NamedCount> Forwarding,
    IReadOnlyList<NamedCount> Cache, IReadOnlyList<UpstreamLine> Upstreams);

/// <summary><c>dnsd stats</c>.</summary>
internal sealed class StatisticsVerb(LiveResponder responder, ListenerSet listeners, Defence defence, Forwarder? forwarder = null)
{
    /// <summary>Answers the verb.</summary>
    public ControlReply Show(ControlCall call)
    {
        AnswerTally tally = responder.Current.Counters.Read();
        Statistics statistics = new(
            Kinds(tally), Codes(tally), Types(tally), Transport(), DefenceOf(tally), Forwarding(), Cache(),
            [.. (forwarder?.Upstreams ?? []).Select(upstream => new UpstreamLine(
                upstream.Address.ToString(), StateOf(upstream.State), Math.Round(upstream.RoundTripMs, 1),
                upstream.Sent, upstream.Answered, upstream.TimedOut, upstream.Mismatched))]);
        return call.Reply(statistics, ControlJson.Default.Statistics, text => Write(statistics, text));
    }

    private static string StateOf(UpstreamState state) => state switch
    {
        UpstreamState.Up => "up",
        UpstreamState.HeldDown => "down",
        _ => "this server",
    };

    private static NamedCount[] Kinds(AnswerTally tally) =>
        [.. Enum.GetValues<AnswerKind>().Select(kind => new NamedCount(kind.ToString(), tally.Of(kind)))];

    private static NamedCount[] Codes(AnswerTally tally) =>
    [
        .. from code in Enumerable.Range(0, AnswerTally.Codes)
           let count = tally.Answers((Rcode)code)
           where count > 0
           select new NamedCount(RcodeText.Format((Rcode)code), count),
    ];

    private static NamedCount[] Types(AnswerTally tally)
    {
        List<NamedCount> types = [];
        for (int type = 1; type <= ushort.MaxValue; type++)
            if (AnswerTally.IsCountedAlone((RRType)type) && tally.Queries((RRType)type) is > 0 and long count)
                types.Add(new NamedCount(RRTypeText.Format((RRType)type), count));
        if (tally.Queries(0) is > 0 and long others) types.Add(new NamedCount("others", others));
        return [.. types.OrderByDescending(type => type.Count)];
    }

    private NamedCount[] Transport()
    {
        UdpCounters udp = listeners.ReadUdpCounters();
        TcpCounters tcp = listeners.ReadTcpCounters();
        return
        [
            new("UDP received", udp.Received), new("UDP sent", udp.Sent), new("UDP unanswered", udp.Unanswered),
            new("UDP dropped by the system", udp.KernelDrops), new("UDP send errors", udp.SendErrors),
            new("TCP connections open", tcp.Open), new("TCP connections accepted", tcp.Accepted),
            new("TCP connections refused", tcp.Refused), new("TCP connections evicted", tcp.Evicted),
            new("TCP connections timed out", tcp.TimedOut), new("TCP received", tcp.Received), new("TCP sent", tcp.Sent),
        ];
    }

    private NamedCount[] DefenceOf(AnswerTally tally)
    {
        RateLimitCounters limit = defence.RateLimiter?.Counters ?? default;
        return
        [
            .. Enum.GetValues<CookieState>().Select(state => new NamedCount("cookies: " + ServerMeter.NameOf(state), tally.Of(state))),
            new("limit: passed", limit.Passed), new("limit: dropped", limit.Dropped), new("limit: slipped", limit.Slipped),
            new("limit: would drop", limit.WouldDrop),
            new("bad headers of proxies", listeners.BadProxyDatagrams + listeners.ReadTcpCounters().BadProxyHeaders),
        ];
    }

    private NamedCount[] Forwarding()
    {
        if (forwarder is null) return [];
        ForwarderCounters counters = forwarder.Counters;
        return
        [
            new("asked", counters.Asked), new("joined", counters.Joined), new("in flight", forwarder.InFlight),
            new("waiting", forwarder.Waiting), new("sent", counters.Sent), new("answered", counters.Answered),
            new("failed", counters.Failed), new("stale", counters.Stale), new("refreshed", counters.Refreshed),
            new("mismatched", counters.Mismatched), new("over TCP", counters.StreamFallbacks),
            new("turned away", counters.TableFull), new("unreachable", counters.Unreachable),
            new("client limit", counters.ClientLimit), new("timed out", counters.TimedOut), new("discarded", counters.Discarded),
        ];
    }

    private NamedCount[] Cache()
    {
        if (forwarder is null) return [];
        CacheCounters cache = forwarder.Cache.Counters;
        return
        [
            new("entries", cache.Entries), new("bytes", cache.Bytes), new("hits", cache.Hits), new("misses", cache.Misses),
            new("stale", cache.Stale), new("failures", cache.Failures), new("stored", cache.Stored),
            new("evicted", cache.Evicted), new("expired", cache.Expired),
        ];
    }

    private static void Write(Statistics statistics, TextWriter text)
    {
        Write(text, "answers", statistics.Kinds);
        Write(text, "codes", statistics.Codes);
        Write(text, "types", statistics.Types);
        Write(text, "transport", statistics.Transport);
        Write(text, "defence", statistics.Defence);
        Write(text, "forwarding", statistics.Forwarding);
        Write(text, "cache", statistics.Cache);
        if (statistics.Upstreams.Count == 0) return;
        TextTable table = new(false, false, true, true, true, true, true);
        table.Add("UPSTREAM", "STATE", "RTT ms", "SENT", "ANSWERED", "TIMED OUT", "MISMATCHED");
        foreach (UpstreamLine upstream in statistics.Upstreams)
            table.Add(upstream.Address, upstream.State, $"{upstream.RoundTripMs:0.0}", $"{upstream.Sent:N0}",
                $"{upstream.Answered:N0}", $"{upstream.TimedOut:N0}", $"{upstream.Mismatched:N0}");
        table.Write(text);
    }

    private static void Write(TextWriter text, string title, IReadOnlyList<NamedCount> counts)
    {
        if (counts.Count == 0) return;
        TextTable table = new(false, true);
        foreach (NamedCount count in counts) table.Add("  " + count.Name, $"{count.Count:N0}");
        text.WriteLine(title);
        table.Write(text);
    }
}
