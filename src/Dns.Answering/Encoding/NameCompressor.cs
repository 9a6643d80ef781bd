namespace Dns.Answering.Encoding;

/// <summary>Names that later ones can point to (RFC 1035 §4.1.4): a hash set of offsets, on the stack.</summary>
/// <remarks>
/// Initialised at the first name in RDATA: an answer whose owners are all the question's name does not need it. Holds
/// at most 96 suffixes, which bounds the cost of a lookup.
/// </remarks>
internal struct NameCompressor
{
    private const int Slots = 128;
    internal const int MaxEntries = 96;
    internal const int MaxOffset = 0x3FFF;

    [InlineArray(Slots)]
    private struct Table
    {
        private uint _first;
    }

    [InlineArray(MaxEntries)]
    private struct Order
    {
        private byte _first;
    }

    /// <summary>The number of records of an RRset whose names <see cref="Hosts"/> holds.</summary>
    internal const int MaxHosts = 32;

    [InlineArray(MaxHosts)]
    private struct HostOffsets
    {
        private ushort _first;
    }

    private HostOffsets _hosts;
    private Table _table;
    private Order _order;
    private int _count;
    private bool _isReady;

    /// <summary>
    /// Offsets of the first name in each record of the last RRset; no pointer reaches above <see cref="MaxOffset"/>.
    /// </summary>
    [UnscopedRef]
    internal Span<ushort> Hosts => _hosts;

    /// <summary>Removes all names; memory is cleared at the next use.</summary>
    internal void Reset() => _isReady = false;

    /// <summary>Finds the longest suffix of <paramref name="name"/> that is in the message.</summary>
    /// <param name="question">The name of the question, at offset 12.</param>
    /// <param name="skippedLabels">The number of labels in front of the suffix; all labels if none was found.</param>
    /// <returns>The offset to point to; -1 if there is none.</returns>
    internal int Find(
        ReadOnlySpan<byte> message, scoped ref readonly LookupName question, scoped ref readonly LookupName name,
        out int skippedLabels)
    {
        if (!_isReady) Begin(in question);
        for (skippedLabels = 0; skippedLabels < name.LabelCount; skippedLabels++)
        {
            ulong hash = name.SuffixHash(skippedLabels);
            uint tag = (uint)(hash >> 48) << 16;
            for (int i = (int)hash & (Slots - 1); _table[i] != 0; i = (i + 1) & (Slots - 1))
            {
                uint entry = _table[i];
                if ((entry & 0xFFFF0000) != tag) continue;
                int offset = (int)(entry & 0xFFFF);
                if (name.IsSuffixAt(skippedLabels, message, offset)) return offset;
            }
        }
        return -1;
    }

    /// <summary>Adds the suffix with this hash at <paramref name="offset"/>.</summary>
    internal void Add(ulong hash, int offset)
    {
        if (offset > MaxOffset || _count == MaxEntries) return;
        int i = (int)hash & (Slots - 1);
        while (_table[i] != 0) i = (i + 1) & (Slots - 1);
        _order[_count++] = (byte)i;
        _table[i] = (uint)(hash >> 48) << 16 | (uint)offset;
    }

    /// <summary>
    /// Removes the names at or behind <paramref name="position"/>, whose records did not fit. Offsets only grow, so
    /// these are the latest entries, and their removal leaves the probe sequences of earlier ones intact.
    /// </summary>
    internal void Forget(int position)
    {
        if (!_isReady) return;
        while (_count > 0 && (_table[_order[_count - 1]] & 0xFFFF) >= position) _table[_order[--_count]] = 0;
    }

    private void Begin(ref readonly LookupName question)
    {
        _isReady = true;
        _count = 0;
        ((Span<uint>)_table).Clear();
        // From the root down: if a name has more labels than there is room, the shared end is kept.
        for (int skip = question.LabelCount - 1; skip >= 0; skip--)
            Add(question.SuffixHash(skip), MessageHeader.LengthOctets + question.Start(skip));
    }
}
