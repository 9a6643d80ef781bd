using System.Buffers.Binary;
using System.Runtime.InteropServices;
using Dns.Protocol;

namespace Dns.Replication;

/// <summary>
/// How many transfers run at a time. One peer (IPv4 address, IPv6 /64) has half of the places at most, so that others find one however
/// often it asks.
/// Thread-safe; the lock is held for a few instructions.
/// </summary>
internal sealed class TransferSlots
{
    private readonly Lock _gate = new();
    private readonly Dictionary<UInt128, int> _peers = [];
    private int _running;

    /// <summary>Places in all, 1 at least. Those that are taken stay so.</summary>
    public int Most
    {
        get => Volatile.Read(ref field);
        set => Volatile.Write(ref field, value);
    } = OutgoingTransfers.DefaultMaxAtATime;

    /// <summary>Places that are taken.</summary>
    public int Running => Volatile.Read(ref _running);

    /// <summary>Takes a place, which the caller gives back.</summary>
    public bool TryTake(ClientAddress client)
    {
        int most = Most;
        lock (_gate)
        {
            if (_running >= most) return false;
            ref int ofPeer = ref CollectionsMarshal.GetValueRefOrAddDefault(_peers, PeerOf(ref client), out _);
            // A new peer has none, and so stays under any share.
            if (ofPeer >= Math.Max(1, most / 2)) return false;
            ofPeer++;
            _running++;
            return true;
        }
    }

    /// <summary>Gives a place back.</summary>
    public void Return(ClientAddress client)
    {
        lock (_gate)
        {
            _running--;
            UInt128 peer = PeerOf(ref client);
            if (--CollectionsMarshal.GetValueRefOrNullRef(_peers, peer) == 0) _peers.Remove(peer);
        }
    }

    private static UInt128 PeerOf(ref ClientAddress client)
    {
        UInt128 address = BinaryPrimitives.ReadUInt128BigEndian(client.Address);
        return client.IsIPv4 ? address : address >> 64;
    }
}
