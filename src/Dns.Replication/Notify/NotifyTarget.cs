using System.Security.Cryptography;

namespace Dns.Replication.Notify;

/// <summary>
/// A server to notify, with its queue. Protected by the lock of its <see cref="NotifySender"/>. Has a socket while a
/// notification is in flight.
/// </summary>
internal sealed class NotifyTarget(NotifySender sender, PeerAddress peer) : IPathReceiver
{
    /// <summary>The maximum number of notifications in flight to one server.</summary>
    public const int MostUnderWay = 64;

    private readonly Dictionary<(ZoneSlot Slot, RRType Type), Notification> _zones = [];
    private readonly Dictionary<ushort, Notification> _underWay = [];
    private readonly Queue<Notification> _waiting = new();

    public NotifySender Sender => sender;
    public PeerAddress Peer => peer;

    /// <summary>The socket; null while nothing is in flight.</summary>
    public IDatagramPath? Path { get; set; }

    /// <summary>Whether the last notification was given up: others get one try.</summary>
    public bool IsSilent { get; set; }

    /// <summary>Whether it is in the queue of servers.</summary>
    public bool IsQueued { get; set; }

    /// <summary>Whether a notification can be sent.</summary>
    public bool IsReady => _waiting.Count > 0 && _underWay.Count < MostUnderWay;

    /// <summary>Whether no notification is pending.</summary>
    public bool IsEmpty => _zones.Count == 0;

    /// <summary>The notification of an RRset; null for none.</summary>
    public Notification? Find(ZoneSlot slot, RRType type) => _zones.GetValueOrDefault((slot, type));

    /// <summary>Whether it is configured, instead of found by a DSYNC record.</summary>
    public bool IsConfigured { get; private set; }

    /// <summary>The notification in flight with an ID; null for none.</summary>
    public Notification? Find(ushort id) => _underWay.GetValueOrDefault(id);

    public void Add(ZoneSlot slot, RRType type)
    {
        Notification notification = new(this, slot, type);
        IsConfigured |= type == RRType.SOA;
        _zones.Add((slot, type), notification);
        _waiting.Enqueue(notification);
    }

    /// <summary>Dequeues the oldest notification, which is then in flight under an unpredictable ID.</summary>
    public Notification Take()
    {
        Notification notification = _waiting.Dequeue();
        do notification.Id = (ushort)RandomNumberGenerator.GetInt32(ushort.MaxValue + 1);
        while (!_underWay.TryAdd(notification.Id, notification));
        return notification;
    }

    /// <summary>Ends a notification in flight.</summary>
    public void Remove(Notification notification)
    {
        _underWay.Remove(notification.Id);
        _zones.Remove((notification.Slot, notification.Type));
        notification.Chain?.Dispose();
        notification.Chain = null;
    }

    /// <summary>The notifications in flight.</summary>
    public IEnumerable<Notification> UnderWay => _underWay.Values;

    public void Receive(ReadOnlySpan<byte> octets) => sender.OnMessage(this, octets);

    public void End()
    {
    }
}
