namespace Dns.Dnssec.Signing;

/// <summary>Visits the names of a source in canonical order, and tracks which of them a cut or a DNAME hides.</summary>
internal ref struct SourceWalk
{
    private readonly byte[] _top;
    private CanonicalOrder.Enumerator _nodes;
    private int _topOctets;

    /// <param name="top">Memory for one name, exclusive to this walk.</param>
    internal SourceWalk(Zone source, ReadOnlySpan<byte> first, byte[] top)
    {
        _nodes = source.Order.From(first);
        _top = top;
        if (SourceNames.TryFindTop(source, first, out int labels)) Hide(Above(first, labels));
    }

    private SourceWalk(SourceWalk other, byte[] top)
    {
        this = other;
        _top = top;
        other._top.AsSpan(0, _topOctets).CopyTo(top);
    }

    internal readonly ZoneNode Current => _nodes.Current;

    /// <summary>Whether it is below a cut or a DNAME.</summary>
    internal bool IsHidden { get; private set; }

    /// <summary>A copy of this walk that moves independently.</summary>
    internal readonly SourceWalk Ahead(byte[] top) => new(this, top);

    internal bool MoveNext()
    {
        if (!_nodes.MoveNext()) return false;
        ZoneNode node = _nodes.Current;
        IsHidden = _topOctets > 0 && WireName.IsAtOrBelow(node.Name, _top.AsSpan(0, _topOctets));
        if (!IsHidden && SourceNames.Hides(node)) Hide(node.Name);
        return true;
    }

    private void Hide(ReadOnlySpan<byte> name)
    {
        name.CopyTo(_top);
        _topOctets = name.Length;
    }

    private static ReadOnlySpan<byte> Above(ReadOnlySpan<byte> name, int labels)
    {
        for (; labels > 0; labels--) name = name[(name[0] + 1)..];
        return name;
    }
}
