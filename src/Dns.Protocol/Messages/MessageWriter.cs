using System.Buffers.Binary;

namespace Dns.Protocol;

/// <summary>Writes a message: header, question, then records in the order of their sections.</summary>
/// <remarks>
/// <code>
/// MessageWriter writer = new(buffer, names);
/// writer.WriteHeader(id, flags);
/// writer.TryWriteQuestion(name, type, rrClass);
/// writer.Limit -= room;                                       // what OPT and TSIG will take
/// if (!writer.TryWrite(MessageSection.Answer, owner, type, rrClass, ttl, rdata)) ...   // did not fit; the message is as before
/// int length = writer.Finish();                               // writes the counts
/// </code>
/// What does not fit is a value, never an exception: the record is not there, and <see cref="HasLeftOut"/> says so. Whole RRsets or
/// nothing (RFC 2181 §9) is the caller's: <see cref="Mark"/> before, <see cref="Rewind"/> where one record failed. Names are
/// compressed where RFC 3597 §4 allows it, to earlier names of the same spelling only (RFC 5936 §3.4). The octets written are
/// <see cref="Octets"/>; anything in them may be patched at the offsets that the writer has told.
/// Borrows buffer and table; allocates nothing.
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
    /// <param name="message">The buffer, a header at least; what stands behind 65,535 octets is not used.</param>
    /// <param name="names">The caller's table, which forgets what it held; null = nothing is compressed, as in queries.</param>
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

    /// <summary>Goes on with a message in a buffer that starts with the same octets.</summary>
    /// <param name="message">The buffer.</param>
    /// <param name="names">The table that the message was begun with.</param>
    /// <param name="mark">Where it goes on.</param>
    public MessageWriter(Span<byte> message, MessageNames? names, MessageMark mark)
    {
        if (message.Length < mark.Position) ThrowTooSmall();
        _message = message;
        _names = names;
        _limit = Math.Min(message.Length, ushort.MaxValue);
        (_position, _counts) = (mark.Position, mark.Counts);
    }

    /// <summary>Where the next record starts, or the next octets of the one that was begun.</summary>
    public readonly int Position => _position;

    /// <summary>Where the message has to end. Lowered to keep room for what comes last, raised again to write that.</summary>
    public int Limit
    {
        readonly get => _limit;
        set
        {
            ArgumentOutOfRangeException.ThrowIfGreaterThan(value, Math.Min(_message.Length, ushort.MaxValue));
            _limit = value;
        }
    }

    /// <summary>The message so far. The counts in its header are those of the last <see cref="Finish"/>.</summary>
    public readonly Span<byte> Octets => _message[.._position];

    /// <summary>Whether something was left out that did not fit: TC is for the caller to decide.</summary>
    public bool HasLeftOut { get; private set; }

    /// <summary>Where the record that was begun last, has its TTL.</summary>
    public readonly int TtlOffset => _rdata - FixedOctets + 4;

    /// <summary>Where the RDATA of the record that was begun last, starts.</summary>
    public readonly int RdataOffset => _rdata;

    /// <summary>
    /// Where the owner of the record that was begun last can be read, for other records of it; above
    /// <see cref="MessageNames.MaxOffset"/> nothing can point there.
    /// </summary>
    public readonly int OwnerOffset => _owner;

    /// <summary>How far the message has come. Not inside of a record.</summary>
    public readonly MessageMark Mark => new(_position, _counts);

    /// <summary>How many questions or records a section has.</summary>
    public readonly int Count(MessageSection section) => (ushort)(_counts >> ShiftOf(section));

    /// <summary>Takes back everything since a mark.</summary>
    public void Rewind(MessageMark mark)
    {
        (_position, _counts) = (mark.Position, mark.Counts);
        _owner = 0;
        _fits = true;
        _names?.Forget(mark.Position);
    }

    /// <summary>Writes the first four octets of the header. May be called again.</summary>
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
    /// <param name="name">A valid uncompressed name.</param>
    /// <param name="type">QTYPE.</param>
    /// <param name="rrClass">QCLASS.</param>
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

    /// <summary>Copies a question as it stands in another message; no name points to it.</summary>
    /// <param name="question">A valid uncompressed name, QTYPE and QCLASS.</param>
    /// <returns>False, with nothing written, if it does not fit.</returns>
    public bool TryCopyQuestion(scoped ReadOnlySpan<byte> question)
    {
        BeginItem(MessageSection.Question);
        WriteOctets(question);
        return TryEndItem();
    }

    /// <summary>Writes a record.</summary>
    /// <param name="section">Its section; never one before that of the last record.</param>
    /// <param name="owner">A valid uncompressed name.</param>
    /// <param name="type">TYPE.</param>
    /// <param name="rrClass">CLASS.</param>
    /// <param name="ttl">TTL in seconds.</param>
    /// <param name="rdata">Valid uncompressed RDATA.</param>
    /// <returns>False, with nothing written, if it does not fit.</returns>
    public bool TryWrite(
        MessageSection section, scoped ReadOnlySpan<byte> owner, RRType type, RRClass rrClass, uint ttl, scoped ReadOnlySpan<byte> rdata)
    {
        Begin(section, owner, type, rrClass, ttl);
        WriteRdata(type, rdata);
        return TryEnd();
    }

    /// <summary>Writes a record under a name that the message has.</summary>
    /// <param name="section">Its section; never one before that of the last record.</param>
    /// <param name="ownerOffset">Where the name is, such as <see cref="OwnerOffset"/>, or 12 for that of the question.</param>
    /// <param name="type">TYPE.</param>
    /// <param name="rrClass">CLASS.</param>
    /// <param name="ttl">TTL in seconds.</param>
    /// <param name="rdata">Valid uncompressed RDATA.</param>
    /// <returns>False, with nothing written, if it does not fit or nothing can point to that offset.</returns>
    public bool TryWrite(MessageSection section, int ownerOffset, RRType type, RRClass rrClass, uint ttl, scoped ReadOnlySpan<byte> rdata)
    {
        Begin(section, ownerOffset, type, rrClass, ttl);
        WriteRdata(type, rdata);
        return TryEnd();
    }

    /// <summary>Copies records as they stand behind the same question elsewhere, with the pointers in them.</summary>
    /// <param name="answer">How many there are in each section. Its code and AD are for <see cref="WriteHeader"/>.</param>
    /// <param name="records">The records; the question and nothing else has been written so far.</param>
    /// <returns>False, with nothing written, if they do not fit.</returns>
    public bool TryCopyRecords(scoped in RelayedAnswer answer, scoped ReadOnlySpan<byte> records)
    {
        _record = _position;
        WriteOctets(records);
        if (!_fits) return TakeItemBack();
        _counts += (ulong)answer.AnswerCount << ShiftOf(MessageSection.Answer)
            | (ulong)answer.AuthorityCount << ShiftOf(MessageSection.Authority)
            | (ulong)answer.AdditionalCount << ShiftOf(MessageSection.Additional);
        return true;
    }

    private static int ShiftOf(MessageSection section) => 48 - 16 * (int)section;

    private static void ThrowTooSmall() => throw new ArgumentException("The buffer is shorter than what is there already.");
}
