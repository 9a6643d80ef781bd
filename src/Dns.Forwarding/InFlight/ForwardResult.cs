namespace Dns.Forwarding.InFlight;

/// <summary>The result of forwarding a question. Only <see cref="Joined"/> completes the waiter.</summary>
public enum ForwardResult : byte
{
    /// <summary>In flight: the waiter is completed exactly once, possibly before the call returns.</summary>
    Joined,

    /// <summary>Too many questions or waiters are in flight, or forwarding has stopped.</summary>
    TableFull,

    /// <summary>All upstreams are down, and enough questions wait for them.</summary>
    Unreachable,

    /// <summary>The client waits for its maximum of answers.</summary>
    ClientLimit,

    /// <summary>A transfer, a meta-type, a class other than IN, or a name of no forwarded zone.</summary>
    NotForwarded,

    /// <summary>An own query that came back.</summary>
    Loop,
}
