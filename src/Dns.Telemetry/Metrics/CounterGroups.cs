namespace Dns.Telemetry.Metrics;

/// <summary>
/// Counters in groups, each with the name that all outputs give it: the label of a metric, the row of <c>dnsd
/// stats</c>, the key of <c>/api/status</c>.
/// </summary>
public static class CounterGroups
{
    private static readonly RRType[] TypesCountedAlone =
        [.. Enumerable.Range(1, ushort.MaxValue).Select(value => (RRType)value).Where(AnswerCounts.IsCountedAlone)];

    /// <summary>Queries by kind of response, without those that still wait for an upstream.</summary>
    public static IEnumerable<NamedCount> Kinds(AnswerCounts counts) =>
        Enum.GetValues<AnswerKind>().Where(kind => kind != AnswerKind.Later)
            .Select(kind => new NamedCount(NameOf(kind), counts.Of(kind)));

    /// <summary>Responses of a transport by RCODE; those RCODEs that were sent.</summary>
    public static IEnumerable<NamedCount> Rcodes(AnswerCounts counts, DnsTransport transport) =>
        Rcodes(code => counts.Answers(transport, code));

    public static IEnumerable<NamedCount> Rcodes(Func<Rcode, long> count) =>
        from code in Enumerable.Range(0, AnswerCounts.Codes).Select(code => (Rcode)code)
        let responses = count(code)
        where responses > 0
        select new NamedCount(RcodeText.Format(code), responses);

    /// <summary>Queries by type: the queried types, and <c>other</c> for all without a counter of their own.</summary>
    public static IEnumerable<NamedCount> Types(AnswerCounts counts)
    {
        foreach (RRType type in TypesCountedAlone)
            if (counts.Queries(type) is > 0 and long count) yield return new(RRTypeText.Format(type), count);
        if (counts.Queries(0) is > 0 and long others) yield return new("other", others);
    }

    public static NamedCount[] TcpConnections(TcpCounters tcp) =>
        [new("accepted", tcp.Accepted), new("refused", tcp.Refused)];

    public static NamedCount[] TcpClosed(TcpCounters tcp) =>
        [new("room", tcp.Evicted), new("memory", tcp.EvictedForMemory), new("timeout", tcp.TimedOut)];

    private static string NameOf(AnswerKind kind) => kind switch
    {
        AnswerKind.NoData => "no_data",
        AnswerKind.NameError => "name_error",
        _ => kind.ToString().ToLowerInvariant(),
    };
}
