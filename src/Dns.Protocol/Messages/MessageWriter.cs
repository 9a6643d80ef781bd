namespace Dns.Protocol.Messages;

/// <summary>Writes a message: header, question, then records section by section.</summary>
/// <remarks>
/// <code>
/// MessageWriter writer = new(buffer, names);
/// writer.WriteHeader(id, flags);
/// writer.TryWriteQuestion(name, type, rrClass);
/// writer.Limit -= room;                                       // what OPT and TSIG will take
/// if (!writer.TryWrite(MessageSection.Answer, owner, type, rrClass, ttl, rdata)) ...   // did not fit
/// int length = writer.Finish();                               // writes the counts
/// </code>
/// A record that does not fit is omitted without an exception, and <see cref="HasOmitted"/> is set. Writing whole
/// RRsets or nothing (RFC 2181 §9) is up to the caller: <see cref="Mark"/> before, <see cref="Rewind"/> after a
/// failure. Sections are written in order. Names and RDATA passed in are valid and uncompressed; TTLs are seconds.
/// Names are compressed where RFC 3597 §4 allows it, against earlier ones of the same letter case (RFC 5936 §3.4).
/// <see cref="Octets"/> may be patched at the offsets returned. Borrows buffer and table; allocates nothing.
/// </remarks>
public ref partial struct MessageWriter
{
    private const int FixedOctets = RecordReader.FixedOctets;
    private const int CountsOffset = 4;

    private readonly Span<byte> _message;
    private readonly MessageNames? _names;
    private int _limit;
    private int _position;
    private int _record;
    private int _rdata;
    private int _owner;
    private ulong _counts;
    private ulong _countOfRecord;
    private bool _fits = true;

    /// <summary>Starts a message.</summary>
    /// <param name="message">The buffer, at least a header; octets behind 65,535 are not used.</param>
    /// <param name="names">The name table, which is cleared; null = no compression, as in queries.</param>
    public MessageWriter(Span<byte> message, MessageNames? names)
    {
        if (message.Length < MessageHeader.LengthOctets) ThrowTooSmall();
        _message = message;
        _names = names;
        _limit = Math.Min(message.Length, ushort.MaxValue);
        _position = MessageHeader.LengthOctets;
        names?.Clear();
        message[..MessageHeader.LengthOctets].Clear();
    }

    /// <summary>Continues a message in a buffer that starts with the same octets.</summary>
    public MessageWriter(Span<byte> message, MessageNames? names, MessageMark mark)
    {
        if (message.Length < mark.Position) ThrowTooSmall();
        _message = message;
        _names = names;
        _limit = Math.Min(message.Length, ushort.MaxValue);
        (_position, _counts) = (mark.Position, mark.Counts);
    }

    /// <summary>The offset of the next octet to write.</summary>
    public readonly int Position => _position;

    /// <summary>The maximum length: lowered to reserve room for the last records, raised to write them.</summary>
    public int Limit
    {
        readonly get => _limit;
        set
        {
            ArgumentOutOfRangeException.ThrowIfGreaterThan(value, Math.Min(_message.Length, ushort.MaxValue));
            _limit = value;
        }
    }

    /// <summary>The message so far; its counts are those of the last <see cref="Finish"/>.</summary>
    public readonly Span<byte> Octets => _message[.._position];

    /// <summary>Whether something did not fit; the caller decides about TC.</summary>
    public bool HasOmitted { get; private set; }

    /// <summary>The offset of the current record's TTL.</summary>
    public readonly int TtlOffset => _rdata - FixedOctets + 4;

    /// <summary>The offset of the current record's RDATA.</summary>
    public readonly int RdataOffset => _rdata;

    /// <summary>The current owner's offset; above <see cref="MessageNames.MaxOffset"/> no pointer reaches it.</summary>
    public readonly int OwnerOffset => _owner;

    /// <summary>The current position. Not within a record.</summary>
    public readonly MessageMark Mark => new(_position, _counts);

    /// <summary>The number of questions or records in a section.</summary>
    public readonly int Count(MessageSection section) => (ushort)(_counts >> ShiftOf(section));

    /// <summary>Removes everything since a mark.</summary>
    public void Rewind(MessageMark mark)
    {
        (_position, _counts) = (mark.Position, mark.Counts);
        _owner = 0;
        _fits = true;
        _names?.Forget(mark.Position);
    }

    /// <summary>Writes the first four octets of the header. May be called repeatedly.</summary>
    public readonly void WriteHeader(ushort id, ushort flags) =>
        BinaryPrimitives.WriteUInt32BigEndian(_message, (uint)id << 16 | flags);

    /// <summary>Writes the counts into the header.</summary>
    /// <returns>The length of the message in octets.</returns>
    public readonly int Finish()
    {
        BinaryPrimitives.WriteUInt64BigEndian(_message[CountsOffset..], _counts);
        return _position;
    }

    /// <summary>Writes a question.</summary>
    /// <returns>False, with nothing written, if it does not fit.</returns>
    public bool TryWriteQuestion(scoped ReadOnlySpan<byte> name, RRType type, RRClass rrClass)
    {
        BeginItem(MessageSection.Question);
        WriteName(name);
        WriteUInt32((uint)type << 16 | (ushort)rrClass);
        return TryEndItem();
    }

    /// <summary>Writes a question in lower case.</summary>
    /// <returns>False, with nothing written, if it does not fit.</returns>
    public bool TryWriteQuestion(scoped in Question question)
    {
        BeginItem(MessageSection.Question);
        WriteName(in question.Name, question.Name.Octets);
        WriteUInt32((uint)question.Type << 16 | (ushort)question.Class);
        return TryEndItem();
    }

    /// <summary>Copies a question of another message; its name is not used for compression.</summary>
    /// <param name="question">A valid uncompressed name, QTYPE and QCLASS.</param>
    /// <returns>False, with nothing written, if it does not fit.</returns>
    public bool TryCopyQuestion(scoped ReadOnlySpan<byte> question)
    {
        BeginItem(MessageSection.Question);
        WriteOctets(question);
        return TryEndItem();
    }

    /// <summary>Writes a record.</summary>
    /// <returns>False, with nothing written, if it does not fit.</returns>
    public bool TryWrite(
        MessageSection section, scoped ReadOnlySpan<byte> owner, RRType type, RRClass rrClass, uint ttl,
        scoped ReadOnlySpan<byte> rdata)
    {
        Begin(section, owner, type, rrClass, ttl);
        WriteRdata(type, rdata);
        return TryEnd();
    }

    /// <summary>Writes a record whose owner is in the message.</summary>
    /// <param name="ownerOffset">The name's offset: <see cref="OwnerOffset"/>, or 12 for that of the question.</param>
    /// <returns>False, with nothing written, if it does not fit or no pointer can reach the owner.</returns>
    public bool TryWrite(MessageSection section, int ownerOffset, RRType type, RRClass rrClass, uint ttl,
        scoped ReadOnlySpan<byte> rdata)
    {
        Begin(section, ownerOffset, type, rrClass, ttl);
        WriteRdata(type, rdata);
        return TryEnd();
    }

    /// <summary>Copies records that followed the same question in another message, with their pointers.</summary>
    /// <param name="answer">Their counts. RCODE and AD are for <see cref="WriteHeader"/>.</param>
    /// <param name="records">The records; only the question may have been written before.</param>
    /// <returns>False, with nothing written, if they do not fit.</returns>
    public bool TryCopyRecords(scoped in RelayedAnswer answer, scoped ReadOnlySpan<byte> records)
    {
        _record = _position;
        WriteOctets(records);
        if (!_fits) return RemoveItem();
        _counts += (ulong)answer.AnswerCount << ShiftOf(MessageSection.Answer)
            | (ulong)answer.AuthorityCount << ShiftOf(MessageSection.Authority)
            | (ulong)answer.AdditionalCount << ShiftOf(MessageSection.Additional);
        return true;
    }

    private static int ShiftOf(MessageSection section) => 48 - 16 * (int)section;

    private static void ThrowTooSmall() =>
        throw new ArgumentException("The buffer is shorter than what is there already.");
}
