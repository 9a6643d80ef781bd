using Dns.Protocol;
using Dns.Transport.Outgoing;
using Dns.Zones;

namespace Dns.Replication;

/// <summary>
/// Notifies other servers of new versions of zones (RFC 1996): over datagrams, five tries within a minute. Of one zone and one server
/// there is one notification at a time; changes that come meanwhile are told by the next try, or by one notification after it.
/// </summary>
/// <remarks>
/// Thread-safe; who sends does not wait for it. The lock is held for the time of making one message. One wheel of timers serves
/// all notifications. A server that does not answer is tried less, and takes no place from others.
/// </remarks>
/// <param name="network">The sockets.</param>
/// <param name="clock">The time.</param>
/// <param name="targets">Who is notified of a zone.</param>
/// <param name="exceptions">Told of exceptions of timers; null = nobody.</param>
public sealed partial class NotifySender(
    IOutgoingNetwork network, MonotonicClock clock, Func<ZoneSlot, IReadOnlyList<PeerAddress>> targets, IExceptionSink? exceptions = null)
    : IThreadPoolWorkItem, IDisposable
{
    /// <summary>How often a notification is sent.</summary>
    public const int MostTries = 5;

    /// <summary>Notifications that wait or are under way in all, where nothing else is said.</summary>
    public const int DefaultMaxPending = 100_000;

    /// <summary>Sockets that are open at a time.</summary>
    public const int MostSockets = 256;

    // After the first try, the second and so on: 60 s in all. RFC 1996 §3.6 has 60 s each, which a change need not wait for.
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

    /// <summary>The keys that are known; may be replaced at any time.</summary>
    public TsigKeyRing Keys
    {
        get => _keys;
        set => _keys = value;
    }

    /// <summary>Notifications that may wait or be under way; those beyond are counted and not sent.</summary>
    public int MaxPending { get; init; } = DefaultMaxPending;

    /// <summary>Told what becomes of notifications; null = nobody.</summary>
    public INotifyObserver? Observer { get; init; }

    /// <summary>What became of notifications.</summary>
    public NotifyCounters Counters { get; } = new();

    /// <summary>Notifications that wait or are under way.</summary>
    public int Pending => Volatile.Read(ref _pending);

    /// <summary>Runs what sends, outside of the call that asks for it.</summary>
    internal Action<IThreadPoolWorkItem> Schedule { get; init; } =
        static item => ThreadPool.UnsafeQueueUserWorkItem(item, preferLocal: false);

    /// <summary>Sends a notification for each version with another serial from now on, and for each zone that has one.</summary>
    public void Follow(ZoneRegistry registry)
    {
        registry.VersionPublished += (slot, change) =>
        {
            if (change.Before?.Serial != change.Now.Serial && ReferenceEquals(registry.Find(slot.Name), slot)) Send(slot);
        };
        registry.Changed += change =>
        {
            foreach (ZoneSlot slot in change.Added)
                if (slot.Zone is not null) Send(slot);
        };
    }

    /// <summary>Notifies all servers of a zone, as soon as there is a place.</summary>
    /// <param name="slot">The zone.</param>
    /// <returns>How many servers there are.</returns>
    public int Send(ZoneSlot slot)
    {
        IReadOnlyList<PeerAddress> peers = targets(slot);
        if (peers.Count == 0) return 0;
        lock (_gate)
            foreach (PeerAddress peer in peers) Add(peer, slot);
        Pump();
        return peers.Count;
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

    /// <summary>Sends what may be sent.</summary>
    void IThreadPoolWorkItem.Execute()
    {
        int seen;
        do
        {
            seen = Volatile.Read(ref _signals);
            while (TryTake(out Notification? notification)) Try(notification);
        }
        while (Interlocked.Add(ref _signals, -seen) != 0);
    }

    private void Pump()
    {
        if (Interlocked.Increment(ref _signals) == 1) Schedule(this);
    }
}
