namespace Dns.Protocol.Messages;

/// <content>
/// Records in pieces: <c>Begin</c>, any of the <c>Write…</c>, <c>TryEnd</c>. After a piece that does not fit, the rest
/// is skipped and <see cref="TryEnd"/> removes the record, so single pieces need no check.
/// </content>
public ref partial struct MessageWriter
{
    /// <summary>Begins a record.</summary>
    public void Begin(MessageSection section, scoped ReadOnlySpan<byte> owner, RRType type, RRClass rrClass, uint ttl)
    {
        BeginItem(section);
        // In a transfer records of one name are adjacent; this comparison is cheaper than hashing.
        if (IsSameOwner(owner)) WritePointer(_owner);
        else _owner = WriteName(owner);
        WriteFixed(type, rrClass, ttl);
    }

    /// <summary>Begins a record whose owner is a lookup key.</summary>
    /// <param name="original">The same name in its letter case.</param>
    public void Begin(
        MessageSection section, scoped in LookupName owner, scoped ReadOnlySpan<byte> original, RRType type,
        RRClass rrClass, uint ttl)
    {
        BeginItem(section);
        _owner = WriteName(in owner, original);
        WriteFixed(type, rrClass, ttl);
    }

    /// <summary>Begins a record whose owner is in the message.</summary>
    public void Begin(MessageSection section, int ownerOffset, RRType type, RRClass rrClass, uint ttl)
    {
        BeginItem(section);
        _owner = ownerOffset;
        WritePointer(ownerOffset);
        WriteFixed(type, rrClass, ttl);
    }

    /// <summary>Begins an OPT record (RFC 6891 §6.1.2); <see cref="WriteOption"/> adds to it.</summary>
    /// <param name="payloadOctets">The sender's maximum UDP payload.</param>
    /// <param name="rcode">The RCODE; its lower four bits are in the header.</param>
    public void BeginOpt(ushort payloadOctets, Rcode rcode = Rcode.NoError, bool dnssecOk = false)
    {
        BeginItem(MessageSection.Additional);
        uint ttl = (uint)rcode >> 4 << 24 | (dnssecOk ? (uint)OptReader.DnssecOkFlag : 0);
        if (!TryTake(1 + FixedOctets, out Span<byte> room)) return;
        room[0] = 0;
        BinaryPrimitives.WriteUInt64BigEndian(room[1..], (ulong)RRType.OPT << 48 | (ulong)payloadOctets << 32 | ttl);
        _rdata = _position;
    }

    /// <summary>Writes an EDNS option into OPT.</summary>
    public void WriteOption(EdnsOptionCode code, scoped ReadOnlySpan<byte> data)
    {
        if (!TryTake(EdnsOptionReader.HeadOctets + data.Length, out Span<byte> room)) return;
        BinaryPrimitives.WriteUInt32BigEndian(room, (uint)code << 16 | (ushort)data.Length);
        data.CopyTo(room[EdnsOptionReader.HeadOctets..]);
    }

    /// <summary>Ends the record: writes RDLENGTH and counts it.</summary>
    /// <returns>False, with the record removed, if it does not fit.</returns>
    public bool TryEnd()
    {
        if (_fits)
            BinaryPrimitives.WriteUInt16BigEndian(_message[(_rdata - sizeof(ushort))..], (ushort)(_position - _rdata));
        return TryEndItem();
    }

    /// <summary>The rest of the buffer for RDATA that the caller writes, before <see cref="Advance"/>.</summary>
    public readonly Span<byte> Room => _fits && _position < _limit ? _message[_position.._limit] : default;

    /// <summary>Adds octets written to <see cref="Room"/>.</summary>
    public void Advance(int octets)
    {
        if ((uint)octets > (uint)Room.Length) ThrowTooFar();
        _position += octets;
    }

    /// <summary>Marks the record as failed: <see cref="TryEnd"/> will remove it.</summary>
    public void Fail() => _fits = false;

    /// <summary>Writes octets as they are.</summary>
    public void WriteOctets(scoped ReadOnlySpan<byte> octets)
    {
        if (TryTake(octets.Length, out Span<byte> room)) octets.CopyTo(room);
    }

    /// <summary>Writes sixteen bits.</summary>
    public void WriteUInt16(ushort value)
    {
        if (TryTake(sizeof(ushort), out Span<byte> room)) BinaryPrimitives.WriteUInt16BigEndian(room, value);
    }

    /// <summary>Writes thirty-two bits.</summary>
    public void WriteUInt32(uint value)
    {
        if (TryTake(sizeof(uint), out Span<byte> room)) BinaryPrimitives.WriteUInt32BigEndian(room, value);
    }

    /// <summary>Writes RDATA, with names compressed where the type allows it (RFC 3597 §4).</summary>
    public void WriteRdata(RRType type, scoped ReadOnlySpan<byte> rdata)
    {
        if (Rdata.TryGetCompressibleNames(type, out int prefix, out int names))
        {
            WriteOctets(rdata[..prefix]);
            rdata = rdata[prefix..];
            for (; names > 0; names--)
            {
                if (!WireName.TryMeasure(rdata, out int length)) ThrowNoName();
                WriteName(rdata[..length]);
                rdata = rdata[length..];
            }
        }
        WriteOctets(rdata);
    }

    /// <summary>Writes a name, compressed by its longest suffix in the message; returns its offset.</summary>
    public int WriteName(scoped ReadOnlySpan<byte> name)
    {
        if (name.Length == 1 || _names is null)
        {
            int start = _position;
            WriteOctets(name);
            return start;
        }
        ref LookupName lookup = ref _names.Scratch;
        lookup.Set(name);
        return WriteName(in lookup, name);
    }

    /// <summary>Writes a name that is a lookup key; returns its offset.</summary>
    /// <param name="original">The same name in its letter case.</param>
    public int WriteName(scoped in LookupName name, scoped ReadOnlySpan<byte> original)
    {
        int start = _position, skipped = name.LabelCount, target = -1;
        if (_names is { IsEmpty: false } && _fits)
            target = _names.Find(in name, original, _message[..start], out skipped);
        WriteOctets(original[..(target < 0 ? name.Length : name.Start(skipped))]);
        if (target >= 0) WritePointer(target);
        if (_fits) _names?.Add(in name, skipped, start);
        return skipped == 0 && target >= 0 ? target : start;
    }

    private readonly bool IsSameOwner(scoped ReadOnlySpan<byte> owner) =>
        _names is not null && _owner is > 0 and <= MessageNames.MaxOffset && owner.Length > sizeof(ushort)
        && WireName.EqualsAt(owner, _message[.._position], _owner);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void WritePointer(int target)
    {
        if (target > MessageNames.MaxOffset) _fits = false;
        WriteUInt16((ushort)(0xC000 | target));
    }

    private void WriteFixed(RRType type, RRClass rrClass, uint ttl)
    {
        if (TryTake(FixedOctets, out Span<byte> room))
        {
            BinaryPrimitives.WriteUInt64BigEndian(room, (ulong)type << 48 | (ulong)(ushort)rrClass << 32 | ttl);
            _rdata = _position;
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryTake(int octets, out Span<byte> room)
    {
        int left = _limit - _position;
        if (!_fits || octets > left)
        {
            _fits = false;
            room = default;
            return false;
        }
        room = _message.Slice(_position, octets);
        _position += octets;
        return true;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void BeginItem(MessageSection section)
    {
        _countOfRecord = 1UL << ShiftOf(section);
        _record = _position;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryEndItem()
    {
        // A count is full if adding one would carry into the next.
        ulong full = _counts | ~(_countOfRecord * ushort.MaxValue);
        if (!_fits || full == ulong.MaxValue) return RemoveItem();
        _counts += _countOfRecord;
        return true;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool RemoveItem()
    {
        HasOmitted = true;
        Rewind(new MessageMark(_record, _counts));
        return false;
    }

    private static void ThrowTooFar() =>
        throw new ArgumentOutOfRangeException("octets", "More than there was room for.");

    private static void ThrowNoName() => throw new ArgumentException("The RDATA is not valid for its type.");
}
