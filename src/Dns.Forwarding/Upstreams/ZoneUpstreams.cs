using Dns.Protocol;

namespace Dns.Forwarding;

/// <summary>Whom to ask about the names of one forwarded zone, and in which order.</summary>
internal sealed class ZoneUpstreams(ForwardZone zone, Upstream[] upstreams, AcceptanceRules rules)
{
    /// <summary>What <see cref="Choose"/> says where all have failed.</summary>
    internal const int AllFailed = -1;

    /// <summary>… where those that have not are down and have their share of questions.</summary>
    internal const int HeldBack = -2;

    /// <summary>The most upstreams of a zone.</summary>
    internal const int MaxUpstreams = 32;

    /// <summary>Where only the fastest is asked, one query in this many goes to another one first.</summary>
    private const uint ExploreEvery = 16;

    private uint _turn;
    private volatile bool _isPast;

    /// <summary>Whether others are asked by now, or otherwise: what it says is passed on to who waits, and not kept.</summary>
    internal bool IsPast
    {
        get => _isPast;
        set => _isPast = value;
    }

    /// <summary>The zone's name.</summary>
    internal DomainName Name => zone.Name;

    /// <summary>What of their replies counts.</summary>
    internal AcceptanceRules Rules => rules;

    /// <summary>Whether their AD is believed.</summary>
    internal bool TrustsAuthenticData => zone.TrustAuthenticData;

    /// <summary>Whether none of them is up: nobody answers, for all that is known.</summary>
    internal bool IsDown => !Array.Exists(upstreams, static upstream => upstream.State == UpstreamState.Up);

    /// <summary>Whether one of them has answered anything since a time, in ticks of the clock.</summary>
    internal bool WasHeardSince(long time)
    {
        foreach (Upstream upstream in upstreams)
            if (upstream.LastReply >= time) return true;
        return false;
    }

    /// <summary>Whether one of them takes one more question.</summary>
    internal bool HasRoom => Array.Exists(upstreams, static upstream => upstream.HasRoom);

    /// <summary>The upstream with a number.</summary>
    internal Upstream this[int index] => upstreams[index];

    /// <summary>Draws whom a question goes to first; -1 where the policy does not say.</summary>
    internal int DrawFirst()
    {
        if (upstreams.Length == 1 || zone.Policy == UpstreamPolicy.Ordered) return -1;
        uint turn = Interlocked.Increment(ref _turn);
        if (zone.Policy == UpstreamPolicy.RoundRobin) return (int)(turn % (uint)upstreams.Length);
        return turn % ExploreEvery == 0 ? (int)(turn / ExploreEvery % (uint)upstreams.Length) : -1;
    }

    /// <summary>
    /// Chooses whom to ask next: one that is not down, that this question went to least often, and then as the policy says.
    /// </summary>
    /// <param name="tries">The tries so far.</param>
    /// <param name="failed">A bit for each upstream that has said that it cannot answer this question.</param>
    /// <param name="first">What <see cref="DrawFirst"/> said.</param>
    /// <returns>Its number; <see cref="AllFailed"/> or <see cref="HeldBack"/>.</returns>
    internal int Choose(ReadOnlySpan<UpstreamTry> tries, uint failed, int first)
    {
        int best = AllFailed;
        long bestRank = long.MaxValue;
        for (int i = 0; i < upstreams.Length; i++)
        {
            UpstreamState state = upstreams[i].State;
            if ((failed >> i & 1) != 0 || state == UpstreamState.Ourselves) continue;
            if (!upstreams[i].HasRoom)
            {
                if (best < 0) best = HeldBack;
                continue;
            }
            long rank = (state == UpstreamState.HeldDown ? 1L << 60 : 0) + ((long)CountTries(tries, i) << 50) + Rank(i, first);
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
        // One that was never asked counts as the fastest, once.
        _ => index == first ? 0 : 1 + upstreams[index].RoundTrip.Cost,
    };
}
