namespace Dns.Forwarding.Upstreams;

/// <summary>One pending try of an upstream query, registered under an ID on a path.</summary>
/// <param name="Generation">The generation of the sink; it ignores replies to earlier ones.</param>
/// <param name="NameHash">The hash of the queried name, which identifies the target of a forger.</param>
internal readonly record struct PendingTry(IReplySink Sink, int Generation, int Index, ulong NameHash)
{
    /// <summary>When it was sent, in ticks of the clock.</summary>
    internal long SentAt { get; init; }

    /// <summary>Whether it was sent while the upstream was down, and counts against that limit.</summary>
    internal bool IsSentWhileDown { get; init; }
}
