namespace Dns.Telemetry.Recording;

/// <summary>
/// A lock-free queue of fixed size for any number of producers and consumers (Vyukov's): the number of each slot says
/// whose turn it is. A full queue refuses; nothing waits, nothing is allocated.
/// </summary>
public sealed class BoundedRing<T> where T : class
{
    private struct Slot
    {
        public long Turn;
        public T? Item;
    }

    private readonly Slot[] _slots;
    private readonly int _mask;
    private long _head, _tail;

    /// <summary>An empty queue for <paramref name="capacity"/> items, a power of two.</summary>
    public BoundedRing(int capacity)
    {
        _slots = new Slot[capacity];
        _mask = capacity - 1;
        for (int i = 0; i < capacity; i++) _slots[i].Turn = i;
    }

    /// <summary>How many have been put in, ever.</summary>
    public long Added => Volatile.Read(ref _tail);

    public bool TryAdd(T item)
    {
        long at = Volatile.Read(ref _tail);
        while (true)
        {
            ref Slot slot = ref _slots[at & _mask];
            long ahead = Volatile.Read(ref slot.Turn) - at;
            if (ahead < 0) return false;
            long seen = ahead == 0 ? Interlocked.CompareExchange(ref _tail, at + 1, at) : Volatile.Read(ref _tail);
            if (ahead == 0 && seen == at)
            {
                slot.Item = item;
                Volatile.Write(ref slot.Turn, at + 1);
                return true;
            }
            at = seen;
        }
    }

    public bool TryTake([NotNullWhen(true)] out T? item)
    {
        long at = Volatile.Read(ref _head);
        while (true)
        {
            ref Slot slot = ref _slots[at & _mask];
            long ahead = Volatile.Read(ref slot.Turn) - (at + 1);
            if (ahead < 0)
            {
                item = null;
                return false;
            }
            long seen = ahead == 0 ? Interlocked.CompareExchange(ref _head, at + 1, at) : Volatile.Read(ref _head);
            if (ahead == 0 && seen == at)
            {
                item = slot.Item!;
                slot.Item = null;
                Volatile.Write(ref slot.Turn, at + _slots.Length);
                return true;
            }
            at = seen;
        }
    }
}
