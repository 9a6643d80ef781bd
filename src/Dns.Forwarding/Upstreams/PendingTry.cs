namespace Dns.Forwarding;

/// <summary>Whom a reply is for: one try of one upstream query, waited for under an ID on a path.</summary>
/// <param name="Sink">Who asked.</param>
/// <param name="Generation">Which of the sink's lives asked; it ignores replies to an earlier one.</param>
/// <param name="Index">Which of its tries.</param>
/// <param name="NameHash">The hash of the name asked for, to tell which upstream query a forger aims at.</param>
internal readonly record struct PendingTry(IReplySink Sink, int Generation, int Index, ulong NameHash)
{
    /// <summary><see cref="Client"/> of what is asked for no client.</summary>
    internal const int NoClient = -1;

    /// <summary>The client that began the question, as <see cref="ClientShare.Client"/> says it.</summary>
    internal int Client { get; init; } = NoClient;

    /// <summary>When it was sent, in ticks of the clock.</summary>
    internal long SentAt { get; init; }

    /// <summary>Whether it was sent while the upstream was down, and so counts against what may be sent then.</summary>
    internal bool IsSentWhileDown { get; init; }
}
