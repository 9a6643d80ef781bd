namespace Dns.Replication.Notify;

/// <content>Sending and completion of notifications.</content>
public sealed partial class NotifySender
{
    private long UnixSeconds => clock.Provider.GetUtcNow().ToUnixTimeSeconds();

    internal void OnMessage(NotifyTarget target, ReadOnlySpan<byte> message)
    {
        if (message.Length < MessageHeader.LengthOctets) return;
        bool wasSilent;
        Rcode rcode;
        DomainName zone;
        lock (_gate)
        {
            if (_isDisposed || target.Find(MessageHeader.Id(message)) is not { } notification) return;
            zone = notification.Slot.Name;
            if (!NotifyMessage.TryReadAnswer(message, zone, notification.Type, out rcode)) return;
            if (notification.Chain is { } chain && chain.Next(message, UnixSeconds, out _, out _) != TsigVerdict.Good)
            {
                notification.Unproven = rcode;
                return;
            }
            wasSilent = target.IsSilent;
            target.IsSilent = false;
            // Counted first: with nothing pending, the counters are complete.
            if (rcode == Rcode.NoError) Counters.CountAnswered();
            else Counters.CountRefused();
            End(notification);
        }
        if (wasSilent) Observer?.OnAnswering(target.Peer);
        if (rcode != Rcode.NoError) Observer?.OnRefused(target.Peer, zone, rcode);
        Pump();
    }

    /// <summary>Handles a timeout.</summary>
    internal void OnSilence(Notification notification)
    {
        if (TryGiveUp(notification, out bool isFirst))
        {
            if (isFirst) Observer?.OnSilent(notification.Target.Peer, notification.Slot.Name, notification.Unproven);
            Pump();
        }
        else Try(notification);
    }

    /// <summary>Ends a notification after its last try.</summary>
    /// <param name="isFirst">Whether its server had answered before.</param>
    private bool TryGiveUp(Notification notification, out bool isFirst)
    {
        NotifyTarget target = notification.Target;
        isFirst = false;
        lock (_gate)
        {
            if (!IsUnderWay(notification) || notification.Tries < (target.IsSilent ? 1 : MostTries)) return false;
            isFirst = !target.IsSilent;
            target.IsSilent = true;
            Counters.CountUnanswered();
            End(notification);
            return true;
        }
    }

    /// <summary>Sends a notification in flight, with the current SOA.</summary>
    private void Try(Notification notification)
    {
        Span<byte> room = stackalloc byte[NotifyMessage.MostOctets];
        NotifyTarget target = notification.Target;
        IDatagramPath? path;
        int octets;
        lock (_gate)
        {
            // An answer may have arrived just now.
            if (!IsUnderWay(notification)) return;
            if (!Handover.MaySend(notification.Slot.Name))
            {
                _wheel.Arm(notification, clock.Now + WithheldPause.Ticks);
                return;
            }
            TsigKey? key = target.Peer.Key is { } name ? _keys.Find(name) : null;
            if (key is null && target.Peer.Key is not null)
            {
                Counters.CountUnanswered();
                End(notification);
                path = null;
                octets = 0;
            }
            else
            {
                notification.Chain?.Dispose();
                octets = NotifyMessage.Write(
                    room, notification.Id, notification.Slot, notification.Type, key, UnixSeconds,
                    out TsigChain? chain);
                notification.Chain = chain;
                notification.HasChanged = false;
                path = Open(target);
                int wait = WaitSeconds[notification.Tries++];
                _wheel.Arm(notification, clock.Now + wait * TimeSpan.TicksPerSecond);
            }
        }
        if (octets == 0) Observer?.OnKeyUnknown(target.Peer, notification.Slot.Name);
        else if (path?.TrySend(room[..octets], out _) == true) Counters.CountSent();
    }

    private bool IsUnderWay(Notification notification) =>
        !_isDisposed && notification.Target.Find(notification.Id) == notification;

    private void Add(PeerAddress peer, ZoneSlot slot, RRType type)
    {
        if (_isDisposed) return;
        if (!_targets.TryGetValue(peer, out NotifyTarget? target))
            _targets[peer] = target = new NotifyTarget(this, peer);
        if (target.Find(slot, type) is { } known) known.HasChanged = known.Tries > 0;
        else if (_pending >= MaxPending) Counters.CountDropped();
        else
        {
            target.Add(slot, type);
            _pending++;
            Queue(target);
        }
    }

    private void Queue(NotifyTarget target)
    {
        if (target.IsQueued || !target.IsReady) return;
        target.IsQueued = true;
        _ready.Enqueue(target);
    }

    /// <summary>Dequeues the next notification, round-robin by server.</summary>
    private bool TryTake([NotNullWhen(true)] out Notification? notification)
    {
        notification = null;
        lock (_gate)
        {
            for (int left = _ready.Count; left > 0 && notification is null; left--)
            {
                NotifyTarget target = _ready.Dequeue();
                target.IsQueued = false;
                bool hasSocket = target.Path is not null || _sockets < MostSockets;
                if (hasSocket && target.IsReady) notification = target.Take();
                Queue(target);
            }
        }
        return notification is not null;
    }

    /// <summary>The socket of a server; null if the system refuses one, until the next try.</summary>
    private IDatagramPath? Open(NotifyTarget target)
    {
        if (target.Path is not null) return target.Path;
        target.Path = network.OpenDatagrams(target.Peer, 0, target, out _);
        if (target.Path is not null) _sockets++;
        return target.Path;
    }

    /// <summary>Ends a notification in flight; starts another if its zone has changed since it was sent.</summary>
    private void End(Notification notification)
    {
        NotifyTarget target = notification.Target;
        _wheel.Disarm(notification);
        target.Remove(notification);
        _pending--;
        if (notification.HasChanged) Add(target.Peer, notification.Slot, notification.Type);
        Queue(target);
        if (!target.IsEmpty) return;
        if (target.Path is { } path)
        {
            path.Dispose();
            target.Path = null;
            _sockets--;
        }
        // The state of a silent server is kept; the configured servers bound their number.
        if (!target.IsSilent || !target.IsConfigured) _targets.Remove(target.Peer);
    }
}
