using System.Diagnostics.CodeAnalysis;

namespace Dns.Telemetry;

/// <summary>
/// A queue of fixed size for any number of threads at either end, without a lock (Vyukov's): each slot has a number
/// that says whose turn it is. What finds no slot is refused; nothing waits, nothing is allocated.
/// </summary>
internal sealed class BoundedRing<T> where T : class
{
    private struct Slot
    {
        public long Turn;
        public T? Item;
    }

    private readonly Slot[] _slots;
    private readonly int _mask;
    private long _head, _tail;

    /// <summary>Makes an empty one.</summary>
    /// <param name="capacity">How many it holds, a power of two.</param>
    public BoundedRing(int capacity)
    {
        _slots = new Slot[capacity];
        _mask = capacity - 1;
        for (int i = 0; i < capacity; i++) _slots[i].Turn = i;
    }

    /// <summary>How many have been put in, ever.</summary>
    public long Added => Volatile.Read(ref _tail);

    /// <summary>Puts one in; false if it is full.</summary>
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

    /// <summary>Takes the oldest out; false if there is none.</summary>
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
