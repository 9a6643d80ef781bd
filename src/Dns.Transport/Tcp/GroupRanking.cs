namespace Dns.Transport.Tcp;

/// <summary>
/// Groups of connections, that with most octets first; of equal ones that which was formed first. A binary heap: each
/// step takes logarithmic time, and none allocates after <see cref="Reserve"/>.
/// </summary>
internal sealed class GroupRanking
{
    private readonly List<ConnectionGroup> _heap = [];

    public ConnectionGroup? Heaviest => _heap.Count > 0 ? _heap[0] : null;

    /// <summary>Allocates room for one more.</summary>
    public void Reserve() => _heap.EnsureCapacity(_heap.Count + 1);

    public void Add(ConnectionGroup group)
    {
        _heap.Add(group);
        Rise(group, _heap.Count - 1);
    }

    public void Remove(ConnectionGroup group)
    {
        ConnectionGroup last = _heap[^1];
        _heap.RemoveAt(_heap.Count - 1);
        if (last != group)
        {
            last.Rank = group.Rank;
            Update(last);
        }
    }

    /// <summary>Called after a change of its octets.</summary>
    public void Update(ConnectionGroup group)
    {
        Rise(group, group.Rank);
        Sink(group, group.Rank);
    }

    private void Rise(ConnectionGroup group, int at)
    {
        for (int above; at > 0 && IsBefore(group, _heap[above = (at - 1) / 2]); at = above) Set(_heap[above], at);
        Set(group, at);
    }

    private void Sink(ConnectionGroup group, int at)
    {
        for (int below; (below = (2 * at) + 1) < _heap.Count; at = below)
        {
            if (below + 1 < _heap.Count && IsBefore(_heap[below + 1], _heap[below])) below++;
            if (!IsBefore(_heap[below], group)) break;
            Set(_heap[below], at);
        }
        Set(group, at);
    }

    private void Set(ConnectionGroup group, int at)
    {
        _heap[at] = group;
        group.Rank = at;
    }

    private static bool IsBefore(ConnectionGroup one, ConnectionGroup other) =>
        one.Octets != other.Octets ? one.Octets > other.Octets : one.Number < other.Number;
}
