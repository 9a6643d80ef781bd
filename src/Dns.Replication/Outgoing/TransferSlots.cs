namespace Dns.Replication.Outgoing;

/// <summary>
/// Bounds concurrent outgoing transfers. One client (IPv4 address, IPv6 /64) gets half of the slots at most that the
/// others leave, so that a secondary with a few addresses leaves some, too.
/// Thread-safe; the lock is held for a few instructions.
/// </summary>
internal sealed class TransferSlots
{
    private readonly Lock _gate = new();
    private readonly Dictionary<UInt128, int> _peers = [];
    private int _running;

    /// <summary>The number of slots, at least 1. Lowering it does not end running transfers.</summary>
    public int Most
    {
        get => Volatile.Read(ref field);
        set => Volatile.Write(ref field, value);
    } = OutgoingTransfers.DefaultMaxAtATime;

    /// <summary>Slots in use.</summary>
    public int Running => Volatile.Read(ref _running);

    /// <summary>Takes a slot, which the caller returns.</summary>
    public bool TryTake(ClientAddress client)
    {
        int most = Most;
        lock (_gate)
        {
            if (_running >= most) return false;
            ref int ofPeer = ref CollectionsMarshal.GetValueRefOrAddDefault(_peers, ClientNetwork.Of(client), out _);
            // A new client has none, and is below any share.
            if (ofPeer >= Math.Max(1, (most - (_running - ofPeer)) / 2)) return false;
            ofPeer++;
            _running++;
            return true;
        }
    }

    public void Return(ClientAddress client)
    {
        lock (_gate)
        {
            _running--;
            UInt128 peer = ClientNetwork.Of(client);
            if (--CollectionsMarshal.GetValueRefOrNullRef(_peers, peer) == 0) _peers.Remove(peer);
        }
    }
}
