namespace Dns.Dnssec.Signing;

/// <summary>Added and removed members of a chain, and the affected links.</summary>
internal sealed class ChainEdit(DenialChain chain)
{
    private readonly SortedDictionary<byte[], Change> _changes = new(chain);
    private readonly Dictionary<byte[], byte[]> _keptAfter = new(OctetComparer.Instance);
    private readonly Dictionary<byte[], byte[]> _keptBefore = new(OctetComparer.Instance);
    private byte[][] _added = [];

    /// <summary>Sets the next state of a name or hash; a null bitmap = not a member.</summary>
    internal void Set(byte[] member, byte[]? bitmap) => _changes[member] = new Change(chain.Contains(member), bitmap);

    internal IEnumerable<byte[]> Removed
    {
        get
        {
            foreach ((byte[] member, Change change) in _changes)
                if (change.Goes) yield return member;
        }
    }

    internal IEnumerable<byte[]> Added
    {
        get
        {
            foreach ((byte[] member, Change change) in _changes)
                if (change.Comes) yield return member;
        }
    }

    /// <summary>Members whose records may differ, in order, with the next one, and the bitmap if it changed.</summary>
    internal IEnumerable<(byte[] Member, byte[] Next, byte[]? Bitmap)> Links()
    {
        _added = [.. Added];
        SortedSet<byte[]> touched = new(chain);
        foreach ((byte[] member, Change change) in _changes)
        {
            if (change.IsMember) touched.Add(member);
            if (change.Comes || change.Goes) touched.Add(KeptNear(member, _keptBefore, chain.Before));
        }
        foreach (byte[] member in touched)
        {
            bool isKnown = _changes.TryGetValue(member, out Change change);
            if (isKnown && !change.IsMember) continue;
            yield return (member, NextOf(member), isKnown ? change.Bitmap : null);
        }
    }

    private byte[] NextOf(byte[] member)
    {
        byte[] kept = KeptNear(member, _keptAfter, chain.After);
        if (_added.Length == 0) return kept;
        int index = Array.BinarySearch(_added, member, chain);
        index = index < 0 ? ~index : index + 1;
        byte[] added = _added[index == _added.Length ? 0 : index];
        if (IsGoing(kept)) return added;
        // A successor of the member precedes the start of the ring.
        bool isKeptBehind = chain.Compare(kept, member) > 0, isAddedBehind = chain.Compare(added, member) > 0;
        if (isKeptBehind != isAddedBehind) return isKeptBehind ? kept : added;
        return chain.Compare(kept, added) < 0 ? kept : added;
    }

    /// <summary>The next remaining member in a direction; a removed one if all are.</summary>
    private byte[] KeptNear(byte[] member, Dictionary<byte[], byte[]> known, Func<byte[], byte[]> step)
    {
        List<byte[]> passed = [];
        byte[] near = step(member);
        for (int left = _changes.Count; left >= 0 && IsGoing(near); left--)
        {
            passed.Add(near);
            near = known.TryGetValue(near, out byte[]? far) ? far : step(near);
        }
        foreach (byte[] going in passed) known[going] = near;
        return near;
    }

    private bool IsGoing(byte[] member) => _changes.TryGetValue(member, out Change change) && change.Goes;

    private readonly record struct Change(bool WasMember, byte[]? Bitmap)
    {
        internal bool IsMember => Bitmap is not null;

        internal bool Comes => IsMember && !WasMember;

        internal bool Goes => WasMember && !IsMember;
    }
}
