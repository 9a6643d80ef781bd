namespace Dns.Protocol.Messages;

/// <summary>Reads a message: header, questions, then the records of the three other sections.</summary>
/// <remarks>
/// <code>
/// if (!MessageReader.TryOpen(octets, out MessageReader message)) return false;   // shorter than a header
/// while (message.TryReadQuestion(out QuestionReader question)) ...
/// RecordReader records = message.ReadRecords();                                  // skips questions not read
/// while (records.TryRead()) ... records.Type, records.Ttl, records.Rdata ...
/// return !records.IsMalformed;
/// </code>
/// Borrows the octets; never allocates, never throws. The counts of the header are not trusted: each question takes at
/// least 5 octets, each record 11, or reading ends.
/// </remarks>
public ref struct MessageReader
{
    private const int Malformed = -1;

    private readonly ReadOnlySpan<byte> _octets;
    private int _position;
    private int _questionsLeft;

    private MessageReader(ReadOnlySpan<byte> octets)
    {
        _octets = octets;
        _position = MessageHeader.LengthOctets;
        _questionsLeft = MessageHeader.Count(octets, 0);
    }

    /// <summary>Opens a message.</summary>
    /// <returns>False if it is shorter than a header.</returns>
    public static bool TryOpen(ReadOnlySpan<byte> octets, out MessageReader message)
    {
        if (octets.Length < MessageHeader.LengthOctets)
        {
            message = default;
            return false;
        }
        message = new MessageReader(octets);
        return true;
    }

    /// <summary>The whole message.</summary>
    public readonly ReadOnlySpan<byte> Octets => _octets;

    /// <summary>The ID.</summary>
    public readonly ushort Id => MessageHeader.Id(_octets);

    /// <summary>Flags, opcode and lower RCODE bits; <see cref="MessageHeader"/> has the masks.</summary>
    public readonly ushort Flags => MessageHeader.Flags(_octets);

    /// <summary>QR.</summary>
    public readonly bool IsResponse => (Flags & MessageHeader.QueryResponse) != 0;

    /// <summary>The opcode.</summary>
    public readonly Opcode Opcode => MessageHeader.OpcodeOf(Flags);

    /// <summary>The lower four bits of the RCODE; <see cref="OptReader.FullRcode"/> adds the upper eight.</summary>
    public readonly Rcode HeaderRcode => (Rcode)(Flags & MessageHeader.RcodeMask);

    /// <summary>The offset of the next question or the first record; -1 behind a malformed question.</summary>
    public readonly int Position => _position;

    /// <summary>The count of a section in the header.</summary>
    public readonly int Count(MessageSection section) => MessageHeader.Count(_octets, (int)section);

    /// <summary>Reads the next question.</summary>
    /// <returns>False behind the last or if malformed: <see cref="ReadRecords"/> is then empty, not at end.</returns>
    public bool TryReadQuestion(out QuestionReader question)
    {
        int start = _position;
        if (!TrySkipQuestion())
        {
            question = default;
            return false;
        }
        question = new QuestionReader(_octets, start, _position - QuestionReader.FixedOctets);
        return true;
    }

    /// <summary>The records of all sections; skips unread questions.</summary>
    public RecordReader ReadRecords()
    {
        while (TrySkipQuestion()) { }
        return RecordReader.OfMessage(_octets, _position);
    }

    private bool TrySkipQuestion()
    {
        if (_questionsLeft <= 0) return false;
        _questionsLeft--;
        int position = _position;
        if (WireName.TrySkip(_octets, ref position) && _octets.Length - position >= QuestionReader.FixedOctets)
        {
            _position = position + QuestionReader.FixedOctets;
            return true;
        }
        (_position, _questionsLeft) = (Malformed, 0);
        return false;
    }

    /// <summary>Finds the first additional OPT owned by the root (RFC 6891 §6.1.1); does not check the rest.</summary>
    /// <returns>False if there is none before the end or a malformed record.</returns>
    public readonly bool TryFindOpt(out OptReader opt)
    {
        opt = default;
        if (Count(MessageSection.Additional) == 0) return false;
        MessageReader message = this;
        RecordReader records = message.ReadRecords();
        while (records.TryRead())
            if (OptReader.TryRead(in records, out opt)) return true;
        return false;
    }

    /// <summary>Finds TSIG, the last additional record (RFC 8945 §5.1) of a well-formed message.</summary>
    /// <param name="offset">The offset of its owner, where the signed octets end; 0 if there is none.</param>
    public readonly bool TryFindTsig(out int offset)
    {
        MessageReader message = this;
        RecordReader records = message.ReadRecords();
        bool isTsig = false;
        offset = 0;
        while (records.TryRead()) isTsig = records.IsLastTsig;
        if (!isTsig || records.IsMalformed) return false;
        offset = records.OwnerOffset;
        return true;
    }
}
