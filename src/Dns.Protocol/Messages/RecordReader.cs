namespace Dns.Protocol.Messages;

/// <summary>Cursor over the records of a message (RFC 1035 §4.1.3); <see cref="TryRead"/> moves to the next.</summary>
/// <remarks>
/// <code>
/// owner      labels, a pointer, or labels and then a pointer
/// TYPE       16 bits
/// CLASS      16 bits
/// TTL        32 bits, seconds
/// RDLENGTH   16 bits, octets
/// RDATA      RDLENGTH octets
/// </code>
/// Borrows the message; never allocates, never throws. An owner is checked only for valid labels and a backward
/// pointer; that it expands to at most 255 octets is checked by <see cref="TryReadOwner"/> and
/// <see cref="TryExpandOwner"/>. RDATA is checked only by <see cref="TryReadRdata"/>. The properties are undefined
/// before the first and behind the last record.
/// </remarks>
public ref struct RecordReader
{
    /// <summary>TYPE, CLASS, TTL and RDLENGTH.</summary>
    public const int FixedOctets = 10;

    private const int TtlFromFixed = 4;
    private const int Malformed = -1;
    private const ushort PointerToQuestion = 0xC000 | MessageHeader.LengthOctets;

    private readonly ReadOnlySpan<byte> _message;
    private readonly int _origin;
    private readonly int _authorityLeft;
    private readonly int _additionalLeft;
    private int _left;
    private int _next;
    private int _owner;
    private int _rdata;
    private int _rdataOctets;
    private ulong _fixed;

    private RecordReader(ReadOnlySpan<byte> message, int position, int origin, int left, int authorityLeft,
        int additionalLeft)
    {
        _message = message;
        _origin = origin;
        _left = left;
        _authorityLeft = authorityLeft;
        _additionalLeft = additionalLeft;
        _next = position;
    }

    /// <summary>A reader of records of one section.</summary>
    /// <param name="message">The whole message, or its start up to the end of the records.</param>
    public RecordReader(ReadOnlySpan<byte> message, int position, int count,
        MessageSection section = MessageSection.Answer)
        : this(
            message, position, 0, count,
            section >= MessageSection.Authority ? count : 0, section == MessageSection.Additional ? count : 0)
    {
    }

    /// <summary>A reader of all records of a message.</summary>
    /// <param name="message">The whole message, a header at least.</param>
    /// <param name="position">The offset of its first record; -1 = the questions were malformed.</param>
    public static RecordReader OfMessage(ReadOnlySpan<byte> message, int position)
    {
        if ((uint)position > (uint)message.Length) return new RecordReader(message, Malformed, 0, 0, 0, 0);
        ulong counts = BinaryPrimitives.ReadUInt64BigEndian(message[4..]);
        int additional = (ushort)counts, authority = (ushort)(counts >> 16), answer = (ushort)(counts >> 32);
        return new RecordReader(message, position, 0, answer + authority + additional, authority + additional,
            additional);
    }

    /// <summary>
    /// A reader of records that were cut out of a message, as those of a <see cref="RelayedAnswer"/>. Offsets count
    /// from the first of these octets. Names may point outside of them, so they can only be skipped.
    /// </summary>
    /// <param name="messageOffset">Their offset in the original message, above 0.</param>
    public static RecordReader OfDetached(ReadOnlySpan<byte> records, int count, int messageOffset) =>
        new(records, 0, messageOffset, count, 0, 0);

    /// <summary>Moves to the next record.</summary>
    /// <returns>False behind the last, or if the record is malformed; see <see cref="IsAtEnd"/>.</returns>
    public bool TryRead()
    {
        if (_left <= 0) return false;
        int position = _next;
        if (WireName.TrySkip(_message, ref position, _origin) && _message.Length - position >= FixedOctets)
        {
            ReadOnlySpan<byte> octets = _message.Slice(position, FixedOctets);
            int length = BinaryPrimitives.ReadUInt16BigEndian(octets[8..]);
            int rdata = position + FixedOctets;
            if (length <= _message.Length - rdata)
            {
                _fixed = BinaryPrimitives.ReadUInt64BigEndian(octets);
                (_owner, _rdata, _rdataOctets, _next) = (_next, rdata, length, rdata + length);
                _left--;
                return true;
            }
        }
        (_left, _next) = (0, Malformed);
        return false;
    }

    /// <summary>Whether all records were read, without trailing octets, which are ignored in messages.</summary>
    public readonly bool IsAtEnd => _left == 0 && _next == _message.Length;

    /// <summary>Whether a record, or a question before it, was malformed.</summary>
    public readonly bool IsMalformed => _next < 0;

    /// <summary>The offset of the next record.</summary>
    public readonly int Position => _next;

    /// <summary>The number of records left.</summary>
    public readonly int Left => _left;

    /// <summary>Its section.</summary>
    public readonly MessageSection Section =>
        _left < _additionalLeft ? MessageSection.Additional
        : _left < _authorityLeft ? MessageSection.Authority : MessageSection.Answer;

    /// <summary>TYPE.</summary>
    public readonly RRType Type => (RRType)(ushort)(_fixed >> 48);

    /// <summary>CLASS; for OPT the sender's UDP payload size (RFC 6891 §6.1.2).</summary>
    public readonly RRClass Class => (RRClass)(ushort)(_fixed >> 32);

    /// <summary>TTL in seconds as received; for OPT the upper RCODE, version and flags.</summary>
    public readonly uint Ttl => (uint)_fixed;

    /// <summary>The offset of the owner, and so of the record.</summary>
    public readonly int OwnerOffset => _owner;

    /// <summary>The offset of the TTL.</summary>
    public readonly int TtlOffset => _rdata - FixedOctets + TtlFromFixed;

    /// <summary>The offset of the RDATA.</summary>
    public readonly int RdataOffset => _rdata;

    /// <summary>RDLENGTH.</summary>
    public readonly int RdataOctets => _rdataOctets;

    /// <summary>The RDATA as received, possibly with compressed names.</summary>
    public readonly ReadOnlySpan<byte> Rdata => _message.Slice(_rdata, _rdataOctets);

    /// <summary>Whether the owner is a single root label, as required for OPT.</summary>
    public readonly bool IsOwnerRoot => _rdata - _owner == FixedOctets + 1;

    /// <summary>Whether the owner is a pointer to offset 12, the name of the first question, the common case.</summary>
    public readonly bool IsOwnerPointerToQuestion =>
        _rdata - _owner == FixedOctets + sizeof(ushort) &&
            BinaryPrimitives.ReadUInt16BigEndian(_message[_owner..]) == PointerToQuestion;

    /// <summary>Whether it is TSIG in its only permitted place, last of the additional (RFC 8945 §5.1).</summary>
    public readonly bool IsLastTsig => Type == RRType.TSIG && _left == 0 && _additionalLeft > 0;

    /// <summary>Reads the owner as a lookup key.</summary>
    /// <returns>False if it is malformed or too long.</returns>
    public readonly bool TryReadOwner(ref LookupName owner)
    {
        int position = _owner;
        return _origin == 0 && owner.TryExpand(_message, ref position);
    }

    /// <summary>Copies the owner in its letter case, uncompressed.</summary>
    /// <param name="destination">At least 255 octets.</param>
    /// <returns>False if it is malformed or too long.</returns>
    public readonly bool TryExpandOwner(Span<byte> destination, out int octets)
    {
        int position = _owner;
        octets = 0;
        return _origin == 0 && WireName.TryExpand(_message, ref position, destination, out octets);
    }

    /// <summary>Whether the owner equals a name, ignoring case.</summary>
    public readonly bool IsOwner(in LookupName name) => _origin == 0 && name.IsSuffixAt(0, _message, _owner);

    /// <summary>Copies the RDATA, expands compressed names, and checks it strictly for its type.</summary>
    /// <param name="destination">At least 65,535 octets.</param>
    /// <param name="octets">Its length; 0 on failure.</param>
    /// <param name="isStrict">Whether to refuse compressed names where RFC 3597 §4 forbids them.</param>
    /// <returns>False if it is malformed.</returns>
    public readonly bool TryReadRdata(Span<byte> destination, out int octets, bool isStrict = false)
    {
        octets = 0;
        return _origin == 0 && RecordData.Rdata.TryRead(
            Type, _message, _rdata, _rdataOctets, destination, out octets, isStrict);
    }

    /// <summary>Reads RDATA that is a single name: of CNAME, DNAME, NS, PTR.</summary>
    /// <returns>False if the RDATA is not exactly one name.</returns>
    public readonly bool TryReadTarget(ref LookupName target)
    {
        int position = _rdata, end = _rdata + _rdataOctets;
        return _origin == 0 && target.TryExpand(_message[..end], ref position) && position == end;
    }
}
