namespace Dns.Answering.Encoding;

/// <summary>
/// The encoded answers of one thread whose records hold names: referrals, NS, MX, SRV, SVCB, HTTPS and NAPTR with
/// their addresses, SOA and PTR, and aliases with their targets in the same zone. A hit copies them.
/// </summary>
/// <remarks>
/// A ring buffer of octets and a hash table of positions in it. Admits an answer on its second miss, if its bucket saw
/// fewer than two other misses in between: names queried once evict nothing. A full ring evicts the oldest answer;
/// answers of earlier zone versions never match. Used by one thread: no lock. The ring is allocated as it is filled;
/// where memory ends, what is there is used on.
/// </remarks>
internal sealed class CachedAnswers
{
    /// <summary>The maximum length of a cached answer, in octets behind the question.</summary>
    internal const int MaxOctets = 1232;

    // All referrals of the root zone, with and without signatures.
    private const int RingOctets = 1 << 22;
    private const int ChunkOctets = 1 << 16;
    private const int Slots = 1 << 13;

    /// <summary>Two-way associative: with one way, two popular names of a bucket would evict each other.</summary>
    private const int Ways = 2;

    private const int TagShift = 48;
    private const ulong PositionMask = (1UL << TagShift) - 1;

    private readonly byte[]?[] _chunks = new byte[]?[RingOctets / ChunkOctets];

    /// <summary>By slot 16 bits of the key, and the answer's position in the sequence of octets; 0 = none.</summary>
    private readonly ulong[] _slots = new ulong[Slots];

    /// <summary>For each bucket 16 bits of the keys of its last two misses.</summary>
    private readonly ushort[] _missed = new ushort[Slots];

    // Starts behind a ring, so that position 0 is stale. Octets up to one entry ahead may be half overwritten.
    private ulong _head = RingOctets;

    /// <summary>Finds the answer to a question.</summary>
    /// <param name="answer">The answer; valid until the next insertion.</param>
    /// <param name="isWanted">On a miss: whether to insert the answer once it is encoded.</param>
    internal bool TryFind(scoped in CachedAnswerKey key, out CachedAnswer answer, out bool isWanted)
    {
        ulong mixed = key.Mixed, tag = mixed >> TagShift;
        foreach (ulong slot in SlotsOf(mixed))
        {
            ulong position = slot & PositionMask;
            if (slot >> TagShift != tag || _head - position > RingOctets - CachedAnswer.MaxSize) continue;
            answer = new CachedAnswer(ChunkAt(position).AsSpan((int)position & (ChunkOctets - 1)));
            isWanted = false;
            if (answer.Is(in key)) return true;
        }
        answer = default;
        Span<ushort> marks = _missed.AsSpan((int)mixed & (Slots - Ways), Ways);
        isWanted = marks.Contains((ushort)tag);
        // The last two misses count, so that two alternating names are both admitted.
        if (!isWanted) (marks[0], marks[1]) = ((ushort)tag, marks[0]);
        return false;
    }

    /// <summary>Inserts an answer, unless copies of it could differ from what the encoder produces.</summary>
    /// <param name="message">The message up to the end of the records.</param>
    /// <param name="start">Where the records start.</param>
    /// <param name="skip">Labels in front of the answer's name.</param>
    internal void Add(
        scoped in CachedAnswerKey key, ReadOnlySpan<byte> message, int start, RecordCounts counts,
        scoped ref readonly LookupName question, int skip)
    {
        if (message.Length - start > MaxOctets) return;
        // An entry is contiguous; the rest at the end of a chunk is skipped.
        int left = ChunkOctets - ((int)_head & (ChunkOctets - 1));
        if (left < CachedAnswer.MaxSize) _head += (uint)left;
        if (ChunkAt(_head) is null && !TryAddChunk()) return;
        Span<byte> room = ChunkAt(_head).AsSpan((int)_head & (ChunkOctets - 1), CachedAnswer.MaxSize);
        int size = CachedAnswer.Write(room, in key, message, start, counts, in question, skip);
        if (size == 0) return;
        ulong mixed = key.Mixed;
        Span<ulong> slots = SlotsOf(mixed);
        // Evict the older of the two, which the ring would overwrite first.
        int way = (slots[0] & PositionMask) <= (slots[1] & PositionMask) ? 0 : 1;
        slots[way] = mixed >> TagShift << TagShift | (_head & PositionMask);
        _head += (uint)size;
    }

    private static int IndexOf(ulong position) => (int)(position / ChunkOctets) & (RingOctets / ChunkOctets - 1);

    private byte[]? ChunkAt(ulong position) => _chunks[IndexOf(position)];

    // Where a limit of the process ends, the answer is sent without being kept.
    private bool TryAddChunk()
    {
        try
        {
            _chunks[IndexOf(_head)] = GC.AllocateUninitializedArray<byte>(ChunkOctets);
            return true;
        }
        catch (OutOfMemoryException)
        {
            return false;
        }
    }

    private Span<ulong> SlotsOf(ulong mixed) => _slots.AsSpan((int)mixed & (Slots - Ways), Ways);
}
