using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Dns.Protocol;

namespace Dns.Answering;

/// <summary>
/// The names of a message so far that a later name can point to (RFC 1035 §4.1.4): a hash set of offsets, filled as
/// names are written, on the stack.
/// </summary>
/// <remarks>
/// Cleared only when the first name in RDATA comes: an answer whose owners are all the question's name never touches it.
/// Holds at most 96 suffixes, so that a look-up stays a look-up for any number of names; later names still
/// find the early ones.
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

    /// <summary>Number of records of one RRset whose names <see cref="Hosts"/> remembers.</summary>
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
    /// Where the first name of each record of the RRset written last can be read, by the record's place in its RRset; above
    /// <see cref="MaxOffset"/> nothing can point to it.
    /// </summary>
    [UnscopedRef]
    internal Span<ushort> Hosts => _hosts;

    /// <summary>Forgets all names, without clearing memory yet.</summary>
    internal void Reset() => _isReady = false;

    /// <summary>
    /// Finds the longest suffix of <paramref name="name"/> that the message already has.
    /// </summary>
    /// <param name="message">The message so far.</param>
    /// <param name="question">The name of the question, at offset 12.</param>
    /// <param name="name">The name to be written.</param>
    /// <param name="skippedLabels">How many labels of the name stand in front of the suffix; all of them if none was found.</param>
    /// <returns>The offset to point to; -1 if there is none.</returns>
    internal int Find(
        ReadOnlySpan<byte> message, scoped ref readonly LookupName question, scoped ref readonly LookupName name, out int skippedLabels)
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

    /// <summary>Records that the suffix with this hash starts at <paramref name="offset"/>.</summary>
    internal void Add(ulong hash, int offset)
    {
        if (offset > MaxOffset || _count == MaxEntries) return;
        int i = (int)hash & (Slots - 1);
        while (_table[i] != 0) i = (i + 1) & (Slots - 1);
        _order[_count++] = (byte)i;
        _table[i] = (uint)(hash >> 48) << 16 | (uint)offset;
    }

    /// <summary>
    /// Takes back the names at or behind <paramref name="position"/>: they were written and then did not fit. Offsets only
    /// grow, so these are the latest entries, and taking the latest out of a probed table leaves what was before.
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
        // From the root down: of a name with more labels than there is room for, other names share the end.
        for (int skip = question.LabelCount - 1; skip >= 0; skip--)
            Add(question.SuffixHash(skip), MessageHeader.LengthOctets + question.Start(skip));
    }
}
