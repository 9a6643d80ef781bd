namespace Dns.Forwarding.Upstreams;

/// <summary>The upstreams of one forwarded zone, and their order.</summary>
internal sealed class ZoneUpstreams(ForwardZone zone, Upstream[] upstreams, AcceptanceRules rules)
{
    /// <summary>Result of <see cref="Choose"/>: all have failed.</summary>
    internal const int AllFailed = -1;

    /// <summary>Result of <see cref="Choose"/>: those that have not failed are down and at their limit.</summary>
    internal const int HeldBack = -2;

    /// <summary>The maximum number of upstreams of a zone.</summary>
    internal const int MaxUpstreams = 32;

    /// <summary>With policy fastest, one query in this many goes to another upstream first.</summary>
    private const uint ExploreEvery = 16;

    private uint _turn;
    private volatile bool _isPast;

    // Whether it was replaced by a change of settings: its answers go to waiters but not into the cache.
    internal bool IsReplaced
    {
        get => _isPast;
        set => _isPast = value;
    }

    internal DomainName Name => zone.Name;
    internal AcceptanceRules Rules => rules;
    internal bool TrustsAuthenticData => zone.TrustAuthenticData;

    /// <summary>Whether none of them is up.</summary>
    internal bool IsDown
    {
        get
        {
            // For each waiting client, under a lock: a loop takes a fifth of the instructions of Array.Exists.
            foreach (Upstream upstream in upstreams)
                if (upstream.State == UpstreamState.Up) return false;
            return true;
        }
    }

    /// <summary>Whether one of them has replied since a time, in ticks of the clock.</summary>
    internal bool HasRepliedSince(long time)
    {
        foreach (Upstream upstream in upstreams)
            if (upstream.LastReply >= time) return true;
        return false;
    }

    /// <summary>Whether one of them accepts another question.</summary>
    internal bool HasRoom => Array.Exists(upstreams, static upstream => upstream.HasRoom);

    internal Upstream this[int index] => upstreams[index];

    /// <summary>Draws the first upstream of a question; -1 if the policy does not decide it.</summary>
    internal int DrawFirst()
    {
        if (upstreams.Length == 1 || zone.Policy == UpstreamPolicy.Ordered) return -1;
        uint turn = Interlocked.Increment(ref _turn);
        if (zone.Policy == UpstreamPolicy.RoundRobin) return (int)(turn % (uint)upstreams.Length);
        return turn % ExploreEvery == 0 ? (int)(turn / ExploreEvery % (uint)upstreams.Length) : -1;
    }

    /// <summary>Selects the next upstream: not down, then the fewest tries of this question, then by policy.</summary>
    /// <param name="failed">A bit for each upstream that cannot answer this question.</param>
    /// <param name="first">The result of <see cref="DrawFirst"/>.</param>
    /// <returns>Its index; <see cref="AllFailed"/> or <see cref="HeldBack"/>.</returns>
    internal int Choose(ReadOnlySpan<UpstreamTry> tries, uint failed, int first)
    {
        int best = AllFailed;
        long bestRank = long.MaxValue;
        for (int i = 0; i < upstreams.Length; i++)
        {
            UpstreamState state = upstreams[i].State;
            if ((failed >> i & 1) != 0 || state == UpstreamState.Self) continue;
            if (!upstreams[i].HasRoom)
            {
                if (best < 0) best = HeldBack;
                continue;
            }
            long rank =
                (state == UpstreamState.Down ? 1L << 60 : 0) + ((long)CountTries(tries, i) << 50) + Rank(i, first);
            if (rank < bestRank) (best, bestRank) = (i, rank);
        }
        return best;
    }

    private static int CountTries(ReadOnlySpan<UpstreamTry> tries, int upstream)
    {
        int count = 0;
        foreach (ref readonly UpstreamTry t in tries)
            if (t.Number == upstream) count++;
        return count;
    }

    private long Rank(int index, int first) => zone.Policy switch
    {
        UpstreamPolicy.Ordered => index,
        UpstreamPolicy.RoundRobin => (index - first + upstreams.Length) % upstreams.Length,
        // An unused upstream counts as the fastest, once.
        _ => index == first ? 0 : 1 + upstreams[index].RoundTrip.Cost,
    };
}
