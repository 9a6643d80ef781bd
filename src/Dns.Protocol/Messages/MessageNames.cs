using System.Numerics;

namespace Dns.Protocol;

/// <summary>
/// The names of a message so far that later names can point to (RFC 1035 §4.1.4): a hash set of offsets with a bound. Behind it
/// names still find the early ones.
/// </summary>
/// <remarks>
/// Belongs to one worker, which writes one message at a time with it; not safe to share between threads. Allocates nothing after
/// its construction.
/// </remarks>
public sealed class MessageNames
{
    /// <summary>The last octet of a message that a pointer can lead to.</summary>
    public const int MaxOffset = 0x3FFF;

    private const int MaxNames = MaxOffset / 2;
    private const uint TagMask = 0xFFFF0000;

    // The upper sixteen bits of a suffix' hash, and its offset; offsets are never 0.
    private readonly uint[] _slots;
    private readonly ushort[] _order;
    private readonly int _mask;
    private LookupName _scratch;
    private int _count;

    /// <summary>A table.</summary>
    /// <param name="maxNames">
    /// How many names and ends of names it holds, 1 to 8,191: about 200 for an answer, 2,000 for the messages of a transfer.
    /// </param>
    public MessageNames(int maxNames = 192)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(maxNames, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(maxNames, MaxNames);
        _order = new ushort[maxNames];
        _slots = new uint[BitOperations.RoundUpToPowerOf2((uint)(maxNames + maxNames / 3 + 1))];
        _mask = _slots.Length - 1;
    }

    /// <summary>Room for a name on its way into a message.</summary>
    internal ref LookupName Scratch => ref _scratch;

    /// <summary>Whether it holds no name.</summary>
    internal bool IsEmpty => _count == 0;

    /// <summary>Forgets all names.</summary>
    internal void Clear() => Forget(0);

    /// <summary>
    /// Forgets the names at or behind a position: they were taken back. Offsets only grow, so these are the latest entries, and
    /// taking the latest out of a probed table leaves what was before.
    /// </summary>
    internal void Forget(int position)
    {
        while (_count > 0 && (_slots[_order[_count - 1]] & ~TagMask) >= position) _slots[_order[--_count]] = 0;
    }

    /// <summary>Finds the longest end of a name that the message has in the same spelling (RFC 5936 §3.4).</summary>
    /// <param name="name">The name.</param>
    /// <param name="spelling">The same name as it is to be spelled.</param>
    /// <param name="message">The message so far.</param>
    /// <param name="skippedLabels">How many labels stand in front of that end; all of them if none was found.</param>
    /// <returns>The offset to point to; -1 if there is none.</returns>
    internal int Find(in LookupName name, ReadOnlySpan<byte> spelling, ReadOnlySpan<byte> message, out int skippedLabels)
    {
        uint[] slots = _slots;
        for (skippedLabels = 0; skippedLabels < name.LabelCount; skippedLabels++)
        {
            ulong hash = name.SuffixHash(skippedLabels);
            uint tag = (uint)(hash >> 32) & TagMask;
            for (int i = (int)hash & _mask; slots[i] != 0; i = (i + 1) & _mask)
            {
                if ((slots[i] & TagMask) != tag) continue;
                int offset = (int)(slots[i] & ~TagMask);
                if (WireName.EqualsAt(spelling[name.Start(skippedLabels)..], message, offset)) return offset;
            }
        }
        return -1;
    }

    /// <summary>Adds the ends of a name that starts at an offset, but for the last labels, which are there already.</summary>
    /// <param name="name">The name.</param>
    /// <param name="labels">How many labels were written.</param>
    /// <param name="offset">Where the first was.</param>
    internal void Add(in LookupName name, int labels, int offset)
    {
        uint[] slots = _slots;
        ushort[] order = _order;
        for (int skip = 0; skip < labels; skip++)
        {
            int at = offset + name.Start(skip);
            if (at > MaxOffset || _count == order.Length) return;
            ulong hash = name.SuffixHash(skip);
            int i = (int)hash & _mask;
            while (slots[i] != 0) i = (i + 1) & _mask;
            order[_count++] = (ushort)i;
            slots[i] = (uint)(hash >> 32) & TagMask | (uint)at;
        }
    }
}
