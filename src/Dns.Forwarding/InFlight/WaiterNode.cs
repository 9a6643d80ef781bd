namespace Dns.Forwarding;

/// <summary>One waiter of an upstream query, in the upstream query's list. Pooled.</summary>
internal sealed class WaiterNode
{
    internal IAnswerWaiter Waiter = null!;
    internal WaiterNode? Next;

    /// <summary>Since when it waits, in ticks of the clock.</summary>
    internal long Since;

    /// <summary>What it takes of the room of its client.</summary>
    internal ClientShare Share;
}
