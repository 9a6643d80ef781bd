namespace Dns.Forwarding;

/// <summary>One waiter of an exchange, in the exchange's list. Pooled.</summary>
internal sealed class WaiterNode
{
    internal IAnswerWaiter Waiter = null!;
    internal WaiterNode? Next;

    /// <summary>The counter of <see cref="ClientShares"/> that it takes a share of.</summary>
    internal int Share;
}
