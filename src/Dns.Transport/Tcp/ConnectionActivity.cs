namespace Dns.Transport;

/// <summary>
/// Whether a connection is idle, busy or taken out of the table, changed by its loop without a lock: two atomic
/// operations for a query.
/// </summary>
/// <remarks>
/// <code>
/// Idle  &lt;-&gt; Busy   by the loop, at any time
/// Busy  --> Away   by the table: busy, and out of the lists of idle ones
/// Away  --> Idle   by the loop, under the table's lock, which puts it back into the lists
/// any   --> Out    by the table: an idle one to give way, any at the end
/// </code>
/// A busy connection thus stays in the lists until the table comes across it there. What the lists know of the age of an
/// idle one is as old; <see cref="Turns"/> tells.
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

    /// <summary>Whether the table has it.</summary>
    public bool IsListed => Volatile.Read(ref _state) != Out;

    /// <summary>Whether it could give way.</summary>
    public bool IsIdle => Volatile.Read(ref _state) == Idle;

    /// <summary>How often it has become idle. Wraps around.</summary>
    public int Turns => Volatile.Read(ref _turns);

    /// <summary>The timestamp at which it became idle last.</summary>
    public long IdleSince => Volatile.Read(ref _idleSince);

    /// <summary>Begins a new use: idle. Under the table's lock.</summary>
    public void Enter(long now)
    {
        Volatile.Write(ref _idleSince, now);
        Volatile.Write(ref _state, Idle);
    }

    /// <summary>Called by the loop. False when it has been taken out.</summary>
    public bool TryBecomeBusy() => Interlocked.CompareExchange(ref _state, Busy, Idle) != Out;

    /// <summary>Called by the loop. False when it has been taken out, or is <paramref name="isAway"/>.</summary>
    /// <param name="now">The time.</param>
    /// <param name="isAway">Whether the lists have lost it, so that it becomes idle under the table's lock.</param>
    public bool TryBecomeIdle(long now, out bool isAway)
    {
        isAway = false;
        int state = Volatile.Read(ref _state);
        if (state == Idle)
        {
            return true;
        }

        Volatile.Write(ref _idleSince, now);
        Volatile.Write(ref _turns, _turns + 1);
        state = Interlocked.CompareExchange(ref _state, Idle, Busy);
        isAway = state == Away;
        return state == Busy;
    }

    /// <summary>Has one that is away idle. Under the table's lock; false when it has been taken out.</summary>
    public bool TryReturn() => Interlocked.CompareExchange(ref _state, Idle, Away) == Away;

    /// <summary>Has one that is busy away. Under the table's lock; false when it is not busy.</summary>
    public bool TryGoAway() => Interlocked.CompareExchange(ref _state, Away, Busy) == Busy;

    /// <summary>Takes an idle one out. Under the table's lock; false when it is not idle.</summary>
    public bool TryTakeIdle() => Interlocked.CompareExchange(ref _state, Out, Idle) == Idle;

    /// <summary>Takes it out. Under the table's lock; false when it was out.</summary>
    public bool TryTake() => Interlocked.Exchange(ref _state, Out) != Out;
}
