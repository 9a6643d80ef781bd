namespace Dns.Features.Forwarding;

/// <summary>What <c>dnsd why</c> says of forwarded names.</summary>
public sealed class ForwardingExplanation(Forwarder forwarder) : IExplainedForwarding
{
    public bool DependsOnClient => !forwarder.IsForAll;

    public bool TryCopy(scoped Question question, Span<byte> destination, out RelayedAnswer answer)
    {
        int spent = Forwarder.MaxQueries;
        return forwarder.TryAnswer(in question, forwarder.Timestamp, ref spent, destination, out answer)
            != CacheState.Miss;
    }

    public bool WouldQuery(scoped Question question) => forwarder.WouldWait(in question);

    public ExplanationStep Describe(
        DomainName name, scoped ref readonly LookupName lookup, RRType type, ClientAddress client)
    {
        // Records at a child's apex in the parent zone belong to the parent.
        int skipped = type == RRType.DS && lookup.LabelCount > 0 ? 1 : 0;
        int labels = forwarder.ZoneLabels(in lookup, skipped);
        DomainName zone = DomainName.FromOctets(lookup.Suffix(lookup.LabelCount - labels));
        UpstreamStatus[] upstreams = [.. forwarder.Upstreams.Where(upstream => upstream.Zones.Contains(zone))];
        List<string> details = [.. upstreams.Select(Describe)];
        bool isCached = false;
        foreach (CachedEntry entry in forwarder.Cache.Lookup(name))
        {
            if (entry.Type != 0 && entry.Type != type) continue;
            CacheLine line = CacheLine.Of(entry);
            isCached |= entry.TimeLeft > TimeSpan.Zero;
            details.Add($"in the cache: {line.Type}, {line.Code}, {line.Times}");
        }
        string rule =
            !forwarder.MayRecurse(ref client)
            ? "upstreams are not queried: the client is not in Dns:Recursion:AllowFrom"
            : isCached ? "the cache has the answer"
            : Array.Exists(upstreams, upstream => upstream.State == UpstreamState.Up) ? "upstreams are queried"
            : "all upstreams are down: an old answer if there is one, or SERVFAIL";
        return new ExplanationStep(name.ToString(), $"forwarded zone {zone}", rule, details);
    }

    internal static string Describe(UpstreamStatus upstream) => $"upstream {upstream.Address}: " + upstream.State switch
    {
        UpstreamState.Up when upstream.Sent == 0 => "up, not queried yet",
        UpstreamState.Up when upstream.Answered == 0 => "up, no answer yet",
        UpstreamState.Up => $"up, {upstream.RoundTripMs:0.0} ms",
        UpstreamState.Down => StatusText.Down(upstream),
        _ => "this server, not queried",
    };
}
