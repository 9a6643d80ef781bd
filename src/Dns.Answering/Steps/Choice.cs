namespace Dns.Answering.Steps;

/// <summary>The chosen members of an RRset; without members the name is answered as if it lacked the type.</summary>
public ref struct Choice
{
    /// <summary>The maximum number of chosen members.</summary>
    public const int MaxMembers = 64;

    private readonly Span<ushort> _members;
    private int _count;

    internal Choice(Span<ushort> members, uint ttl)
    {
        _members = members;
        Ttl = ttl;
    }

    /// <summary>The TTL in seconds: that of the RRset unless it is lowered.</summary>
    public uint Ttl { get; set; }

    internal readonly ReadOnlySpan<ushort> Members => _members[.._count];

    /// <summary>Adds a member.</summary>
    /// <param name="index">Which record of the RRset, from 0; each once.</param>
    /// <returns>False if there are <see cref="MaxMembers"/> already.</returns>
    public bool TryAdd(int index)
    {
        if (_count == _members.Length) return false;
        _members[_count++] = (ushort)index;
        return true;
    }
}
