namespace Dns.Dnssec.Validation;

/// <summary>One NSEC3 chain: the hashes in order. Thread-safe once it is closed.</summary>
internal sealed class HashedChain(Zone zone, int iterations, byte[] salt)
{
    private const int HashOctets = Nsec3Hash.LengthOctets;
    private const int FirstHashes = 64;

    private readonly byte[] _next = new byte[HashOctets];
    private byte[] _hashes = new byte[FirstHashes * HashOctets];
    private bool[] _isOptOut = new bool[FirstHashes];
    private int[] _used = [];
    private int _count;

    internal bool IsOf(Nsec3ChainParameters parameters) =>
        parameters.Iterations == iterations && parameters.Algorithm == Nsec3Hash.Algorithm &&
            parameters.Salt.SequenceEqual(salt);

    /// <summary>Adds the next record in the order of hashes, which is that of the owners.</summary>
    internal void Add(ReadOnlySpan<byte> hash, in Nsec3Fields fields, DiagnosticList diagnostics)
    {
        if (_count > 0 && HashAt(_count - 1).SequenceEqual(hash))
        {
            diagnostics.Error(OwnerOf(hash), RRType.NSEC3,
                $"found two NSEC3 of one chain at {Text(hash)}, expected one");
            return;
        }
        if (_count > 0) Expect(HashAt(_count - 1), hash, diagnostics);
        if (_count == _isOptOut.Length)
        {
            Array.Resize(ref _isOptOut, 2 * _count);
            Array.Resize(ref _hashes, 2 * _count * HashOctets);
        }
        hash.CopyTo(_hashes.AsSpan(_count * HashOctets));
        _isOptOut[_count++] = fields.IsOptOut;
        fields.Next.CopyTo(_next);
    }

    /// <summary>Checks that the last record leads to the first.</summary>
    internal void Close(DiagnosticList diagnostics)
    {
        if (_count > 0) Expect(HashAt(_count - 1), HashAt(0), diagnostics);
        _used = new int[(_count + 31) / 32];
    }

    /// <summary>Checks that a name has its record with the right types, or is opted out.</summary>
    internal void CheckName(ZoneNode node, NodePosition position, DenialTypes types, DiagnosticList diagnostics)
    {
        Span<byte> hash = stackalloc byte[HashOctets];
        Nsec3Hash.Compute(node.Name, salt, iterations, hash);
        int index = Find(hash);
        if (index >= 0 && HashAt(index).SequenceEqual(hash))
        {
            Interlocked.Or(ref _used[index >> 5], 1 << (index & 31));
            CheckTypes(node, position, hash, types, diagnostics);
            return;
        }
        if (MayOptOut(node, position) && _count > 0 && _isOptOut[index < 0 ? _count - 1 : index]) return;
        diagnostics.Error(node.Name, node.HasData ? (RRType)0 : RRType.NSEC3,
            $"found no NSEC3 for {NameText.ToText(node.Name)}, expected one at {Text(hash)}");
    }

    /// <summary>Reports records that match no name.</summary>
    internal void CheckUnused(DiagnosticList diagnostics)
    {
        for (int i = 0; i < _count; i++)
            if ((_used[i >> 5] >> (i & 31) & 1) == 0)
                diagnostics.Error(OwnerOf(HashAt(i)), RRType.NSEC3,
                    $"found NSEC3 at {Text(HashAt(i))}, the hash of no name of the zone");
    }

    private void CheckTypes(ZoneNode node, NodePosition position, ReadOnlySpan<byte> hash, DenialTypes types,
        DiagnosticList diagnostics)
    {
        LookupName owner = default;
        owner.Set(OwnerOf(hash));
        if (!zone.TryFind(in owner, 0, out ZoneNode hashed) || !hashed.TryFind(RRType.NSEC3, out RRset records)) return;
        ReadOnlySpan<byte> expected = types.At(node, position, isHashed: true);
        foreach (ReadOnlySpan<byte> rdata in records)
        {
            if (!Nsec3Fields.TryRead(rdata, out Nsec3Fields fields) || !IsOf(fields.Parameters)) continue;
            if (!fields.Types.SequenceEqual(expected))
                diagnostics.Error(hashed.Name, RRType.NSEC3, rdata,
                    $"NSEC3 of {NameText.ToText(node.Name)}: found the types "
                    + $"{TypeBits.ToText(fields.Types)}, expected {TypeBits.ToText(expected)}");
        }
    }

    // A delegation without DS, and an empty non-terminal above such ones only (RFC 5155 §7.1).
    private bool MayOptOut(ZoneNode node, NodePosition position)
    {
        if (position == NodePosition.Cut) return !node.TryFind(RRType.DS, out _);
        if (node.HasData) return false;
        foreach (ZoneNode below in zone.Order.Below(node.Name))
        {
            NodePosition kind = NodePositions.Of(zone, below);
            if (kind == NodePosition.Authoritative && below.HasData) return false;
            if (kind == NodePosition.Cut && below.TryFind(RRType.DS, out _)) return false;
        }
        return true;
    }

    /// <summary>The index of a hash, or of the one before it; -1 if it precedes all.</summary>
    private int Find(ReadOnlySpan<byte> hash)
    {
        int low = -1, high = _count - 1;
        while (low < high)
        {
            int middle = (low + high + 1) >> 1;
            if (HashAt(middle).SequenceCompareTo(hash) <= 0) low = middle;
            else high = middle - 1;
        }
        return low;
    }

    private void Expect(ReadOnlySpan<byte> owner, ReadOnlySpan<byte> expected, DiagnosticList diagnostics)
    {
        if (_next.AsSpan().SequenceEqual(expected)) return;
        diagnostics.Error(OwnerOf(owner), RRType.NSEC3,
            $"NSEC3 at {Text(owner)}: found the next hash {Digits(_next)}, expected {Digits(expected)}");
    }

    private ReadOnlySpan<byte> HashAt(int index) => _hashes.AsSpan(index * HashOctets, HashOctets);

    private byte[] OwnerOf(ReadOnlySpan<byte> hash)
    {
        byte[] owner = new byte[1 + HashedOwner.LabelOctets + zone.Apex.Length];
        HashedOwner.Write(hash, zone.Apex, owner);
        return owner;
    }

    private string Text(ReadOnlySpan<byte> hash) => NameText.ToText(OwnerOf(hash));

    private static string Digits(ReadOnlySpan<byte> hash)
    {
        Span<byte> owner = stackalloc byte[2 + HashedOwner.LabelOctets];
        return NameText.ToText(owner[..HashedOwner.Write(hash, WireName.Root, owner)])[..^1];
    }
}
