namespace Dns.Replication.Notify;

/// <summary>
/// Notifies servers of new zone versions (RFC 1996): over datagrams, five tries within a minute. There is one
/// notification at a time for a zone and server; changes meanwhile are announced by its next try, or by one
/// notification after it. A silent server gets fewer tries, and does not delay others. Thread-safe; callers do not
/// wait. The lock is held while one message is made.
/// </summary>
/// <param name="targets">The servers to notify of a zone.</param>
/// <param name="exceptions">Receives exceptions of timers; null = none.</param>
public sealed partial class NotifySender(
    IOutgoingNetwork network, MonotonicClock clock, Func<ZoneSlot, IReadOnlyList<PeerAddress>> targets,
    IExceptionSink? exceptions = null)
    : IThreadPoolWorkItem, IDisposable
{
    /// <summary>The maximum number of tries.</summary>
    public const int MostTries = 5;

    /// <summary>The default maximum number of pending notifications.</summary>
    public const int DefaultMaxPending = 100_000;

    /// <summary>The maximum number of open sockets.</summary>
    public const int MostSockets = 256;

    // Between two tries of a withheld notification.
    private static readonly TimeSpan WithheldPause = TimeSpan.FromMilliseconds(200);

    // After each try: 60 s in total. RFC 1996 §3.6 suggests 60 s each, which would delay changes.
    private static readonly int[] WaitSeconds = [2, 4, 8, 16, 30];

    private readonly Lock _gate = new();
    private readonly TimingWheel _wheel = new(clock, exceptions);
    private readonly Dictionary<PeerAddress, NotifyTarget> _targets = [];
    private readonly Queue<NotifyTarget> _ready = new();
    private volatile TsigKeyRing _keys = TsigKeyRing.Empty;
    private int _pending;
    private int _sockets;
    private int _signals;
    private bool _isDisposed;

    /// <summary>The known keys; may be replaced at any time.</summary>
    public TsigKeyRing Keys
    {
        get => _keys;
        set => _keys = value;
    }

    /// <summary>The maximum number of pending notifications; more are counted and dropped.</summary>
    public int MaxPending { get; init; } = DefaultMaxPending;

    /// <summary>Receives the results of notifications; null = none.</summary>
    public INotifyObserver? Observer { get; init; }

    /// <summary>
    /// Whether notifications may be sent: those that wait for it are sent when it ends, with the last serial.
    /// </summary>
    public Handover Handover
    {
        get;
        init
        {
            field = value;
            field.Ended += Pump;
        }
    } = new();

    /// <summary>The counters.</summary>
    public NotifyCounters Counters { get; } = new();

    /// <summary>Notifications queued or in flight.</summary>
    public int Pending => Volatile.Read(ref _pending);

    /// <summary>Runs the sending outside of the caller.</summary>
    internal Action<IThreadPoolWorkItem> Schedule { get; init; } =
        static item => ThreadPool.UnsafeQueueUserWorkItem(item, preferLocal: false);

    /// <summary>From now on, sends a notification for each new serial, and for each new zone.</summary>
    public void Follow(ZoneRegistry registry)
    {
        registry.VersionPublished += (slot, change) =>
        {
            if (change.Before?.Serial != change.Now.Serial && ReferenceEquals(registry.Find(slot.Name), slot))
                Send(slot);
        };
        registry.Changed += change =>
        {
            foreach (ZoneSlot slot in change.Added)
                if (slot.Zone is not null) Send(slot);
        };
    }

    /// <summary>Notifies all servers of a zone as soon as possible; returns their number.</summary>
    public int Send(ZoneSlot slot)
    {
        IReadOnlyList<PeerAddress> peers = targets(slot);
        if (peers.Count == 0) return 0;
        lock (_gate)
            foreach (PeerAddress peer in peers) Add(peer, slot, RRType.SOA);
        Pump();
        return peers.Count;
    }

    /// <summary>Notifies a server of the parent of a changed CDS or CDNSKEY RRset (RFC 9859).</summary>
    public void Send(ZoneSlot slot, PeerAddress server, RRType type)
    {
        lock (_gate) Add(server, slot, type);
        Pump();
    }

    /// <summary>Ends all notifications.</summary>
    public void Dispose()
    {
        lock (_gate)
        {
            _isDisposed = true;
            foreach (NotifyTarget target in _targets.Values)
            {
                target.Path?.Dispose();
                foreach (Notification notification in target.UnderWay) notification.Chain?.Dispose();
            }
            _targets.Clear();
            _ready.Clear();
        }
        _wheel.Dispose();
    }

    /// <summary>Sends what the limits permit.</summary>
    void IThreadPoolWorkItem.Execute()
    {
        int seen;
        do
        {
            seen = Volatile.Read(ref _signals);
            while (Handover.MayWrite && TryTake(out Notification? notification)) Try(notification);
        }
        while (Interlocked.Add(ref _signals, -seen) != 0);
    }

    private void Pump()
    {
        if (Interlocked.Increment(ref _signals) == 1) Schedule(this);
    }
}
