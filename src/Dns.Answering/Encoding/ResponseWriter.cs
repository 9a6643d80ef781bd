namespace Dns.Answering.Encoding;

/// <summary>The sections of a message that hold records.</summary>
internal enum Section : byte
{
    Answer,
    Authority,
    Additional,
}

/// <summary>
/// Writes records behind the question, section by section: the only place that compresses names and detects overflow.
/// </summary>
/// <remarks>An RRset is written whole or not at all (RFC 2181 §9).</remarks>
internal ref partial struct ResponseWriter
{
    private const int FixedOctets = RecordReader.FixedOctets;
    private const int PointerOctets = 2;
    private const int RootOctets = 1;

    private Span<byte> _message;
    private ref readonly LookupName _question;
    private ref NameCompressor _names;
    private int _rotation;
    private int _limit;
    private RecordCounts _counts;

    /// <summary>
    /// Begins behind the question of a query. No constructor: its result would be copied, reference by reference.
    /// </summary>
    /// <param name="names">The compressor; reset here.</param>
    /// <param name="rotation">The index of an RRset's record to start at, modulo their number.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Begin(scoped ref QueryContext context, scoped ref NameCompressor names, int rotation = 0)
    {
        _message = context.Message;
        _limit = context.Limit - ResponseOpt.Octets(ref context);
        _question = ref context.Query.Name;
        _names = ref Unscoped.Of(in names);
        _names.Reset();
        _rotation = rotation;
        Position = context.Query.QuestionEnd;
    }

    /// <summary>Where the next record starts.</summary>
    internal int Position { get; private set; }

    /// <summary>Whether to write signatures: the client requests them, the zone is signed (RFC 4035 §3.1).</summary>
    internal bool WithSignatures { get; set; }

    /// <summary>Makes the signatures that the current zone lacks; null if it is complete.</summary>
    internal OnlineSignatures? Online { get; set; }

    /// <summary>
    /// The offset of the first name in RDATA of a record of the last RRset, by record index below
    /// <see cref="NameCompressor.MaxHosts"/>.
    /// </summary>
    internal readonly int HostOffset(int index) => _names.Hosts[index];

    /// <summary>Whether something did not fit.</summary>
    internal bool HasOmitted { get; private set; }

    /// <summary>The message up to the end of the last record.</summary>
    internal readonly ReadOnlySpan<byte> Written => _message[..Position];

    internal readonly RecordCounts Counts => _counts;

    /// <summary>Removes all records.</summary>
    internal void Clear()
    {
        Position = MessageHeader.LengthOctets + _question.Length + 4;
        _counts = default;
        _names.Reset();
    }

    /// <summary>Writes an RRset whose owner is at <paramref name="owner"/>, with signatures if requested.</summary>
    /// <param name="section">The section; never one before that of the last call.</param>
    /// <param name="owner">Offset of the owner's name; above 16,383 no pointer can reach it.</param>
    /// <returns>False, with nothing written, if it does not fit.</returns>
    internal bool TryWrite(Section section, int owner, scoped ZoneNode node, scoped RRset rrset, uint ttl)
    {
        int before = Position;
        if (owner > NameCompressor.MaxOffset || !TryWriteRRset(owner, rrset, ttl)) return Undo(before);
        int count = rrset.Count;
        if (WithSignatures && rrset.Type != RRType.RRSIG)
        {
            if (node.TryFindSignatures(rrset.Type, out RRset signatures))
            {
                if (!TryWriteRRset(owner, signatures, Math.Min(ttl, signatures.Ttl))) return Undo(before);
                count += signatures.Count;
            }
            else if (Online is not null && !TrySignOnline(owner, node, rrset, ttl, ref count)) return Undo(before);
        }
        AddCount(section, count);
        return true;
    }

    /// <summary>The offset of a suffix of the name at <paramref name="offset"/>; follows pointers.</summary>
    internal readonly int OffsetOfSuffix(int offset, int skippedLabels)
    {
        offset = Follow(offset);
        for (; skippedLabels > 0; skippedLabels--) offset = Follow(offset + _message[offset] + 1);
        return offset;
    }

    /// <summary>Copies the first labels of the name at <paramref name="offset"/> in their letter case.</summary>
    internal readonly void CopyOriginalCase(int offset, int octets, Span<byte> destination)
    {
        for (int copied = 0; copied < octets;)
        {
            offset = Follow(offset);
            int label = _message[offset] + 1;
            _message.Slice(offset, label).CopyTo(destination[copied..]);
            copied += label;
            offset += label;
        }
    }

    /// <summary>Follows a pointer written here to its label. Pointers lead strictly backwards.</summary>
    private readonly int Follow(int offset)
    {
        while (_message[offset] >= 0xC0) offset = (_message[offset] & 0x3F) << 8 | _message[offset + 1];
        return offset;
    }

    private bool Undo(int position)
    {
        HasOmitted = true;
        Position = position;
        _names.Forget(position);
        return false;
    }

    /// <summary>Writes the SOA of a negative answer into the authority section.</summary>
    /// <param name="soa">A record encoded for this question.</param>
    /// <param name="apexOffset">The offset of the zone's name in the question.</param>
    internal bool TryWriteSoa(NegativeSoa soa, int apexOffset)
    {
        if (Position + soa.Length > _limit) return false;
        soa.Write(_message[Position..], apexOffset);
        Position += soa.Length;
        _counts.Authority += soa.Count;
        return true;
    }

    /// <summary>Writes the records of a cached answer; must be the first records.</summary>
    /// <param name="answer">An answer encoded for this question.</param>
    /// <param name="shift">Octets of the question in front of the answer's name.</param>
    /// <returns>False, with nothing written, if it does not fit.</returns>
    internal bool TryWriteCached(scoped CachedAnswer answer, int shift)
    {
        int length = answer.Length;
        if (Position + length > _limit) return false;
        answer.CopyTo(_message[Position..], shift);
        Position += length;
        _counts = answer.Counts;
        return true;
    }

    /// <summary>Writes a single record whose RDATA has no compressible names.</summary>
    internal bool TryWriteRecord(Section section, int owner, RRType type, RRClass rrClass, uint ttl,
        scoped ReadOnlySpan<byte> rdata)
    {
        if (Position + PointerOctets + FixedOctets + rdata.Length > _limit) return false;
        WriteFixed(owner, type, rrClass, ttl, rdata.Length);
        rdata.CopyTo(_message[Position..]);
        Position += rdata.Length;
        AddCount(section, 1);
        return true;
    }

    /// <summary>Writes a synthesised CNAME (RFC 6672 §3.1); never signed.</summary>
    internal bool TryWriteSynthesisedCname(int owner, uint ttl, scoped ReadOnlySpan<byte> target)
    {
        int before = Position;
        if (owner > NameCompressor.MaxOffset) return false;
        if (!TryWriteNamed(owner, RRType.CNAME, ttl, target, prefixOctets: 0, nameCount: 1, index: 0))
            return Undo(before);
        AddCount(Section.Answer, 1);
        return true;
    }

    /// <summary>Writes an RRset; false if it does not fit: the caller then removes what was written.</summary>
    private bool TryWriteRRset(int owner, scoped RRset rrset, uint ttl)
    {
        bool isNamed = Rdata.TryGetCompressibleNames(rrset.Type, out int prefix, out int names);
        if (_rotation != 0 && rrset.Count > 1) return TryWriteRotated(owner, rrset, ttl, prefix, names);
        if (!isNamed) return TryWritePlain(owner, rrset, ttl);
        int index = 0;
        foreach (ReadOnlySpan<byte> rdata in rrset)
            if (!TryWriteNamed(owner, rrset.Type, ttl, rdata, prefix, names, index++)) return false;
        return true;
    }

    private bool TryWritePlain(int owner, scoped RRset rrset, uint ttl)
    {
        int end = WritePlain(_message, Position, _limit, owner, rrset, ttl);
        if (end < 0) return false;
        Position = end;
        return true;
    }

    /// <summary>Writes an RRset without compressible names.</summary>
    /// <param name="position">Where the first record starts.</param>
    /// <param name="limit">The maximum end of the last record.</param>
    /// <param name="owner">Offset of the owner's name, at most <see cref="NameCompressor.MaxOffset"/>.</param>
    /// <returns>Where the last record ends; -1 if it does not fit.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int WritePlain(
        scoped Span<byte> message, int position, int limit, int owner, scoped RRset rrset, uint ttl)
    {
        const int head = PointerOctets + FixedOctets;
        // Pointer, type, class and the upper half of the TTL; then the lower half and RDLENGTH.
        ulong first =
            (ulong)(0xC000 | (uint)owner) << 48 | (ulong)rrset.Type << 32 | (uint)RRClass.IN << 16 | ttl >> 16;
        uint last = ttl << 16;
        ref byte start = ref MemoryMarshal.GetReference(message[..limit]);
        foreach (ReadOnlySpan<byte> rdata in rrset)
        {
            int end = position + head + rdata.Length;
            if (end > limit) return -1;
            // In range: the record ends at the limit at most.
            Span<byte> record = MemoryMarshal.CreateSpan(ref Unsafe.Add(ref start, position), end - position);
            BinaryPrimitives.WriteUInt64BigEndian(record, first);
            BinaryPrimitives.WriteUInt32BigEndian(record[sizeof(ulong)..], last | (uint)rdata.Length);
            if (rdata.Length == sizeof(uint))
                MemoryMarshal.Write(record[head..], MemoryMarshal.Read<uint>(rdata));
            else
                rdata.CopyTo(record[head..]);
            position = end;
        }
        return position;
    }

    private bool TryWriteRotated(int owner, scoped RRset rrset, uint ttl, int prefix, int names)
    {
        int first = _rotation % rrset.Count;
        for (int turn = 0; turn < 2; turn++)
        {
            int index = 0;
            foreach (ReadOnlySpan<byte> rdata in rrset)
            {
                bool isBeforeFirst = index++ < first;
                if (isBeforeFirst != (turn == 1)) continue;
                if (!TryWriteNamed(owner, rrset.Type, ttl, rdata, prefix, names, index - 1)) return false;
            }
        }
        return true;
    }

    /// <summary>Writes one record: RDATA with a fixed prefix, names, and trailing octets.</summary>
    private bool TryWriteNamed(
        int owner, RRType type, uint ttl, scoped ReadOnlySpan<byte> rdata, int prefixOctets, int nameCount, int index)
    {
        if (Position + PointerOctets + FixedOctets + prefixOctets > _limit) return false;
        WriteFixed(owner, type, RRClass.IN, ttl, 0);
        return TryWriteNamedRdata(rdata, prefixOctets, nameCount, index);
    }

    /// <summary>Writes RDATA with a fixed prefix and names, then fills in RDLENGTH.</summary>
    private bool TryWriteNamedRdata(scoped ReadOnlySpan<byte> rdata, int prefixOctets, int nameCount, int index)
    {
        int start = Position;
        if (start + prefixOctets > _limit) return false;
        rdata[..prefixOctets].CopyTo(_message[start..]);
        Position += prefixOctets;
        rdata = rdata[prefixOctets..];
        for (int i = 0; i < nameCount; i++)
        {
            WireName.TryMeasure(rdata, out int length);
            int offset = WriteName(rdata[..length]);
            if (offset < 0) return false;
            if (i == 0 && index < NameCompressor.MaxHosts) _names.Hosts[index] = (ushort)offset;
            rdata = rdata[length..];
        }
        if (Position + rdata.Length > _limit) return false;
        rdata.CopyTo(_message[Position..]);
        Position += rdata.Length;
        BinaryPrimitives.WriteUInt16BigEndian(_message[(start - 2)..], (ushort)(Position - start));
        return true;
    }

    [SkipLocalsInit, MethodImpl(MethodImplOptions.NoInlining)]
    private int WriteName(scoped ReadOnlySpan<byte> name)
    {
        Unsafe.SkipInit(out LookupName lookup);
        lookup.Set(name);
        return WriteName(name, in lookup);
    }

    /// <summary>Writes a name, compressed by a pointer to its longest suffix in the message.</summary>
    /// <returns>The offset of the name; -1 if it does not fit.</returns>
    private int WriteName(scoped ReadOnlySpan<byte> name, scoped ref readonly LookupName lookup)
    {
        int start = Position;
        int target = _names.Find(_message, in _question, in lookup, out int skip);
        int octets = lookup.Start(skip);
        if (start + octets + (target < 0 ? RootOctets : PointerOctets) > _limit) return -1;
        name[..octets].CopyTo(_message[start..]);
        Position += octets;
        if (target < 0) _message[Position++] = 0;
        else
        {
            BinaryPrimitives.WriteUInt16BigEndian(_message[Position..], (ushort)(0xC000 | target));
            Position += PointerOctets;
        }
        for (int i = 0; i < skip; i++) _names.Add(lookup.SuffixHash(i), start + lookup.Start(i));
        return octets == 0 && target >= 0 ? target : start;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void WriteFixed(int owner, RRType type, RRClass rrClass, uint ttl, int rdataOctets)
    {
        BinaryPrimitives.WriteUInt16BigEndian(_message[Position..], (ushort)(0xC000 | owner));
        Position += PointerOctets;
        WriteAfterOwner(type, rrClass, ttl, rdataOctets);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void WriteAfterOwner(RRType type, RRClass rrClass, uint ttl, int rdataOctets)
    {
        Span<byte> record = _message.Slice(Position, FixedOctets);
        BinaryPrimitives.WriteUInt32BigEndian(record, (uint)type << 16 | (uint)rrClass);
        BinaryPrimitives.WriteUInt32BigEndian(record[4..], ttl);
        BinaryPrimitives.WriteUInt16BigEndian(record[8..], (ushort)rdataOctets);
        Position += FixedOctets;
    }

    private void AddCount(Section section, int count)
    {
        if (section == Section.Answer) _counts.Answer += count;
        else if (section == Section.Authority) _counts.Authority += count;
        else _counts.Additional += count;
    }
}
