namespace Dns.Answering.Encoding;

/// <summary>The encoded records of an answer behind its question; <see cref="CachedAnswers"/> owns them.</summary>
/// <remarks>
/// At a referral a longer question moves the records back by its additional labels, and each compression pointer grows
/// by as much. Integers are in the machine's byte order, except in the records:
/// <code>
/// octet  0   the zone's snapshot          22  number of pointers
///        8   the set of zones             23  number of hashes
///        16  queried type                 24  records in answer, authority, additional section, 2 octets each
///        18  signatures, choice           30  number of the view
///        19  length of the name           32  name; where in the records each pointer is, 2 octets each;
///        20  length of the records            4 octets of hash each; records
/// </code>
/// The hashes are those of names one label below the cut in the records. A question at or below such a name could be
/// compressed further, which is left to the encoder.
/// </remarks>
internal readonly ref struct CachedAnswer
{
    /// <summary>The maximum size of one entry in octets.</summary>
    internal const int MaxSize =
        HeaderOctets + WireName.MaxOctets + sizeof(ushort) * Relocations.MaxPointers +
            sizeof(uint) * Relocations.MaxHashes
        + CachedAnswers.MaxOctets;

    private const int HeaderOctets = 32;

    private readonly ReadOnlySpan<byte> _octets;

    internal CachedAnswer(ReadOnlySpan<byte> octets) => _octets = octets;

    /// <summary>Length of the records in octets.</summary>
    internal int Length => MemoryMarshal.Read<ushort>(_octets[20..]);

    internal RecordCounts Counts => new()
    {
        Answer = MemoryMarshal.Read<ushort>(_octets[24..]),
        Authority = MemoryMarshal.Read<ushort>(_octets[26..]),
        Additional = MemoryMarshal.Read<ushort>(_octets[28..]),
    };

    private ReadOnlySpan<byte> Name => _octets.Slice(HeaderOctets, _octets[19]);

    private int PointersAt => HeaderOctets + _octets[19];

    private int HashesAt => PointersAt + sizeof(ushort) * _octets[22];

    private int RecordsAt => HashesAt + sizeof(uint) * _octets[23];

    private ReadOnlySpan<ushort> Pointers => MemoryMarshal.Cast<byte, ushort>(_octets[PointersAt..HashesAt]);

    private ReadOnlySpan<uint> Hashes => MemoryMarshal.Cast<byte, uint>(_octets[HashesAt..RecordsAt]);

    /// <summary>Whether this is the answer of a key.</summary>
    internal bool Is(scoped in CachedAnswerKey key) =>
        MemoryMarshal.Read<long>(_octets) == key.Snapshot && MemoryMarshal.Read<long>(_octets[8..]) == key.Zones
        && MemoryMarshal.Read<ushort>(_octets[16..]) == (ushort)key.Type
        && _octets[18] == key.Variant && MemoryMarshal.Read<ushort>(_octets[30..]) == key.View
        && Name.SequenceEqual(key.Name);

    /// <summary>Whether the encoder would produce the same octets for this question.</summary>
    /// <param name="skip">Labels in front of the answer's name.</param>
    internal bool Fits(scoped ref readonly LookupName question, int skip) =>
        skip == 0 ||
            (question.LabelCount <= Relocations.MaxLabels && !Hashes.Contains((uint)question.SuffixHash(skip - 1)));

    /// <summary>Writes the records.</summary>
    /// <param name="destination">Receives <see cref="Length"/> octets.</param>
    /// <param name="shift">Octets of the question in front of the answer's name.</param>
    internal void CopyTo(Span<byte> destination, int shift)
    {
        _octets.Slice(RecordsAt, Length).CopyTo(destination);
        if (shift != 0) Relocate(destination, shift);
    }

    /// <summary>Writes the entry of an encoded answer.</summary>
    /// <param name="destination">Room for <see cref="MaxSize"/> octets.</param>
    /// <param name="message">The message up to the end of the records.</param>
    /// <param name="start">Where the records start.</param>
    /// <returns>The size of the entry, a multiple of 4; 0 if the answer cannot be cached.</returns>
    internal static int Write(
        Span<byte> destination, scoped in CachedAnswerKey key, ReadOnlySpan<byte> message, int start,
        RecordCounts counts, scoped ref readonly LookupName question, int skip)
    {
        Relocations moved = default;
        if (key.IsReferral && !moved.TryCollect(message, start, in question, skip)) return 0;
        CachedAnswer written = new(destination);
        MemoryMarshal.Write(destination, key.Snapshot);
        MemoryMarshal.Write(destination[8..], key.Zones);
        MemoryMarshal.Write(destination[16..], (ushort)key.Type);
        destination[18] = key.Variant;
        destination[19] = (byte)key.Name.Length;
        MemoryMarshal.Write(destination[20..], (ushort)(message.Length - start));
        destination[22] = (byte)moved.Pointers.Length;
        destination[23] = (byte)moved.Hashes.Length;
        MemoryMarshal.Write(destination[24..], (ushort)counts.Answer);
        MemoryMarshal.Write(destination[26..], (ushort)counts.Authority);
        MemoryMarshal.Write(destination[28..], (ushort)counts.Additional);
        MemoryMarshal.Write(destination[30..], key.View);
        key.Name.CopyTo(destination[HeaderOctets..]);
        MemoryMarshal.AsBytes(moved.Pointers).CopyTo(destination[written.PointersAt..]);
        MemoryMarshal.AsBytes(moved.Hashes).CopyTo(destination[written.HashesAt..]);
        if (!written.Fits(in question, skip)) return 0;
        Span<byte> records = destination[written.RecordsAt..];
        message[start..].CopyTo(records);
        written.Relocate(records, -question.Start(skip));
        return (written.RecordsAt + written.Length + 3) & ~3;
    }

    private void Relocate(Span<byte> records, int shift)
    {
        foreach (ushort offset in Pointers)
        {
            Span<byte> pointer = records.Slice(offset, sizeof(ushort));
            BinaryPrimitives.WriteUInt16BigEndian(pointer,
                (ushort)(BinaryPrimitives.ReadUInt16BigEndian(pointer) + shift));
        }
    }
}
