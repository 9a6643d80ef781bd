using System.Security.Cryptography;
using Dns.Protocol;
using Dns.Transport.Outgoing;
using Dns.Zones;

namespace Dns.Replication;

/// <summary>
/// A server that is notified, with what it has yet to be told. Used under the lock of its <see cref="NotifySender"/>. Has a socket
/// while something is under way.
/// </summary>
/// <param name="sender">Sends.</param>
/// <param name="peer">The server.</param>
internal sealed class NotifyTarget(NotifySender sender, PeerAddress peer) : IPathReceiver
{
    /// <summary>Notifications that are under way to one server at a time.</summary>
    public const int MostUnderWay = 64;

    private readonly Dictionary<ZoneSlot, Notification> _zones = [];
    private readonly Dictionary<ushort, Notification> _underWay = [];
    private readonly Queue<Notification> _waiting = new();

    /// <summary>Sends.</summary>
    public NotifySender Sender => sender;

    /// <summary>The server.</summary>
    public PeerAddress Peer => peer;

    /// <summary>The socket; null while nothing is under way.</summary>
    public IDatagramPath? Path { get; set; }

    /// <summary>Whether the last notification was given up without an answer: others are tried once.</summary>
    public bool IsSilent { get; set; }

    /// <summary>Whether it is in the queue of those that have something to send.</summary>
    public bool IsQueued { get; set; }

    /// <summary>Whether something waits that may be sent.</summary>
    public bool IsReady => _waiting.Count > 0 && _underWay.Count < MostUnderWay;

    /// <summary>Whether there is nothing to be told.</summary>
    public bool IsEmpty => _zones.Count == 0;

    /// <summary>The notification of a zone; null if there is none.</summary>
    public Notification? Find(ZoneSlot slot) => _zones.GetValueOrDefault(slot);

    /// <summary>The notification that is under way with an ID; null if there is none.</summary>
    public Notification? Find(ushort id) => _underWay.GetValueOrDefault(id);

    /// <summary>Adds a zone to what waits.</summary>
    public void Add(ZoneSlot slot)
    {
        Notification notification = new(this, slot);
        _zones.Add(slot, notification);
        _waiting.Enqueue(notification);
    }

    /// <summary>Takes what has waited longest; it is under way from now on, with an ID that nobody can guess.</summary>
    public Notification Take()
    {
        Notification notification = _waiting.Dequeue();
        do notification.Id = (ushort)RandomNumberGenerator.GetInt32(ushort.MaxValue + 1);
        while (!_underWay.TryAdd(notification.Id, notification));
        return notification;
    }

    /// <summary>Ends a notification that is under way.</summary>
    public void Remove(Notification notification)
    {
        _underWay.Remove(notification.Id);
        _zones.Remove(notification.Slot);
        notification.Chain?.Dispose();
        notification.Chain = null;
    }

    /// <summary>The notifications that are under way.</summary>
    public IEnumerable<Notification> UnderWay => _underWay.Values;

    /// <inheritdoc/>
    public void Receive(ReadOnlySpan<byte> octets) => sender.OnMessage(this, octets);

    /// <inheritdoc/>
    public void End()
    {
    }
}
