namespace Dns.Forwarding.Upstreams;

/// <summary>One try of a question at an upstream. Guarded by the lock of its upstream query.</summary>
internal struct UpstreamTry
{
    /// <summary>The index of the upstream in its zone.</summary>
    internal int Number;

    /// <summary>When it was sent, in ticks of the clock.</summary>
    internal long SentAt;

    internal UpstreamPath? Path;
    internal ushort Id;

    /// <summary>Whether a reply still counts.</summary>
    internal bool IsActive;

    /// <summary>Whether it has timed out; a late reply still counts.</summary>
    internal bool IsOverdue;

    internal bool IsBeingRead;

    internal TryOutcome Outcome;

    /// <summary>When it ended, in ticks of the clock.</summary>
    internal long EndedAt;

    internal bool IsStream;

    /// <summary>Whether it has an OPT record and thus a cookie.</summary>
    internal bool HasEdns;

    /// <summary>Ends the try: later replies do not count.</summary>
    internal void End(TryOutcome outcome, long now)
    {
        IsActive = false;
        (Outcome, EndedAt) = (outcome, now);
    }
}

/// <summary>The tries of an upstream query.</summary>
[InlineArray(UpstreamQuery.MaxSends)]
internal struct UpstreamTries
{
    private UpstreamTry _first;
}
