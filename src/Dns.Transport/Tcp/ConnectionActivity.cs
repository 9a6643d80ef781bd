namespace Dns.Transport.Tcp;

/// <summary>State of a connection: idle, busy or removed. Lock-free: two atomic operations for a query.</summary>
/// <remarks>
/// <code>
/// Idle  &lt;-&gt; Busy   by the loop, at any time
/// Busy  --> Away   by the table: busy, and not in the lists of idle ones
/// Away  --> Idle   by the loop, under the table's lock, which puts it back into the lists
/// any   --> Out    by the table: an idle one is evicted, any at the end
/// </code>
/// A busy connection thus stays in the lists until the table finds it there, and the age of an idle one in the lists
/// may be stale; <see cref="Turns"/> reveals that.
/// </remarks>
internal sealed class ConnectionActivity
{
    private const int Idle = 0;
    private const int Busy = 1;
    private const int Away = 2;
    private const int Out = 3;

    private int _state = Out;
    private int _turns;
    private long _idleSince;

    /// <summary>Whether the table contains it.</summary>
    public bool IsListed => Volatile.Read(ref _state) != Out;

    /// <summary>Whether it can be evicted.</summary>
    public bool IsIdle => Volatile.Read(ref _state) == Idle;

    /// <summary>How often it has become idle. Wraps.</summary>
    public int Turns => Volatile.Read(ref _turns);

    /// <summary>The timestamp at which it last became idle.</summary>
    public long IdleSince => Volatile.Read(ref _idleSince);

    /// <summary>Starts a new use as idle. Under the table's lock.</summary>
    public void Enter(long now)
    {
        Volatile.Write(ref _idleSince, now);
        Volatile.Write(ref _state, Idle);
    }

    /// <summary>Called by the loop. False if it was removed.</summary>
    public bool TryBecomeBusy() => Interlocked.CompareExchange(ref _state, Busy, Idle) != Out;

    /// <summary>Called by the loop. False if it was removed, or is <paramref name="isAway"/>.</summary>
    /// <param name="isAway">Whether it is not in the lists, so that it becomes idle under the table's lock.</param>
    public bool TryBecomeIdle(long now, out bool isAway)
    {
        isAway = false;
        int state = Volatile.Read(ref _state);
        if (state == Idle) return true;
        Volatile.Write(ref _idleSince, now);
        Volatile.Write(ref _turns, _turns + 1);
        state = Interlocked.CompareExchange(ref _state, Idle, Busy);
        isAway = state == Away;
        return state == Busy;
    }

    /// <summary>Away to idle. Under the table's lock; false if it was removed.</summary>
    public bool TryReturn() => Interlocked.CompareExchange(ref _state, Idle, Away) == Away;

    /// <summary>Busy to away. Under the table's lock; false if it is not busy.</summary>
    public bool TryGoAway() => Interlocked.CompareExchange(ref _state, Away, Busy) == Busy;

    /// <summary>Removes an idle one. Under the table's lock; false if it is not idle.</summary>
    public bool TryTakeIdle() => Interlocked.CompareExchange(ref _state, Out, Idle) == Idle;

    /// <summary>Removes it. Under the table's lock; false if it was removed before.</summary>
    public bool TryTake() => Interlocked.Exchange(ref _state, Out) != Out;
}
