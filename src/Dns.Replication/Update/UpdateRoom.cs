namespace Dns.Replication.Update;

/// <summary>
/// The room for the queued updates of all zones. A client has at most half of what is left, in updates and in octets of
/// messages, so that one with updates of many zones does not crowd out the others. Thread-safe.
/// </summary>
/// <param name="most">The maximum number of updates.</param>
/// <param name="mostOctets">The maximum octets of their messages.</param>
internal sealed class UpdateRoom(int most, long mostOctets)
{
    private readonly Lock _gate = new();
    private readonly Dictionary<UpdateAccount, (int Count, long Octets)> _ofClients = [];
    private int _count;
    private long _octets;

    internal int Count => Volatile.Read(ref _count);

    /// <summary>Counts an update; false if there is no room for one of its client.</summary>
    internal bool TryEnter(QueuedWrite write)
    {
        lock (_gate)
        {
            if (!IsLeft(write.Account, write.Octets)) return false;
            (int count, long octets) = _ofClients.GetValueOrDefault(write.Account);
            Set(write, count + 1, octets + write.Octets);
            return true;
        }
    }

    /// <summary>Whether an update of some octets could enter now.</summary>
    internal bool HasRoom(UpdateAccount client, int octets)
    {
        lock (_gate) return IsLeft(client, octets);
    }

    /// <summary>Counts an update no longer that entered.</summary>
    internal void Leave(QueuedWrite write)
    {
        lock (_gate)
        {
            (int count, long octets) = _ofClients[write.Account];
            Set(write, count - 1, octets - write.Octets);
        }
    }

    private bool IsLeft(UpdateAccount client, int octets)
    {
        (int count, long octetsOfClient) = _ofClients.GetValueOrDefault(client);
        return count < most - _count && octetsOfClient + octets <= mostOctets - _octets;
    }

    private void Set(QueuedWrite write, int count, long octets)
    {
        (int before, long octetsBefore) = _ofClients.GetValueOrDefault(write.Account);
        if (count == 0) _ofClients.Remove(write.Account);
        else _ofClients[write.Account] = (count, octets);
        _count += count - before;
        _octets += octets - octetsBefore;
    }
}
