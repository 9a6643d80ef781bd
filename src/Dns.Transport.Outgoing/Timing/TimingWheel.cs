namespace Dns.Transport.Outgoing.Timing;

/// <summary>
/// A timing wheel for everything in flight: 1,024 slots of 10 ms. Arming and disarming take a short lock and allocate
/// nothing. One system timer advances the wheel, and only while it is not empty. A node never fires early, and at most
/// two slots late. Times beyond the ring wait for another round.
/// </summary>
public sealed class TimingWheel : IDisposable
{
    /// <summary>Ticks per slot.</summary>
    public const long TicksPerSlot = 10 * MonotonicClock.TicksPerMillisecond;

    /// <summary>The maximum delay of a node: the end of its slot, and the current advance.</summary>
    public const long MostLate = 2 * TicksPerSlot;

    private const int Slots = 1024;
    private const long RetryAfter = 1000 * MonotonicClock.TicksPerMillisecond;

    private static readonly TimeSpan Turn = TimeSpan.FromMilliseconds(10);

    private readonly Lock _gate = new();
    private readonly WheelNode?[] _slots = new WheelNode?[Slots];
    private readonly MonotonicClock _clock;
    private readonly ITimer _timer;
    private readonly IExceptionSink _exceptions;
    private (WheelNode Node, int Generation)[] _due = new (WheelNode, int)[64];
    private long _tick;
    private int _count;
    private int _dueCount;
    private int _turning;
    private bool _isRunning;

    /// <summary>Creates an empty wheel.</summary>
    /// <param name="exceptions">Receives exceptions of nodes; null = none.</param>
    public TimingWheel(MonotonicClock clock, IExceptionSink? exceptions = null)
    {
        _exceptions = exceptions ?? IExceptionSink.None;
        _clock = clock;
        _tick = clock.Now / TicksPerSlot;
        _timer = clock.Provider.CreateTimer(
            static wheel => ((TimingWheel)wheel!).Advance(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>The number of armed nodes.</summary>
    public int Count
    {
        get
        {
            lock (_gate) return _count;
        }
    }

    /// <summary>Arms a node, or moves it if it is armed.</summary>
    /// <param name="due">When, in ticks of the clock.</param>
    public void Arm(WheelNode node, long due)
    {
        lock (_gate) Link(node, due);
    }

    /// <summary>Disarms a node, if it is armed.</summary>
    public void Disarm(WheelNode node)
    {
        lock (_gate) Unlink(node);
    }

    /// <summary>Fires what is due. A concurrent call does nothing. A node that throws is retried in 1 s.</summary>
    public void Advance()
    {
        if (Interlocked.Exchange(ref _turning, 1) != 0) return;
        try
        {
            Collect();
        }
        catch (Exception error)
        {
            // Out of memory for more nodes: those removed so far fire, the rest stays for the next turn.
            _exceptions.Report(OutgoingLoops.UpstreamTimer, error, default);
        }
        for (int i = 0; i < _dueCount; i++)
        {
            (WheelNode node, int generation) = _due[i];
            _due[i] = default;
            Fire(node, generation);
        }
        _dueCount = 0;
        Volatile.Write(ref _turning, 0);
    }

    /// <inheritdoc/>
    public void Dispose() => _timer.Dispose();

    private void Fire(WheelNode node, int generation)
    {
        try
        {
            node.Fire(generation);
        }
        catch (Exception error)
        {
            _exceptions.Report(OutgoingLoops.UpstreamTimer, error, default);
            Retry(node, generation);
        }
    }

    /// <summary>Retries a node that threw: without its timer a query would stay in flight for ever.</summary>
    private void Retry(WheelNode node, int generation)
    {
        lock (_gate)
            if (!node.IsArmed && node.Generation == generation) Link(node, _clock.Now + RetryAfter);
    }

    private void Collect()
    {
        lock (_gate)
        {
            long now = _clock.Now / TicksPerSlot;
            // After a pause longer than the ring, one round covers all slots.
            for (long tick = Math.Max(_tick + 1, now - Slots + 1); tick <= now; tick++)
                for (WheelNode? node = _slots[tick % Slots], next; node is not null; node = next)
                {
                    next = node.Next;
                    if (node.DueTick > now) continue;
                    if (_dueCount == _due.Length) Array.Resize(ref _due, _dueCount * 2);
                    Unlink(node);
                    _due[_dueCount++] = (node, node.Generation);
                }
            _tick = Math.Max(_tick, now);
            if (_count == 0) Run(false);
        }
    }

    private void Run(bool isRunning)
    {
        _isRunning = isRunning;
        if (isRunning) _tick = Math.Max(_tick, _clock.Now / TicksPerSlot);
        TimeSpan period = isRunning ? Turn : Timeout.InfiniteTimeSpan;
        _timer.Change(period, period);
    }

    private void Link(WheelNode node, long due)
    {
        Unlink(node);
        if (_count == 0 && !_isRunning) Run(true);
        node.DueTick = Math.Max((due + TicksPerSlot - 1) / TicksPerSlot, _tick + 1);
        ref WheelNode? head = ref _slots[node.DueTick % Slots];
        node.Next = head;
        head?.Previous = node;
        head = node;
        node.IsArmed = true;
        _count++;
    }

    private void Unlink(WheelNode node)
    {
        if (!node.IsArmed) return;
        if (node.Previous is null) _slots[node.DueTick % Slots] = node.Next;
        else node.Previous.Next = node.Next;
        node.Next?.Previous = node.Previous;
        node.Next = node.Previous = null;
        node.IsArmed = false;
        _count--;
    }
}
