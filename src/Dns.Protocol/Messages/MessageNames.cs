using System.Numerics;

namespace Dns.Protocol.Messages;

/// <summary>
/// The names in a message that later names can point to (RFC 1035 §4.1.4): a bounded hash set of offsets. Above the
/// bound, earlier names are still found.
/// </summary>
/// <remarks>Reused for one message at a time. Not thread-safe; allocates only at construction.</remarks>
public sealed class MessageNames
{
    /// <summary>The maximum offset of a compression pointer.</summary>
    public const int MaxOffset = 0x3FFF;

    private const int MaxNames = MaxOffset / 2;
    private const uint TagMask = 0xFFFF0000;

    // The upper 16 bits of a suffix's hash, and its offset, which is never 0.
    private readonly uint[] _slots;
    private readonly ushort[] _order;
    private readonly int _mask;
    private LookupName _scratch;
    private int _count;

    /// <summary>Creates a table.</summary>
    /// <param name="maxNames">Names and suffixes, 1 to 8,191: about 200 for an answer, 2,000 for a transfer.</param>
    public MessageNames(int maxNames = 192)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(maxNames, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(maxNames, MaxNames);
        _order = new ushort[maxNames];
        _slots = new uint[BitOperations.RoundUpToPowerOf2((uint)(maxNames + maxNames / 3 + 1))];
        _mask = _slots.Length - 1;
    }

    /// <summary>A buffer for a name to be written.</summary>
    internal ref LookupName Scratch => ref _scratch;

    internal bool IsEmpty => _count == 0;

    internal void Clear() => Forget(0);

    /// <summary>Removes the names from a position on: the latest, so earlier probe sequences stay intact.</summary>
    internal void Forget(int position)
    {
        while (_count > 0 && (_slots[_order[_count - 1]] & ~TagMask) >= position) _slots[_order[--_count]] = 0;
    }

    /// <summary>Finds the longest suffix that the message has in the same letter case (RFC 5936 §3.4).</summary>
    /// <param name="original">The same name in its letter case.</param>
    /// <param name="skippedLabels">The number of labels in front of the suffix; all labels if none was found.</param>
    /// <returns>The offset to point to; -1 if there is none.</returns>
    internal int Find(in LookupName name, ReadOnlySpan<byte> original, ReadOnlySpan<byte> message,
        out int skippedLabels)
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
                if (WireName.EqualsAt(original[name.Start(skippedLabels)..], message, offset)) return offset;
            }
        }
        return -1;
    }

    /// <summary>Adds the suffixes of a name at an offset, without those that were compressed.</summary>
    /// <param name="labels">The number of labels written.</param>
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
