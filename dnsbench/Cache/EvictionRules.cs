namespace Dns.Bench;

/// <summary>A rule that says who leaves a full cache, on numbers instead of answers: what ours is compared with.</summary>
internal interface IEvictionRule
{
    /// <summary>Asks; stores it if it was not there. Whether it was.</summary>
    bool Ask(long number);
}

/// <summary>Least recently used leaves.</summary>
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

/// <summary>SIEVE: a hand goes from old to new and takes the first that was not asked for since it came by.</summary>
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
