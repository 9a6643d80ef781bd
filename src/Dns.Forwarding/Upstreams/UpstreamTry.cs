using System.Runtime.CompilerServices;

namespace Dns.Forwarding;

/// <summary>One sending of a question to an upstream. Belongs to its upstream query and is guarded by its lock.</summary>
internal struct UpstreamTry
{
    /// <summary>The number of the upstream in its zone.</summary>
    internal int Number;

    /// <summary>When it was sent, in ticks of the clock.</summary>
    internal long SentAt;

    /// <summary>Where a reply is waited for, once it is registered there.</summary>
    internal UpstreamPath? Path;

    /// <summary>Under which ID.</summary>
    internal ushort Id;

    /// <summary>Whether a reply still counts.</summary>
    internal bool IsActive;

    /// <summary>Whether the time for a reply is over; one that comes still counts.</summary>
    internal bool IsOverdue;

    /// <summary>Whether a reply is being read at this moment.</summary>
    internal bool IsBeingRead;

    /// <summary>What became of it so far.</summary>
    internal TryOutcome Outcome;

    /// <summary>When that was, in ticks of the clock.</summary>
    internal long EndedAt;

    /// <summary>Whether it goes over a stream.</summary>
    internal bool IsStream;

    /// <summary>Whether it has an OPT record, and with it a cookie.</summary>
    internal bool HasEdns;

    /// <summary>No reply counts any more.</summary>
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
