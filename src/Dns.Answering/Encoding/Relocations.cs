namespace Dns.Answering.Encoding;

/// <summary>Parts of a referral's records that depend on the question: pointers, and names below the cut.</summary>
internal struct Relocations
{
    internal const int MaxPointers = 128;

    /// <summary>The maximum number of names directly below the cut.</summary>
    internal const int MaxHashes = 32;

    /// <summary>Maximum labels in question and records; with more, the encoder's name table could overflow.</summary>
    internal const int MaxLabels = NameCompressor.MaxEntries / 2 - 1;

    [InlineArray(MaxPointers)]
    private struct PointerBuffer
    {
        private ushort _first;
    }

    [InlineArray(MaxHashes)]
    private struct HashBuffer
    {
        private uint _first;
    }

    private PointerBuffer _pointers;
    private HashBuffer _hashes;
    private int _pointerCount;
    private int _hashCount;
    private int _labelCount;

    /// <summary>The offsets of the pointers, relative to the first record.</summary>
    [UnscopedRef]
    internal readonly ReadOnlySpan<ushort> Pointers => ((ReadOnlySpan<ushort>)_pointers)[.._pointerCount];

    /// <summary>Half of the hash of each name in the records that is one label below the cut.</summary>
    [UnscopedRef]
    internal readonly ReadOnlySpan<uint> Hashes => ((ReadOnlySpan<uint>)_hashes)[.._hashCount];

    /// <summary>Scans the records of an encoded referral.</summary>
    /// <param name="message">The message up to the end of the records.</param>
    /// <param name="start">Where the records start.</param>
    /// <param name="skip">Its labels in front of the cut's name.</param>
    /// <returns>False if a bound of a cached answer is exceeded.</returns>
    internal bool TryCollect(ReadOnlySpan<byte> message, int start, scoped ref readonly LookupName question, int skip)
    {
        // The number of octets bounds the number of records.
        RecordReader records = new(message, start, message.Length);
        while (records.Position < message.Length)
        {
            if (!records.TryRead() || !TryName(message, start, records.OwnerOffset, in question, skip)) return false;
            if (!Rdata.TryGetCompressibleNames(records.Type, out int position, out int names)) continue;
            for (position += records.RdataOffset; names > 0; names--)
                if (!TryName(message, start, position, in question, skip) || !WireName.TrySkip(message, ref position))
                    return false;
        }
        return true;
    }

    private bool TryName(ReadOnlySpan<byte> message, int start, int position,
        scoped ref readonly LookupName question, int skip)
    {
        Unsafe.SkipInit(out LookupName name);
        int end = position, pointer = WireName.FindPointer(message, position);
        if (!name.TryExpand(message, ref end)) return false;
        for (int last = pointer < 0 ? end - 1 : pointer; position < last; position += message[position] + 1)
            _labelCount++;
        if (pointer >= 0)
        {
            if (_pointerCount == MaxPointers) return false;
            _pointers[_pointerCount++] = (ushort)(pointer - start);
        }
        int below = name.LabelCount - (question.LabelCount - skip);
        if (below > 0 && name.SuffixHash(below) == question.SuffixHash(skip) &&
            !TryAdd((uint)name.SuffixHash(below - 1))) return false;
        return _labelCount <= MaxLabels;
    }

    private bool TryAdd(uint hash)
    {
        if (Hashes.Contains(hash)) return true;
        if (_hashCount == MaxHashes) return false;
        _hashes[_hashCount++] = hash;
        return true;
    }
}
