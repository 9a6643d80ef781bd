namespace Dns.Replication.Incoming;

/// <content>NOTIFY (RFC 1996), which triggers a refresh, once a second at most.</content>
public sealed partial class SecondarySource
{
    /// <summary>The minimum interval between reports of refusals.</summary>
    private static readonly TimeSpan RefusalLogInterval = TimeSpan.FromSeconds(10);

    private long _refusalToldAt = long.MinValue / 2;

    /// <summary>Handles a NOTIFY of a zone, without waiting; false if the client may not notify.</summary>
    /// <param name="key">The verified TSIG key; null = unsigned.</param>
    /// <param name="serial">The announced serial; null = none.</param>
    internal bool TryNotify(SecondaryZone zone, ref ClientAddress client, TsigKey? key, uint? serial)
    {
        PeerList allowed = zone.Policy?.AllowNotify ?? Options.AllowNotify ?? zone.PrimaryRules;
        bool isAllowed = allowed.Admits(ref client, key);
        Counters.CountNotify(isAllowed);
        if (!isAllowed)
        {
            LogRefusal(zone, client, key is null ? "not signed, and its address may not without a key"
                : $"signed by {key}, and no element has that key for its address");
            return false;
        }
        int first = IndexOf(zone.Primaries, client.ToEndPoint().Address);
        lock (_context.Gate)
        {
            // No query for the current serial (RFC 1996 §3.11); a higher serial is not trusted, but queried.
            if (serial is { } notified && notified == zone.Held?.Serial && zone.State == ZoneState.Serving) return true;
            if (serial != zone.NotifiedSerial)
                (zone.NotifiedSerial, zone.NotifiedQueriesLeft) = (serial, SecondaryZone.MaxNotifiedQueries);
            _rounds.Schedule(zone, Math.Max(0, first), isNotify: true);
        }
        return true;
    }

    /// <summary>Counts and reports a NOTIFY with an invalid signature.</summary>
    internal void RefuseSignature(SecondaryZone zone, ClientAddress client)
    {
        Counters.CountNotify(isTaken: false);
        LogRefusal(zone, client,
            "its TSIG does not verify: the key's name, algorithm or secret differ, or the clocks");
    }

    private void LogRefusal(SecondaryZone zone, ClientAddress client, string reason)
    {
        long last = Volatile.Read(ref _refusalToldAt), now = _context.Clock.Now;
        if (now - last < RefusalLogInterval.Ticks || Interlocked.CompareExchange(ref _refusalToldAt, now, last) != last)
            return;
        _context.Observer.OnNotifyRefused(zone.Name, client, reason);
    }

    private static int IndexOf(IReadOnlyList<PeerAddress> primaries, IPAddress address)
    {
        for (int i = 0; i < primaries.Count; i++)
            if (primaries[i].EndPoint.Address.Equals(address)) return i;
        return -1;
    }
}
