namespace Dns.Forwarding.InFlight;

/// <summary>One waiter in the list of an upstream query. Pooled.</summary>
internal sealed class WaiterNode
{
    internal IAnswerWaiter Waiter = null!;
    internal WaiterNode? Next;

    /// <summary>From when its time counts, in ticks of the clock.</summary>
    internal long Since;

    internal ClientShare Share;

    /// <summary>As <see cref="IAnswerWaiter.IsProven"/>.</summary>
    internal bool IsProven;
}
