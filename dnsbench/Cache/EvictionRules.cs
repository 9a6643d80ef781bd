namespace Dns.Bench;

/// <summary>An eviction policy, on numbers instead of answers, for comparison with ours.</summary>
internal interface IEvictionRule
{
    /// <summary>Looks up a number and stores it on a miss. Returns whether it was a hit.</summary>
    bool Ask(long number);
}

/// <summary>LRU: evicts the least recently used.</summary>
internal sealed class LeastRecentlyUsed(int capacity) : IEvictionRule
{
    private readonly Dictionary<long, LinkedListNode<long>> _nodes = [];
    private readonly LinkedList<long> _order = new();

    public bool Ask(long number)
    {
        if (_nodes.TryGetValue(number, out LinkedListNode<long>? node))
        {
            _order.Remove(node);
            _order.AddFirst(node);
            return true;
        }
        if (_nodes.Count == capacity)
        {
            _nodes.Remove(_order.Last!.Value);
            _order.RemoveLast();
        }
        _nodes[number] = _order.AddFirst(number);
        return false;
    }
}

/// <summary>SIEVE: a hand moves from old to new and evicts the first that was not hit since it last passed.</summary>
internal sealed class Sieve(int capacity) : IEvictionRule
{
    private readonly Dictionary<long, LinkedListNode<(long Number, bool Visited)>> _nodes = [];
    private readonly LinkedList<(long Number, bool Visited)> _order = new();
    private LinkedListNode<(long Number, bool Visited)>? _hand;

    public bool Ask(long number)
    {
        if (_nodes.TryGetValue(number, out var node))
        {
            node.Value = (number, true);
            return true;
        }
        if (_nodes.Count == capacity) Evict();
        _nodes[number] = _order.AddFirst((number, false));
        return false;
    }

    private void Evict()
    {
        var node = _hand ?? _order.Last!;
        for (; node.Value.Visited; node = node.Previous ?? _order.Last!) node.Value = (node.Value.Number, false);
        _hand = node.Previous;
        _nodes.Remove(node.Value.Number);
        _order.Remove(node);
    }
}

/// <summary>First in, first out.</summary>
internal sealed class FirstInFirstOut(int capacity) : IEvictionRule
{
    private readonly HashSet<long> _numbers = [];
    private readonly Queue<long> _order = new();

    public bool Ask(long number)
    {
        if (_numbers.Contains(number)) return true;
        if (_numbers.Count == capacity) _numbers.Remove(_order.Dequeue());
        _numbers.Add(number);
        _order.Enqueue(number);
        return false;
    }
}

/// <summary>The real cache.</summary>
internal sealed class OurRule(CachedNames cache) : IEvictionRule
{
    public bool Ask(long number)
    {
        if (cache.Ask(number)) return true;
        cache.Store(number);
        return false;
    }
}
