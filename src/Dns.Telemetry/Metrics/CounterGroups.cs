namespace Dns.Telemetry.Metrics;

/// <summary>
/// Counters in groups, each with the name that all outputs give it: the label of a metric, the row of <c>dnsd
/// stats</c>, the key of <c>/api/status</c>.
/// </summary>
internal static class CounterGroups
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

    public static IEnumerable<NamedCount> Updates(UpdateCounters counters) =>
        Enum.GetValues<UpdateResult>().Select(result => new NamedCount(NameOf(result), counters.Of(result)));

    public static IEnumerable<NamedCount> Cookies(AnswerCounts counts) =>
        Enum.GetValues<CookieState>().Select(state => new NamedCount(NameOf(state), counts.Of(state)));

    public static NamedCount[] RateLimit(RateLimitCounters counters) =>
    [
        new("passed", counters.Passed), new("dropped", counters.Dropped), new("slipped", counters.Slipped),
        new("would_drop", counters.WouldDrop),
    ];

    public static NamedCount[] TcpConnections(TcpCounters tcp) =>
        [new("accepted", tcp.Accepted), new("refused", tcp.Refused)];

    public static NamedCount[] TcpClosed(TcpCounters tcp) =>
        [new("room", tcp.Evicted), new("memory", tcp.EvictedForMemory), new("timeout", tcp.TimedOut)];

    public static NamedCount[] Forwarding(ForwarderCounters counters) =>
    [
        new("asked", counters.Queried), new("joined", counters.Joined), new("refreshed", counters.Refreshed),
        new("answered", counters.Answered), new("failed", counters.Failed), new("stale", counters.Stale),
        new("table_full", counters.TableFull), new("unreachable", counters.Unreachable),
        new("client_limit", counters.ClientLimit),
        new("timed_out", counters.TimedOut), new("discarded", counters.Discarded), new("loop", counters.Loops),
    ];

    public static NamedCount[] CacheLookups(CacheCounters cache) =>
    [
        new("hit", cache.Hits), new("miss", cache.Misses), new("stale", cache.Stale), new("failure", cache.Failures),
    ];

    public static NamedCount[] CacheRemoved(CacheCounters cache) =>
        [new("evicted", cache.Evicted), new("expired", cache.Expired)];

    /// <summary>Ended outgoing transfers of a form, by outcome.</summary>
    public static NamedCount[] Transfers(TransferCounters counters, TransferKind kind) =>
    [
        new("complete", counters.Ended(kind, TransferOutcome.Complete)),
        new("early", counters.Ended(kind, TransferOutcome.ClosedEarly)),
        new("too_large", counters.Ended(kind, TransferOutcome.RecordTooLarge)),
    ];

    public static NamedCount[] TransferRefusals(TransferCounters counters) =>
    [
        new("not_allowed", counters.Refused(TransferRefusal.NotAllowed)),
        new("signature", counters.Refused(TransferRefusal.BadSignature)),
        new("busy", counters.Refused(TransferRefusal.Busy)), new("no_data", counters.Refused(TransferRefusal.NoData)),
        new("signed_online", counters.Refused(TransferRefusal.SignedOnline)),
        new("taking_over", counters.Refused(TransferRefusal.TakingOver)),
    ];

    public static NamedCount[] Notifications(NotifyCounters counters) =>
    [
        new("answered", counters.Answered), new("refused", counters.Refused), new("unanswered", counters.Unanswered),
        new("dropped", counters.Dropped),
    ];

    public static string NameOf(TransferKind kind) => kind switch
    {
        TransferKind.Whole => "axfr",
        TransferKind.Changes => "ixfr",
        _ => "axfr_for_ixfr",
    };

    private static string NameOf(AnswerKind kind) => kind switch
    {
        AnswerKind.NoData => "no_data",
        AnswerKind.NameError => "name_error",
        _ => kind.ToString().ToLowerInvariant(),
    };

    private static string NameOf(UpdateResult result) => result switch
    {
        UpdateResult.NotAuth => "not_auth",
        _ => result.ToString().ToLowerInvariant(),
    };

    private static string NameOf(CookieState state) => state switch
    {
        CookieState.None => "none",
        CookieState.Malformed => "malformed",
        CookieState.ClientOnly => "first",
        CookieState.WithServerCookie => "wrong",
        _ => "valid",
    };
}
