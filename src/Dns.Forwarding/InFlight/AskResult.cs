namespace Dns.Forwarding;

/// <summary>What became of a question that was to be asked.</summary>
public enum AskResult : byte
{
    /// <summary>It is asked, or was already: the waiter is told exactly once, possibly before the call returns.</summary>
    Joined,

    /// <summary>As many questions or waiters are on their way as may be, or forwarding has stopped. The waiter is not told.</summary>
    TableFull,

    /// <summary>
    /// All upstreams are down, and as many questions wait for them as may. The waiter is not told.
    /// </summary>
    Unreachable,

    /// <summary>The client waits for as many answers as it may. The waiter is not told.</summary>
    ClientLimit,

    /// <summary>A transfer, a meta type, a class other than IN, or a name of no forwarded zone. The waiter is not told.</summary>
    NotForwarded,

    /// <summary>The query is one of our own that came back. The waiter is not told.</summary>
    Loop,
}
